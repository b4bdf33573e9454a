import { randomUUID } from "node:crypto";
import { conflict } from "../../api/errors.ts";
import type { WebhookDelivery } from "../../api/schemas/webhookEndpoint.ts";
import type { Table } from "../../store/client.ts";
import { attemptDelivery } from "./attemptDelivery.ts";
import { logDelivery } from "./deliveryLog.ts";
import { requireEndpoint } from "./endpoint.ts";
import { noSecret } from "./endpointChanges.ts";
import { signingSecrets } from "./secrets.ts";

/**
 * Makes one attempt to deliver an `endpoint.test` event at once, even if the endpoint is disabled. Only this endpoint receives
 * the event. The attempt is in the delivery log, but the event is not in the event log.
 *
 * @throws ServiceError "notFound" if the endpoint does not exist; "conflict" if it has no secret; "unavailable" if its secrets
 *   cannot be unsealed
 */
export async function sendTestDelivery(table: Table, spId: string, endpointId: string): Promise<WebhookDelivery> {
  const endpoint = await requireEndpoint(table, spId, endpointId);
  const { clock } = table;
  const secrets = await signingSecrets(endpoint, clock.now());
  if (secrets.length === 0) throw conflict("secret_missing", noSecret);
  const event = { id: randomUUID(), type: "endpoint.test", date: clock.now().toISOString(), sp_id: spId } as const;
  const body = JSON.stringify({ ...event, crb_id: null, data: { endpoint_id: endpointId } });
  const delivery = await attemptDelivery(endpoint, secrets, { ...event, crbId: null }, body, 1, { clock });
  await logDelivery(table, endpointId, "TEST", delivery);
  return delivery;
}
