import { isDeepStrictEqual } from "node:util";
import { conflict } from "../../api/errors.ts";
import type { Table } from "../../store/client.ts";
import { withChanges } from "../../store/fieldChanges.ts";
import { changeEndpoint, type Endpoint, readEndpoint, type SealedSecret } from "./endpoint.ts";
import { findValidSecrets, newSecret, sealedSecret, secretDigest } from "./secrets.ts";

/**
 * Changes what a service provider may change of an endpoint. To be enabled, also once more, or to get another url or other
 * types of events makes it forget its failures.
 *
 * @param sent what is to change, checked
 * @param by client id of the credential that changes it; null for the operator
 * @throws ServiceError "notFound" when there is no such endpoint; "conflict" when it is to be enabled without a secret, or with
 * a url that a revoked credential had set and this request does not send
 */
export function updateEndpoint(
  table: Table,
  spId: string,
  endpointId: string,
  sent: Partial<Pick<Endpoint, keyof typeof fieldNames>>,
  by: string | null = null,
): Promise<Endpoint> {
  const change = (endpoint: Endpoint): Endpoint => {
    const now = table.clock.now();
    const isEnded = (field: keyof typeof fieldNames) => endpoint.changes[fieldNames[field]]?.isEnded ?? false;
    if (sent.enabled && findValidSecrets(endpoint, now).length === 0) throw conflict(noSecret);
    if (sent.enabled && sent.url === undefined && isEnded("url")) throw conflict(foreignUrl);
    const updated = { ...endpoint, ...sent };
    const isOther = updated.url !== endpoint.url || !isDeepStrictEqual(updated.eventTypes, endpoint.eventTypes);
    if (sent.enabled || isOther) updated.configuredAt = now.toISOString();
    if (sent.enabled) updated.disabled = null;
    // Whoever sends a value that a revoked credential had set makes it its own.
    const changed = (Object.keys(fieldNames) as (keyof typeof fieldNames)[]).filter(
      (field) => !isDeepStrictEqual(updated[field], endpoint[field]) || (sent[field] !== undefined && isEnded(field)),
    );
    if (changed.length === 0 && isDeepStrictEqual(updated, endpoint)) return endpoint;
    const names = changed.map((field) => fieldNames[field]);
    return { ...updated, changedBy: by, changes: withChanges(endpoint.changes, names, by, now) };
  };
  return changeEndpoint(table, spId, endpointId, change, by);
}

/** The fields that can be changed, by their names in the API. */
const fieldNames = { url: "url", description: "description", eventTypes: "event_types", enabled: "enabled" } as const;

/** The error of an endpoint whose secrets a revocation has ended. */
export const noSecret =
  "The endpoint has no secret: a credential that knew it was revoked. Make a new one with rotateWebhookSecret.";

/** Why an endpoint is not enabled as it is: the url may be a thief's. */
const foreignUrl =
  "The url was set by a credential that has been revoked since. Send the url that is to be used together with enabled.";

/** How long (milliseconds) a secret is good after the next one was made (docs/spec.md#webhook-secrets). */
const overlapMs = 24 * 3_600_000;

/** Each signs every delivery. Those that are lost on their way to the service provider must not end one that it has. */
const maxEarlier = 5;

/**
 * Makes a new secret; the ones that are good stay so for 24 hours from when they were followed by the next.
 *
 * @param options.noted awaited with the present secret, which this ends, and when it does, before that is stored
 * @param options.by client id of the credential that makes it and is shown it; null for the operator
 * @returns the endpoint and its new secret, which cannot be shown again
 * @throws ServiceError "notFound"; "conflict" when five earlier ones are good; "unavailable" when it cannot be sealed
 */
export async function rotateSecret(
  table: Table,
  spId: string,
  endpointId: string,
  {
    onSecretEnding = async () => undefined,
    by = null,
  }: { onSecretEnding?: (ending: SealedSecret, now: Date) => Promise<void>; by?: string | null } = {},
): Promise<{ endpoint: Endpoint; secret: string }> {
  const secret = newSecret();
  const present = await sealedSecret(endpointId, secret, by);
  const change = async (before: Endpoint): Promise<Endpoint> => {
    const now = table.clock.now();
    const good = findValidSecrets(before, now);
    if (good.length > maxEarlier) throw conflict(`The secret was rotated ${maxEarlier} times within 24 hours.`);
    for (const ending of good) if (ending.until === null) await onSecretEnding(ending, now);
    const until = endOf(now);
    return {
      ...before,
      changedBy: by,
      changes: withChanges(before.changes, ["secret"], by, now),
      secrets: [present, ...good.map((one) => ({ ...one, until: one.until ?? until }))],
    };
  };
  return { endpoint: await changeEndpoint(table, spId, endpointId, change, by), secret };
}

/** When a secret ends that was followed by another one at an instant, ISO 8601 UTC. */
const endOf = (followed: Date): string => new Date(followed.getTime() + overlapMs).toISOString();

/**
 * Ends a secret again that a new one had followed, in a table that was restored to before. The new one is lost with what the
 * table knew of it: one that nobody knows takes its place, so that receivers refuse what is signed, and nothing is lost,
 * until the service provider makes another one.
 *
 * @param ended `secretDigest` of the secret
 * @param at when it was followed
 * @returns whether there is such an endpoint with such a secret
 * @throws ServiceError "unavailable" when nothing can be sealed
 */
export async function replaySecretEnd(
  table: Table,
  spId: string,
  endpointId: string,
  ended: string,
  at: Date,
): Promise<boolean> {
  const isEnded = (secret: SealedSecret) => secretDigest(secret) === ended;
  const found = (await readEndpoint(table, spId, endpointId))?.secrets.find(isEnded);
  if (!found || found.until !== null) return found !== undefined;
  const unknown = await sealedSecret(endpointId, newSecret());
  await changeEndpoint(table, spId, endpointId, (before) => {
    if (!before.secrets.some((secret) => isEnded(secret) && secret.until === null)) return before;
    const secrets = before.secrets.map((secret) => (isEnded(secret) ? { ...secret, until: endOf(at) } : secret));
    return { ...before, secrets: [unknown, ...secrets] };
  });
  return true;
}
