import { storeDeposits } from "../../shared/api/operations/deposits.ts";
import { tryAnnounceReconciliation } from "../../shared/domain/deposits/announceReconciliation.ts";
import { storeDeposits as store } from "../../shared/domain/deposits/storeDeposits.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(storeDeposits, async ({ path, body }) => {
  const stored = await store(serviceTable(), { spId: path.sp_id, crbId: path.crb_id }, body.deposits);
  await tryAnnounceReconciliation(serviceTable(), path.crb_id);
  return json(stored);
});
