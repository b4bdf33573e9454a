import { listCashCounts } from "../../shared/api/operations/deposits.ts";
import { listCashCounts as read } from "../../shared/domain/deposits/listDeposits.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { page } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(listCashCounts, async ({ path, query }) =>
  page(await read(serviceTable(), path.crb_id, query)),
);
