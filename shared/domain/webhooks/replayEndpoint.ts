import { invalid } from "../../api/errors.ts";
import { maxClockOffsetMs, type Table } from "../../store/client.ts";
import { findFirstRetainedEvent } from "../../store/eventLog/findFirstRetainedEvent.ts";
import { eventRetentionSeconds, sequenceEvents } from "../../store/eventLog/sequenceEvents.ts";
import { shardNumbers } from "../../store/eventLog/shards.ts";
import { eventsPartition } from "../../store/keys/events.ts";
import { closeCircuit } from "./circuitBreaker.ts";
import { resetPosition } from "./deliveryLease.ts";
import { type Endpoint, requireEndpoint } from "./endpoint.ts";
import { hastenDeliveries } from "./requestDeliveries.ts";

/** Maximum age of `from` (docs/spec.md#replay-tests-and-delivery-log). */
const maxReplayMs = 30 * 24 * 3_600_000;
/** Tolerance in milliseconds: how far `from` may lie in the future, and how far in the past it still means now. */
const aboutNow = 10_000;
/**
 * Start this much earlier (milliseconds), because one event too many is better than a missing one. Event times may be out of
 * order by the clock offset of the writers, and are cut to seconds. The smaller margin is for a `from` that means now: such a
 * caller wants to skip pending events.
 */
const margin = { past: 60_000, now: maxClockOffsetMs + 1_000 };

/**
 * Sets an endpoint to deliver all events since an instant again. With an instant of now or later it skips all pending events.
 * Attempts in progress finish without moving the positions. A call that is interrupted leaves some shards unchanged; the caller
 * repeats it.
 *
 * @throws ServiceError "notFound" if the endpoint does not exist; "invalid" if `from` is more than 30 days ago or in the future
 */
export async function replayEndpoint(table: Table, spId: string, endpointId: string, from: Date): Promise<Endpoint> {
  const endpoint = await requireEndpoint(table, spId, endpointId);
  const back = table.clock.now().getTime() - from.getTime();
  if (back < -aboutNow) throw invalid({ "body.from": { message: "must not be in the future" } });
  if (back > maxReplayMs) throw invalid({ "body.from": { message: "must be within the last 30 days" } });
  await Promise.all(
    shardNumbers.map(async (shard) => {
      const pk = eventsPartition(spId, shard);
      // Events that wait for a sequence number were stored earlier.
      const head = await sequenceEvents(table, pk, table.clock);
      const since = new Date(
        from.getTime() - (back > aboutNow ? margin.past : margin.now) + eventRetentionSeconds * 1_000,
      );
      const seq = back <= 0 ? head.seq : (await findFirstRetainedEvent(table, pk, head, since)) - 1;
      await resetPosition(table, endpointId, shard, seq, head.seq);
    }),
  );
  // The new positions have no failures.
  await closeCircuit(table, endpointId);
  if (endpoint.enabled) await hastenDeliveries(endpoint);
  return endpoint;
}
