import { listDocuments } from "../../shared/api/operations/documents.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { list } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";
import { documentList } from "../../shared/store/keys/orderedLists.ts";
import { openPage } from "../../shared/store/orderedList/readPage.ts";

export const handler = endpoint(listDocuments, async ({ path, query }) =>
  list(await openPage(serviceTable(), documentList(path.crb_id), query), query.offset),
);
