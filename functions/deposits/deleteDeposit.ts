import { deleteDeposit } from "../../shared/api/operations/deposits.ts";
import { tryAnnounceReconciliation } from "../../shared/domain/deposits/announceReconciliation.ts";
import { deleteDeposit as remove } from "../../shared/domain/deposits/deleteDeposit.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(deleteDeposit, async ({ path }) => {
  const deposit = await remove(serviceTable(), { spId: path.sp_id, crbId: path.crb_id }, path.deposit_id);
  await tryAnnounceReconciliation(serviceTable(), path.crb_id);
  return json(deposit);
});
