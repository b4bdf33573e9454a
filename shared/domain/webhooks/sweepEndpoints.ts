import { describeError, log } from "../../platform/aws/log.ts";
import type { Table } from "../../store/client.ts";
import { readShards, type ShardState, sequenceEvents } from "../../store/eventLog/sequenceEvents.ts";
import { eventKey, eventsPartition } from "../../store/keys/events.ts";
import {
  circuitBreakerKey,
  enabledWebhookPartition,
  parseEnabledWebhookKey,
  webhookSweepKey,
} from "../../store/keys/webhooks.ts";
import { isCircuitOpen, isProbing } from "./circuitBreaker.ts";
import { type DeliveryPosition, findCurrentFailures } from "./deliveryLease.ts";
import { readPositions } from "./deliveryProgress.ts";
import { type Endpoint, readEndpoints } from "./endpoint.ts";
import { requestDeliveries } from "./requestDeliveries.ts";
import type { ShardMessage } from "./webhookMessage.ts";

export interface SweepResult {
  endpoints: number;
  /** number of shards for which the sweep requested deliveries */
  sent: number;
  /** number of endpoints with a failed attempt and no success since */
  failing: number;
  /** age in seconds of the oldest pending event, at endpoints without failures */
  oldestSeconds: number;
  /** number of service providers, shards and endpoints whose check failed; the next sweep repeats these checks */
  failures: number;
  /** whether the deadline came before the end of the sweep; the next sweep continues */
  handedOver: boolean;
}

/** Number of service providers that are checked concurrently. */
const atOnce = 8;

/**
 * Checks every enabled endpoint. Gives waiting events their sequence numbers. Requests deliveries for each shard that has
 * pending events and a due attempt, unless a worker has the shard's lease. So a lost message or a killed worker delays events
 * only until the next sweep. At the deadline, the sweep stores its progress, and the next sweep continues from there.
 *
 * Costs two read units per service provider and about 3 per endpoint.
 *
 * @param deadline after this time, the sweep checks no further service provider
 */
export async function sweepEndpoints(table: Table, { deadline }: { deadline: Date }): Promise<SweepResult> {
  const swept: SweepResult = { endpoints: 0, sent: 0, failing: 0, oldestSeconds: 0, failures: 0, handedOver: false };
  const listed = await table.queryPartition(enabledWebhookPartition);
  const byProvider = [...Map.groupBy(listed, ({ sk }) => parseEnabledWebhookKey(sk).spId).keys()].sort();
  const stopped = ((await table.get(webhookSweepKey, { consistent: true }))?.after as string | undefined) ?? "";
  const first = byProvider.findIndex((spId) => spId > stopped);
  const inTurn = first < 0 ? byProvider : [...byProvider.slice(first), ...byProvider.slice(0, first)];
  let done = 0;
  while (done < inTurn.length && table.clock.now() < deadline) {
    const some = inTurn.slice(done, done + atOnce);
    await Promise.all(some.map((spId) => unlessFails(swept, sweepProvider(table, spId, swept))));
    done += some.length;
  }
  swept.handedOver = done < inTurn.length;
  if (swept.handedOver) await table.put({ ...webhookSweepKey, after: inTurn[done - 1] ?? stopped });
  else if (stopped) await table.delete(webhookSweepKey);
  return swept;
}

/** Awaits one part of a sweep. If the part fails, the other parts continue, and the next sweep repeats the failed part. */
function unlessFails<T>(swept: SweepResult, part: Promise<T>): Promise<T | undefined> {
  return part.catch((error) => {
    swept.failures++;
    log.warn("some webhook endpoints not swept; the next sweep tries again", { error: describeError(error) });
    return undefined;
  });
}

async function sweepProvider(table: Table, spId: string, swept: SweepResult): Promise<void> {
  const endpoints = (await readEndpoints(table, spId)).filter(({ enabled }) => enabled);
  const states = await readShards(table, spId);
  const heads = await Promise.all(
    states.map((state, shard) => unlessFails(swept, lastPlace(table, eventsPartition(spId, shard), state))),
  );
  await Promise.all(endpoints.map((endpoint) => unlessFails(swept, sweepEndpoint(table, endpoint, heads, swept))));
}

/** Gives waiting events of a shard their sequence numbers, then returns the last sequence number of the shard. */
async function lastPlace(table: Table, pk: string, { seq, waiting }: ShardState): Promise<number> {
  return waiting.length === 0 ? seq : (await sequenceEvents(table, pk, table.clock)).seq;
}

/**
 * @param heads the last sequence number by shard; for a shard that could not be read, the number is undefined and no delivery
 *   is requested
 */
async function sweepEndpoint(
  table: Table,
  endpoint: Endpoint,
  heads: readonly (number | undefined)[],
  swept: SweepResult,
): Promise<void> {
  const { id: endpoint_id, spId: sp_id } = endpoint;
  const [positions, found] = await Promise.all([
    readPositions(table, endpoint_id),
    table.get(circuitBreakerKey(endpoint_id), { consistent: true }),
  ]);
  const trouble = isCircuitOpen(found, endpoint) ? found : undefined;
  const now = table.clock.now();
  const due = positions
    .map((position, shard) => ({ shard, position, nextAt: nextAttempt(position, endpoint) }))
    .filter(({ shard, position: { seq } }) => seq < (heads[shard] ?? 0))
    .filter(({ position, nextAt }) => position.heldUntil <= now.getTime() && nextAt <= now.getTime())
    .sort((one, other) => one.nextAt - other.nextAt);
  // If the circuit breaker is open, the endpoint gets only one attempt at a time.
  const sent = trouble ? due.slice(0, isProbing(trouble, now) ? 0 : 1) : due;
  await requestDeliveries(sent.map(({ shard }): ShardMessage => ({ sp_id, endpoint_id, shard })));
  swept.endpoints++;
  swept.sent += sent.length;
  if (trouble || positions.some((position) => findCurrentFailures(position, endpoint))) swept.failing++;
  else {
    for (const { shard, position } of due) {
      const waited = await secondsWaited(table, eventsPartition(sp_id, shard), position.seq + 1, now);
      swept.oldestSeconds = Math.max(swept.oldestSeconds, waited);
    }
  }
}

/** When the next attempt is due, in epoch milliseconds; 0 if the position has no failure. */
const nextAttempt = (position: DeliveryPosition, endpoint: Endpoint): number =>
  Date.parse(findCurrentFailures(position, endpoint)?.nextAt ?? new Date(0).toISOString());

/** Seconds since the event; 0 if the event has expired. */
async function secondsWaited(table: Table, pk: string, place: number, now: Date): Promise<number> {
  const body = (await table.get(eventKey(pk, place)))?.body as string | undefined;
  return body ? Math.max(0, (now.getTime() - Date.parse(JSON.parse(body).date)) / 1_000) : 0;
}
