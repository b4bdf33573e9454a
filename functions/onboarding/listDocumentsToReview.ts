import { listDocumentsToReview } from "../../shared/api/operations/requirementDocuments.ts";
import { readDocumentsToReview } from "../../shared/domain/onboarding/readDocumentsToReview.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { list } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(listDocumentsToReview, async ({ path, query }) => {
  const { total, documents } = await readDocumentsToReview(serviceTable(), path.sp_id, query);
  return list({ total, records: documents.map((document) => JSON.stringify(document)) }, query.offset);
});
