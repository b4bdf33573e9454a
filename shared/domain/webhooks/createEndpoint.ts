import { randomBytes, randomUUID } from "node:crypto";
import { conflict } from "../../api/errors.ts";
import { toPerson } from "../../api/schemas/person.ts";
import { withActiveCredential } from "../../auth/withActiveCredential.ts";
import type { Table } from "../../store/client.ts";
import { forServiceProvider } from "../../store/crbs.ts";
import { sequenceEvents } from "../../store/eventLog/sequenceEvents.ts";
import { shardNumbers } from "../../store/eventLog/shards.ts";
import { withChanges } from "../../store/fieldChanges.ts";
import { type IdempotentRequest, readFirstResponse, rememberWrite } from "../../store/idempotency.ts";
import { eventsPartition, webhookListenerKey } from "../../store/keys/events.ts";
import { webhookPositionKey } from "../../store/keys/webhooks.ts";
import { endsWithOf, type Maker } from "../../store/madeWith.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";
import { newPosition } from "./deliveryLease.ts";
import { type Endpoint, endpointWrites, requireEndpoint } from "./endpoint.ts";
import { endpointIdsWrite, readEndpointIds } from "./endpointIds.ts";
import { repeatableSecret } from "./repeatableSecret.ts";
import { newSecret, sealedSecret } from "./secrets.ts";

/** Maximum number of endpoints of a service provider (docs/spec.md#webhooks). */
const maxEndpoints = 10;

/** What a repetition needs to make the response again. */
interface FirstEndpoint {
  id: string;
  nonce: string;
}

/**
 * Creates an endpoint. The endpoint receives all events that are stored from now on. If the same credential repeats a
 * request with the same `Idempotency-Key` within 24 hours, it gets the endpoint in its present state and its first
 * secret.
 *
 * @param by the caller; null for the operator
 * @returns the endpoint and its secret, which cannot be shown otherwise
 * @throws ServiceError "conflict" at the maximum of ten endpoints; "unavailable" if the secret cannot be sealed;
 *   "notFound" if the service provider is being removed, or the endpoint of the first request is deleted; "invalid" if
 *   the key was sent with another request; "unauthorized" if the credential or its key has ended meanwhile
 */
export async function createEndpoint(
  table: Table,
  spId: string,
  sent: Pick<Endpoint, "url" | "description" | "eventTypes">,
  by: Maker | null = null,
  idempotencyKey?: string,
): Promise<{ endpoint: Endpoint; secret: string }> {
  const id = randomUUID();
  const nonce = randomBytes(32).toString("base64url");
  // With the credential in the request, no other credential and no key that another one added is shown the secret: a revocation
  // ends the secrets that the revoked credential was shown.
  const request: IdempotentRequest | undefined =
    idempotencyKey === undefined
      ? undefined
      : {
          spId,
          key: idempotencyKey,
          body: { operation: "createWebhookEndpoint", client_id: by?.clientId ?? null, ...endsWithOf(by), ...sent },
        };
  const secret = request ? repeatableSecret(id, nonce) : newSecret();
  const secrets = [await sealedSecret(id, secret, by)];
  return retryOnConflict(table.clock, async () => {
    // Read before the first response: a concurrent request with the same key may create the last permitted endpoint.
    const known = await readEndpointIds(table, spId);
    const first = request && (await readFirstResponse(table, request, table.clock.now()));
    if (first) {
      const answer: FirstEndpoint = JSON.parse(first.answer);
      const endpoint = await requireEndpoint(table, spId, answer.id);
      return { endpoint, secret: repeatableSecret(answer.id, answer.nonce) };
    }
    if (known.ids.length >= maxEndpoints)
      throw conflict(
        "endpoint_limit",
        `The service provider already has ${maxEndpoints} webhook endpoints, the maximum: delete one first.`,
      );
    // Events that wait for a sequence number happened before the creation. Give them numbers now, so that the position is after
    // them.
    const heads = await Promise.all(
      shardNumbers.map((shard) => sequenceEvents(table, eventsPartition(spId, shard), table.clock)),
    );
    const instant = table.clock.now();
    const now = instant.toISOString();
    const endpoint: Endpoint = {
      id,
      spId,
      ...sent,
      enabled: true,
      createdDate: now,
      configuredAt: now,
      createdBy: by?.clientId ?? null,
      createdByPerson: toPerson(by?.person),
      changedBy: null,
      changedByPerson: null,
      changes: withChanges({}, ["url", "description", "event_types", "enabled", "secret"], by, instant),
      secrets,
      version: 1,
      disabled: null,
    };
    const writes = [
      endpointIdsWrite(table, spId, known, [...known.ids, id]),
      ...endpointWrites(table, undefined, endpoint),
      ...heads.map(({ seq }, shard) => table.putWrite({ ...webhookPositionKey(id, shard), ...newPosition(seq) })),
      ...shardNumbers.map((shard) => table.putWrite({ ...webhookListenerKey(eventsPartition(spId, shard)) })),
      ...(request
        ? [rememberWrite(table, request, { answer: JSON.stringify({ id, nonce } satisfies FirstEndpoint) }, instant)]
        : []),
    ];
    await withActiveCredential(table, by, 1, (check) =>
      forServiceProvider(table, spId, (isThere) => table.transact([isThere, ...check, ...writes])),
    );
    return { endpoint, secret };
  });
}
