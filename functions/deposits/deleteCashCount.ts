import { deleteCashCount } from "../../shared/api/operations/deposits.ts";
import { tryAnnounceReconciliation } from "../../shared/domain/deposits/announceReconciliation.ts";
import { deleteCashCount as remove } from "../../shared/domain/deposits/cashCounts.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(deleteCashCount, async ({ path }) => {
  const count = await remove(serviceTable(), { spId: path.sp_id, crbId: path.crb_id }, path.date);
  await tryAnnounceReconciliation(serviceTable(), path.crb_id);
  return json(count);
});
