import { getInventory } from "../../shared/api/operations/inventory.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { record } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";
import { readInventory } from "../../shared/store/inventory.ts";

export const handler = endpoint(getInventory, async ({ path, query }) =>
  record(await readInventory(serviceTable(), path.crb_id, path.inventory_id, query), "inventory record"),
);
