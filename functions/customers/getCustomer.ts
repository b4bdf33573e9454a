import { getCustomer } from "../../shared/api/operations/customers.ts";
import { record } from "../../shared/http/answer.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { serviceTable } from "../../shared/table/client.ts";
import { recordList } from "../../shared/table/keys.ts";
import { readRecord } from "../../shared/table/rankedList/readRecord.ts";

export const handler = endpoint(getCustomer, async ({ path }) =>
  record(await readRecord(serviceTable(), recordList(path.crb_id, "customer"), path.customer_id)),
);
