import { randomUUID } from "node:crypto";
import { addRequirementDocument } from "../../shared/api/operations/requirementDocuments.ts";
import { serviceBucket } from "../../shared/domain/documents/bucket.ts";
import { contentIssues } from "../../shared/domain/documents/contentIssues.ts";
import { storeWithIntent } from "../../shared/domain/documents/removals.ts";
import { addDocument, permittedAdditions } from "../../shared/domain/onboarding/addDocument.ts";
import { readRequirement } from "../../shared/domain/onboarding/changeRequirement.ts";
import { requirementFor } from "../../shared/domain/onboarding/invitedUser.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(
  addRequirementDocument,
  async ({ path, body, principal }) => {
    const table = serviceTable();
    const permit = await permittedAdditions(table, path.crb_id, principal.clientId);
    permit(await readRequirement(table, path.crb_id, path.requirement_id));
    const id = randomUUID();
    const stored = await storeWithIntent(table, serviceBucket(), path.crb_id, body);
    const requirement = await addDocument(table, {
      ...stored,
      id,
      crbId: path.crb_id,
      requirementId: path.requirement_id,
      fileName: body.file_name,
      friendlyName: body.friendly_name,
      uploadedBy: principal.clientId,
      uploadedByPerson: principal.person,
    });
    const shown = await requirementFor(table, principal, requirement);
    return json({ document_id: id, updated_requirement_response: shown });
  },
  (_path, body) => contentIssues(body),
);
