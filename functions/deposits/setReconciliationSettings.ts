import { setReconciliationSettings } from "../../shared/api/operations/reconciliation.ts";
import { tryAnnounceReconciliation } from "../../shared/domain/deposits/announceReconciliation.ts";
import { changeSettings } from "../../shared/domain/deposits/settings.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(setReconciliationSettings, async ({ path, body }) => {
  const settings = await changeSettings(serviceTable(), { spId: path.sp_id, crbId: path.crb_id }, body);
  await tryAnnounceReconciliation(serviceTable(), path.crb_id);
  return json(settings);
});
