import { invalid, notFound } from "../../api/errors.ts";
import type { Requirement } from "../../api/schemas/requirement.ts";
import { exists, type Table } from "../../store/client.ts";
import { uploadKey } from "../../store/keys/onboarding.ts";
import { StaleReadError } from "../../store/retryOnConflict.ts";
import type { Bucket } from "../documents/bucket.ts";
import { isOfType } from "../documents/contentType.ts";
import { storeWithIntent } from "../documents/removals.ts";
import { readUpload } from "../documents/uploads.ts";
import { addDocument, permittedAdditions } from "./addDocument.ts";
import { toRequirement } from "./answers.ts";
import { readRequirement } from "./changeRequirement.ts";

/**
 * Creates a document from an uploaded file (docs/spec.md#uploads-and-downloads). A repeated call returns the same result.
 *
 * @returns the requirement with the document
 * @throws ServiceError "notFound" for an unknown requirement or upload; "conflict" for an archived requirement, and for a user
 *   at the limit; "invalid" on `path.document_id` if the file is missing or differs from the announced one
 */
export async function completeUpload(
  table: Table,
  bucket: Bucket,
  path: { crb_id: string; requirement_id: string; document_id: string },
): Promise<Requirement> {
  const { crb_id: crbId, requirement_id: requirementId, document_id: id } = path;
  // Read the upload before the requirement. If a concurrent call has completed the upload, the requirement then
  // contains the document.
  const upload = await readUpload(table, crbId, id);
  const view = await readRequirement(table, crbId, requirementId);
  if (view.documents.some(({ record }) => record.id === id)) return toRequirement(view.requirement, view.documents);
  if (upload?.requirement_id !== requirementId) throw notFound("document");
  (await permittedAdditions(table, crbId, upload.uploaded_by))(view);
  const content = await bucket.read(upload.storage_key);
  if (!content) throw refused("names an upload without a file yet; send the file to its upload_link first");
  // A caller cannot announce an empty file. An empty object means that `endLinks` overwrote it when the association
  // ended.
  if (content.length === 0) throw notFound("document");
  if (content.length !== upload.size)
    throw refused("names an upload whose length differs from the announced one; begin another upload");
  if (!(await isOfType(upload.file_type, content))) {
    throw refused("names an upload whose content does not match its file_type; begin another upload");
  }
  const { file_type } = upload;
  const stored = await storeWithIntent(table, bucket, crbId, { base64: content.toString("base64"), file_type });
  const { file_name: fileName, friendly_name: friendlyName, uploaded_by: uploadedBy } = upload;
  const uploadedByPerson = upload.uploaded_by_person;
  const added = { ...stored, id, crbId, requirementId, fileName, friendlyName, uploadedBy, uploadedByPerson };
  // The uploaded file stays until its planned removal. While it exists, the upload link can store no other file.
  let isGone = false;
  return addDocument(table, added, async () => {
    // The requirement was read again after the upload was gone, and does not contain the document. A concurrent call
    // has therefore created the document, and the document is already deleted.
    if (isGone) throw notFound("document");
    isGone = !(await readUpload(table, crbId, id));
    if (isGone) throw new StaleReadError(id);
    return [table.deleteWrite(uploadKey(crbId, id), exists)];
  });
}

const refused = (message: string) => invalid({ "path.document_id": { message } });
