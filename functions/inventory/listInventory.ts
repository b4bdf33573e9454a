import { listInventory } from "../../shared/api/operations/inventory.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { list } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";
import { listInventory as readInventories } from "../../shared/store/inventory.ts";

export const handler = endpoint(listInventory, async ({ path, query }) =>
  list(await readInventories(serviceTable(), path.crb_id, query), query.offset),
);
