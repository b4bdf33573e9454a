import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import type { WebhookDelivery } from "../../api/schemas/webhookEndpoint.ts";
import type { Table } from "../../store/client.ts";
import { commitWithEvents } from "../../store/eventLog/commitWithEvents.ts";
import { LeaseLostError } from "../../store/orderedList/fence.ts";
import { isUnmet, retryOnConflict } from "../../store/retryOnConflict.ts";
import { computeDeliveryRetryMs, maxTryingMs } from "./computeDeliveryRetryMs.ts";
import type { DeliveryFailures, DeliveryLease, DeliveryPosition } from "./deliveryLease.ts";
import { deliveryWrites, logDelivery } from "./deliveryLog.ts";
import { type Endpoint, endpointWrites, readEndpoint } from "./endpoint.ts";

// One transaction writes the new position and the attempt's entry in the delivery log. So the position never advances without a
// log entry, and no attempt is counted twice. If a replay or another worker has changed the position meanwhile, only the log
// entry is written.

/** The status with which a receiver declines all further deliveries (docs/spec.md#webhook-delivery). */
const gone = 410;

/** Records a delivery and advances the position. @throws LeaseLostError */
export async function recordDelivery(
  table: Table,
  endpoint: Pick<Endpoint, "id">,
  shard: number,
  lease: DeliveryLease,
  delivery: WebhookDelivery,
  reached: Pick<DeliveryPosition, "seq" | "done" | "heldUntil">,
): Promise<void> {
  const change = { ...reached, failures: null, lastDeliveredAt: delivery.date };
  const writes = [lease.write(change), ...deliveryWrites(table, endpoint.id, shard, delivery)];
  await transactAttempt(table, endpoint, shard, delivery, () => table.transact(writes));
  lease.position = { ...lease.position, ...change };
}

/**
 * Records a failed attempt and releases the lease. After three days of failures, or after a 410, it also disables the endpoint
 * and records the event `endpoint.disabled`. But an endpoint whose configuration has changed since the attempt stays enabled.
 *
 * @param before the earlier failures of the same event
 * @param reached the position directly before the failed event
 * @param random returns numbers from 0 to below 1
 * @returns milliseconds to the next attempt; null if the endpoint is disabled
 * @throws LeaseLostError
 */
export function recordFailure(
  table: Table,
  endpoint: Endpoint,
  shard: number,
  lease: DeliveryLease,
  failed: WebhookDelivery,
  before: DeliveryFailures | null,
  reached: Pick<DeliveryPosition, "seq" | "done">,
  random: () => number,
): Promise<number | null> {
  const { attempt, error } = failed;
  const { spId, id, configuredAt } = endpoint;
  const firstAt = before?.firstAt ?? failed.date;
  const pause = computeDeliveryRetryMs(attempt, random);
  const now = table.clock.now();
  const nextAt = new Date(now.getTime() + pause).toISOString();
  const isOver = failed.status_code === gone || now.getTime() - Date.parse(firstAt) >= maxTryingMs;
  const failures = { attempt, firstAt, lastAt: failed.date, nextAt, error: error ?? "refused", configuredAt };
  const writes = (next_attempt_date: string | null): TransactWriteItem[] => [
    lease.write({ ...reached, failures, heldUntil: 0 }),
    ...deliveryWrites(table, id, shard, { ...failed, next_attempt_date }),
  ];
  return transactAttempt(table, endpoint, shard, failed, async () => {
    const stored = isOver ? await readEndpoint(table, spId, id) : undefined;
    if (!stored?.enabled || stored.configuredAt !== configuredAt) {
      await table.transact(writes(nextAt));
      return pause;
    }
    const reason = failed.status_code === gone ? ("gone" as const) : ("failures" as const);
    const disabled = { ...stored, enabled: false, disabled: { reason, date: now.toISOString() } };
    const event = { type: "endpoint.disabled", spId, crbId: null, data: { endpoint_id: id, reason } } as const;
    const change = { writes: [...writes(null), ...endpointWrites(table, stored, disabled)], events: [event] };
    await commitWithEvents(table, change, table.clock);
    return null;
  });
}

/**
 * Stores an attempt with its result. If the lease is lost, stores only the log entry, so that the log has every attempt.
 *
 * @param transact runs a transaction that stores the attempt; the first write of the transaction must fail if the lease is lost
 * @throws LeaseLostError
 */
function transactAttempt<T>(
  table: Table,
  { id }: Pick<Endpoint, "id">,
  shard: number,
  made: WebhookDelivery,
  transact: () => Promise<T>,
): Promise<T> {
  return retryOnConflict(table.clock, async () => {
    try {
      return await transact();
    } catch (error) {
      if (!isUnmet(error, 0)) throw error;
    }
    await logDelivery(table, id, shard, made);
    throw new LeaseLostError("the position was taken over");
  });
}
