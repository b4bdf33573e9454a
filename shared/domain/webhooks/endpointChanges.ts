import { isDeepStrictEqual } from "node:util";
import { conflict } from "../../api/errors.ts";
import { toPerson } from "../../api/schemas/person.ts";
import type { Table } from "../../store/client.ts";
import { withChanges } from "../../store/fieldChanges.ts";
import type { Maker } from "../../store/madeWith.ts";
import { changeEndpoint, type Endpoint, readEndpoint, type SealedSecret } from "./endpoint.ts";
import { findValidSecrets, newSecret, sealedSecret, secretDigest } from "./secrets.ts";

/**
 * Changes the fields that a service provider may change. The recorded failures are discarded if the request changes the
 * URL or the event types, or has `enabled: true`, even for an endpoint that is enabled already.
 *
 * @param sent the changed fields, validated
 * @param by the caller; null for the operator
 * @param permit called with the changed endpoint before it is stored; throws if the caller may not have it
 * @throws errors of `permit`; ServiceError "notFound"; "conflict" if the request enables an endpoint that has no
 *   secret, or enables one without sending the URL after a credential that is now revoked had set it
 */
export function updateEndpoint(
  table: Table,
  spId: string,
  endpointId: string,
  sent: Partial<Pick<Endpoint, keyof typeof fieldNames>>,
  by: Maker | null = null,
  permit: (updated: Endpoint) => void = () => undefined,
): Promise<Endpoint> {
  const change = (endpoint: Endpoint): Endpoint => {
    const now = table.clock.now();
    const isEnded = (field: keyof typeof fieldNames) => endpoint.changes[fieldNames[field]]?.isEnded ?? false;
    if (sent.enabled && findValidSecrets(endpoint, now).length === 0) throw conflict("secret_missing", noSecret);
    if (sent.enabled && sent.url === undefined && isEnded("url")) throw conflict("url_unconfirmed", foreignUrl);
    const updated = { ...endpoint, ...sent };
    permit(updated);
    const isOther = updated.url !== endpoint.url || !isDeepStrictEqual(updated.eventTypes, endpoint.eventTypes);
    if (sent.enabled || isOther) updated.configuredAt = now.toISOString();
    if (sent.enabled) updated.disabled = null;
    // If a revoked credential set a field and the caller sends the same value, the field counts as changed by the caller.
    const changed = (Object.keys(fieldNames) as (keyof typeof fieldNames)[]).filter(
      (field) => !isDeepStrictEqual(updated[field], endpoint[field]) || (sent[field] !== undefined && isEnded(field)),
    );
    if (changed.length === 0 && isDeepStrictEqual(updated, endpoint)) return endpoint;
    const names = changed.map((field) => fieldNames[field]);
    return { ...updated, ...changedBy(by), changes: withChanges(endpoint.changes, names, by, now) };
  };
  return changeEndpoint(table, spId, endpointId, change, by);
}

const changedBy = (by: Maker | null) => ({ changedBy: by?.clientId ?? null, changedByPerson: toPerson(by?.person) });

/** The changeable fields, with their names in the API. */
const fieldNames = { url: "url", description: "description", eventTypes: "event_types", enabled: "enabled" } as const;

/** The error if a revocation ended the endpoint's secrets. */
export const noSecret =
  "The endpoint has no secret, because a credential that knew it was revoked. Make a new secret with rotateWebhookSecret first.";

/** The error if a revoked credential set the URL. The credential may have been stolen, so the URL may be an attacker's. */
const foreignUrl = "A credential that has since been revoked set the url. Send the right url together with enabled.";

/** Milliseconds that the previous secret stays valid after a rotation (docs/spec.md#webhook-secrets). */
const overlapMs = 24 * 3_600_000;

/**
 * Maximum number of valid earlier secrets; every valid secret signs each delivery. The limit is above 1, because
 * responses with new secrets can get lost. After such a loss, the service provider still has an earlier secret that is
 * valid.
 */
const maxEarlier = 5;

/**
 * Creates a new secret. The present secret stays valid for 24 hours; earlier secrets keep the times at which they end.
 *
 * @param options.onSecretEnding awaited before the change is stored, with the present secret and the time of the
 *   rotation
 * @param options.by the caller that receives the secret; null for the operator
 * @returns the endpoint and its new secret, which cannot be shown again
 * @throws ServiceError "notFound"; "conflict" if five earlier secrets are valid; "unavailable" if the secret cannot be
 *   sealed
 */
export async function rotateSecret(
  table: Table,
  spId: string,
  endpointId: string,
  {
    onSecretEnding = async () => undefined,
    by = null,
  }: { onSecretEnding?: (ending: SealedSecret, now: Date) => Promise<void>; by?: Maker | null } = {},
): Promise<{ endpoint: Endpoint; secret: string }> {
  const secret = newSecret();
  const present = await sealedSecret(endpointId, secret, by);
  const change = async (before: Endpoint): Promise<Endpoint> => {
    const now = table.clock.now();
    const good = findValidSecrets(before, now);
    if (good.length > maxEarlier)
      throw conflict(
        "secret_limit",
        `The secret was rotated ${maxEarlier} times within 24 hours, the maximum. Rotate again when an earlier secret has expired.`,
      );
    for (const ending of good) if (ending.until === null) await onSecretEnding(ending, now);
    const until = endOf(now);
    return {
      ...before,
      ...changedBy(by),
      changes: withChanges(before.changes, ["secret"], by, now),
      secrets: [present, ...good.map((one) => ({ ...one, until: one.until ?? until }))],
    };
  };
  return { endpoint: await changeEndpoint(table, spId, endpointId, change, by), secret };
}

/** When the present secret ends if it is rotated at this time, ISO 8601 UTC. */
const endOf = (followed: Date): string => new Date(followed.getTime() + overlapMs).toISOString();

/**
 * Repeats the end of a rotated secret in a restored table. The restored table lacks the new secret, so this function
 * creates a secret that no receiver knows. Receivers reject signatures made with this secret until the service provider
 * rotates the secret again; no event is lost.
 *
 * @param ended the `secretDigest` of the rotated secret
 * @param at the time of the rotation
 * @returns whether the endpoint has the rotated secret
 * @throws ServiceError "unavailable" if the secret cannot be sealed
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
