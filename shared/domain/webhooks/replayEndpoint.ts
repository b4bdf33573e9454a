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
/** A `from` that differs from the present time by at most this many milliseconds, in either direction, means now. */
const aboutNow = 10_000;
/**
 * A replay starts this many milliseconds before `from`. Event times may be out of order by the clock offset between the
 * writers, and are cut to seconds. Without the margin, a replay could miss an event; with it, a few extra events may be
 * delivered. The margin is smaller for a `from` that means now, because the caller then wants to skip pending events.
 */
const margin = { past: 60_000, now: maxClockOffsetMs + 1_000 };

/**
 * Resets the positions of an endpoint, so that all events since `from` are delivered again. If `from` is the present time or
 * later, all pending events are skipped. Attempts in progress no longer move the positions. If a call is interrupted, some
 * shards are unchanged, and the caller must repeat the call.
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
      // Give waiting events their sequence numbers first, because they were stored before the replay.
      const head = await sequenceEvents(table, pk, table.clock);
      const since = new Date(
        from.getTime() - (back > aboutNow ? margin.past : margin.now) + eventRetentionSeconds * 1_000,
      );
      const seq = back <= 0 ? head.seq : (await findFirstRetainedEvent(table, pk, head, since)) - 1;
      await resetPosition(table, endpointId, shard, seq, head.seq);
    }),
  );
  // The new positions have no failures, so the circuit breaker must not delay the deliveries.
  await closeCircuit(table, endpointId);
  if (endpoint.enabled) await hastenDeliveries(endpoint);
  return endpoint;
}
