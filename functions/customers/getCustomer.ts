import { getCustomer } from "../../shared/api/operations/customers.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { record } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";
import { recordList } from "../../shared/store/keys/orderedLists.ts";
import { readRecord } from "../../shared/store/orderedList/readPage.ts";

export const handler = endpoint(getCustomer, async ({ path }) =>
  record(await readRecord(serviceTable(), recordList(path.crb_id, "customer"), path.customer_id), "customer"),
);
