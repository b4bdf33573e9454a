import { randomUUID } from "node:crypto";
import type { EventType } from "../../api/enumerations.ts";
import { conflict } from "../../api/errors.ts";
import { eventExamples } from "../../api/eventExamples.ts";
import { exampleIds } from "../../api/operations/examples.ts";
import type { WebhookDelivery } from "../../api/schemas/webhookEndpoint.ts";
import type { Table } from "../../store/client.ts";
import { attemptDelivery } from "./attemptDelivery.ts";
import { logDelivery } from "./deliveryLog.ts";
import { requireEndpoint } from "./endpoint.ts";
import { noSecret } from "./endpointChanges.ts";
import { signingSecrets } from "./secrets.ts";

/**
 * Makes one attempt to deliver a test event at once, even if the endpoint is disabled. Only this endpoint receives the event.
 * The attempt is in the delivery log, but the event is not in the event log. Except for `endpoint.test`, the data is that of
 * an example.
 *
 * @throws ServiceError "notFound" if the endpoint does not exist; "conflict" if it has no secret; "unavailable" if its secrets
 *   cannot be unsealed
 */
export async function sendTestDelivery(
  table: Table,
  spId: string,
  endpointId: string,
  type: EventType,
): Promise<WebhookDelivery> {
  const endpoint = await requireEndpoint(table, spId, endpointId);
  const { clock } = table;
  const secrets = await signingSecrets(endpoint, clock.now());
  if (secrets.length === 0) throw conflict("secret_missing", noSecret);
  const isOfEndpoint = type.startsWith("endpoint.");
  const crbId = isOfEndpoint ? null : exampleIds.crb;
  const data = { ...eventExamples[type], ...(isOfEndpoint && { endpoint_id: endpointId }) };
  const event = { id: randomUUID(), type, date: clock.now().toISOString(), sp_id: spId };
  const body = JSON.stringify({ ...event, crb_id: crbId, data });
  const delivery = await attemptDelivery(endpoint, secrets, { ...event, crbId }, body, 1, { clock });
  await logDelivery(table, endpointId, "TEST", delivery);
  return delivery;
}
