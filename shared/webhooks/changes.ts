import { isDeepStrictEqual } from "node:util";
import { conflict } from "../api/errors.ts";
import type { Table } from "../table/client.ts";
import { changeEndpoint, type Endpoint } from "./endpoint.ts";
import { goodSecrets, newSecret, sealedSecret } from "./secrets.ts";

/**
 * Changes what a service provider may change of an endpoint. To be enabled, also once more, or to get another url or other
 * types of events makes it forget its failures.
 *
 * @param sent what is to change, checked
 * @throws ServiceError "notFound" when there is no such endpoint
 */
export function updateEndpoint(
  table: Table,
  spId: string,
  endpointId: string,
  sent: Partial<Pick<Endpoint, "url" | "description" | "eventTypes" | "enabled">>,
): Promise<Endpoint> {
  return changeEndpoint(table, spId, endpointId, (endpoint) => {
    const updated = { ...endpoint, ...sent };
    const isOther = updated.url !== endpoint.url || !isDeepStrictEqual(updated.eventTypes, endpoint.eventTypes);
    if (sent.enabled || isOther) updated.configuredAt = table.clock.now().toISOString();
    if (sent.enabled) updated.disabled = null;
    return isDeepStrictEqual(updated, endpoint) ? endpoint : updated;
  });
}

/** How long (milliseconds) a secret is good after the next one was made (contract 14.3). */
const overlap = 24 * 3_600_000;

/** Each signs every delivery. Those that are lost on their way to the service provider must not end one that it has. */
const mostEarlier = 5;

/**
 * Makes a new secret; the ones that are good stay so for 24 hours from when they were followed by the next.
 *
 * @returns the endpoint and its new secret, which cannot be shown again
 * @throws ServiceError "notFound"; "conflict" when five earlier ones are good; "unavailable" when it cannot be sealed
 */
export async function rotateSecret(
  table: Table,
  spId: string,
  endpointId: string,
): Promise<{ endpoint: Endpoint; secret: string }> {
  const secret = newSecret();
  const present = await sealedSecret(endpointId, secret);
  const endpoint = await changeEndpoint(table, spId, endpointId, (before) => {
    const now = table.clock.now();
    const good = goodSecrets(before, now);
    if (good.length > mostEarlier) throw conflict(`The secret was rotated ${mostEarlier} times within 24 hours.`);
    const until = new Date(now.getTime() + overlap).toISOString();
    return { ...before, secrets: [present, ...good.map((one) => ({ ...one, until: one.until ?? until }))] };
  });
  return { endpoint, secret };
}
