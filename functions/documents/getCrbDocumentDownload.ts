import { notFound } from "../../shared/api/errors.ts";
import { getCrbDocumentDownload } from "../../shared/api/operations/documents.ts";
import { serviceBucket } from "../../shared/domain/documents/bucket.ts";
import { documentLinks } from "../../shared/domain/documents/downloadLink.ts";
import { readDocument } from "../../shared/domain/documents/storedDocument.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(getCrbDocumentDownload, async ({ path }) => {
  const document = await readDocument(serviceTable(), path.crb_id, path.doc_id);
  if (!document || document.record.deleted) throw notFound("document");
  const { storage_key, file_name } = document.record;
  const { text, file } = await documentLinks(serviceBucket(), storage_key, file_name);
  const expiresAt = Math.min(text.expiresAt, file.expiresAt);
  return json({ ...document.record, download_link: text.link, file_link: file.link, expires_at: expiresAt });
});
