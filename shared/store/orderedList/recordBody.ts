/** Renders the record's JSON text, byte for byte as callers get it, with the dates that the service sets. */
export function renderBody(content: Record<string, unknown>, dates: { created: string; updated: string }): string {
  const record = { ...content };
  if ("svc_created_date" in record) record.svc_created_date = dates.created;
  if ("svc_updated_date" in record) record.svc_updated_date = dates.updated;
  return JSON.stringify(record);
}
