import { deleteRequirementDocument } from "../../shared/api/operations/requirementDocuments.ts";
import { toPerson } from "../../shared/api/schemas/person.ts";
import { serviceBucket } from "../../shared/domain/documents/bucket.ts";
import { deleteDocument } from "../../shared/domain/onboarding/deleteDocument.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(deleteRequirementDocument, async ({ path, principal }) => {
  return json(
    await deleteDocument(
      serviceTable(),
      serviceBucket(),
      path,
      principal.clientId,
      undefined,
      toPerson(principal.person),
    ),
  );
});
