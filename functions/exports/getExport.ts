import { notFound } from "../../shared/api/errors.ts";
import { getExport } from "../../shared/api/operations/exports.ts";
import { serviceBucket } from "../../shared/domain/documents/bucket.ts";
import { exportWithLinks, hasLinks } from "../../shared/domain/exports/exportLinks.ts";
import { recordLinkRecipient } from "../../shared/domain/exports/linkRecipients.ts";
import { readExport } from "../../shared/domain/exports/storedExport.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { exportBody } from "../../shared/http/exportResponse.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(getExport, async ({ path, principal }) => {
  const table = serviceTable();
  const stored = await readExport(table, path.crb_id, path.export_id, new Date());
  if (!stored) throw notFound("export");
  if (hasLinks(stored)) await recordLinkRecipient(table, principal, stored);
  return { body: async () => exportBody(await exportWithLinks(serviceBucket(), stored)) };
});
