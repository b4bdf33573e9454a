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

/** How far back a replay reaches (docs/spec.md#replay-tests-and-delivery-log). */
const maxReplayMs = 30 * 24 * 3_600_000;
/** By how much a caller's clock may be ahead, and how far back `from` still means now, more or less. */
const aboutNow = 10_000;
/**
 * Places and times grow together but for the clocks of those who give places, and the second that a place's time is cut to:
 * an event more is better than one less. Who means now skips what waits, so that it is no more than needed.
 */
const margin = { past: 60_000, now: maxClockOffsetMs + 1_000 };

/**
 * Sets an endpoint to deliver again all events since an instant; since now it delivers none of those that wait. What is under
 * way ends, and moves nothing any more. Who is cut off leaves some of the shards as they were, and repeats it.
 *
 * @throws ServiceError "notFound" when there is no such endpoint; "invalid" on `from` more than 30 days back or in the future
 */
export async function replayEndpoint(table: Table, spId: string, endpointId: string, from: Date): Promise<Endpoint> {
  const endpoint = await requireEndpoint(table, spId, endpointId);
  const back = table.clock.now().getTime() - from.getTime();
  if (back < -aboutNow) throw invalid({ "body.from": { message: "must not be in the future" } });
  if (back > maxReplayMs) throw invalid({ "body.from": { message: "must be within the last 30 days" } });
  await Promise.all(
    shardNumbers.map(async (shard) => {
      const pk = eventsPartition(spId, shard);
      // What waits for its place was stored before.
      const head = await sequenceEvents(table, pk, table.clock);
      const since = new Date(
        from.getTime() - (back > aboutNow ? margin.past : margin.now) + eventRetentionSeconds * 1_000,
      );
      const seq = back <= 0 ? head.seq : (await findFirstRetainedEvent(table, pk, head, since)) - 1;
      await resetPosition(table, endpointId, shard, seq, head.seq);
    }),
  );
  // By its positions all failures are forgotten.
  await closeCircuit(table, endpointId);
  if (endpoint.enabled) await hastenDeliveries(endpoint);
  return endpoint;
}
