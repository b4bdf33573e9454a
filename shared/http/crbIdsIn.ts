import type { Operation } from "../api/operation.ts";

/**
 * The ids of the businesses that a response is about, each once, for the access log. Records about no business are left
 * out.
 *
 * @param text the body: a record, or a list of records in `data`
 */
export function crbIdsIn(text: string, field: NonNullable<Operation["businessField"]>): string[] {
  const body: { data?: unknown } = JSON.parse(text);
  const records: NamingRecord[] = Array.isArray(body.data) ? body.data : [body];
  return [...new Set(records.flatMap((record) => crbIdOf(record, field) ?? []))];
}

/** The fields of a record that can name a business. */
interface NamingRecord {
  id?: string;
  crb_id?: string | null;
  owner?: { kind: string; id: string };
}

function crbIdOf(record: NamingRecord, field: NonNullable<Operation["businessField"]>) {
  if (field !== "owner") return record[field];
  return record.owner?.kind === "crb" ? record.owner.id : undefined;
}
