import { getDocument } from "../../shared/api/operations/documents.ts";
import { record } from "../../shared/http/answer.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { serviceTable } from "../../shared/table/client.ts";
import { documentList } from "../../shared/table/keys.ts";
import { readRecord } from "../../shared/table/rankedList/readRecord.ts";

export const handler = endpoint(getDocument, async ({ path }) =>
  record(await readRecord(serviceTable(), documentList(path.crb_id), path.doc_id)),
);
