import { createDocumentUpload } from "../../shared/api/operations/requirementDocuments.ts";
import { toPerson } from "../../shared/api/schemas/person.ts";
import { serviceBucket } from "../../shared/domain/documents/bucket.ts";
import { uploadLink } from "../../shared/domain/documents/uploadLink.ts";
import { planUpload, readUploads } from "../../shared/domain/documents/uploads.ts";
import { permittedAdditions } from "../../shared/domain/onboarding/addDocument.ts";
import { readRequirement } from "../../shared/domain/onboarding/changeRequirement.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(createDocumentUpload, async ({ path, body, principal }) => {
  const table = serviceTable();
  const permit = await permittedAdditions(table, path.crb_id, principal.clientId);
  const view = await readRequirement(table, path.crb_id, path.requirement_id);
  permit(view, await readUploads(table, path.crb_id));
  const by = principal.owner.kind === "invitedUser" ? null : principal;
  const uploader = { uploaded_by: principal.clientId, uploaded_by_person: toPerson(principal.person) };
  const upload = await planUpload(table, path, { ...body, ...uploader }, by);
  const { link, expiresAt } = await uploadLink(serviceBucket(), upload.storage_key, body.file_type, body.size);
  return json({ document_id: upload.document_id, upload_link: link, expires_at: expiresAt });
});
