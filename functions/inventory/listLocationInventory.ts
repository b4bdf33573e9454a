import { listLocationInventory } from "../../shared/api/operations/inventory.ts";
import { listLocationInventory as readLocationInventory } from "../../shared/domain/inventory/listLocationInventory.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { list } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(listLocationInventory, async ({ path, query }) =>
  list(await readLocationInventory(serviceTable(), path.crb_id, path.location_id, query), query.offset),
);
