import { listReconciliationDays } from "../../shared/api/operations/reconciliation.ts";
import { listReconciliationDays as read } from "../../shared/domain/deposits/readReconciliation.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { page } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(listReconciliationDays, async ({ path, query }) =>
  page(await read(serviceTable(), path.crb_id, query)),
);
