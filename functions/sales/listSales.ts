import { listSales } from "../../shared/api/operations/sales.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { list } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";
import { listSales as readSales } from "../../shared/store/sales.ts";

export const handler = endpoint(listSales, async ({ path, query }) =>
  list(await readSales(serviceTable(), path.crb_id, query), query.offset),
);
