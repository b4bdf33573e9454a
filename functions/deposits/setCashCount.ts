import { setCashCount } from "../../shared/api/operations/deposits.ts";
import { tryAnnounceReconciliation } from "../../shared/domain/deposits/announceReconciliation.ts";
import { setCashCount as store } from "../../shared/domain/deposits/cashCounts.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(setCashCount, async ({ path, body }) => {
  const owner = { spId: path.sp_id, crbId: path.crb_id };
  const count = await store(serviceTable(), owner, { date: path.date, amount: body.amount });
  await tryAnnounceReconciliation(serviceTable(), path.crb_id);
  return json(count);
});
