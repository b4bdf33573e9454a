import { getReconciliationSettings } from "../../shared/api/operations/reconciliation.ts";
import { readSettings, toSettingsResponse } from "../../shared/domain/deposits/settings.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(getReconciliationSettings, async ({ path }) =>
  json(toSettingsResponse(await readSettings(serviceTable(), path.crb_id))),
);
