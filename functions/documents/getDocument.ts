import { getDocument } from "../../shared/api/operations/documents.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { record } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";
import { documentList } from "../../shared/store/keys/orderedLists.ts";
import { readRecord } from "../../shared/store/orderedList/readPage.ts";

export const handler = endpoint(getDocument, async ({ path }) =>
  record(await readRecord(serviceTable(), documentList(path.crb_id), path.doc_id), "document"),
);
