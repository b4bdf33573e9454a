import { getInventoryLocation } from "../../shared/api/operations/inventoryLocations.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { record } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";
import { recordList } from "../../shared/store/keys/orderedLists.ts";
import { readRecord } from "../../shared/store/orderedList/readPage.ts";

export const handler = endpoint(getInventoryLocation, async ({ path }) =>
  record(await readRecord(serviceTable(), recordList(path.crb_id, "location"), path.location_id), "inventory location"),
);
