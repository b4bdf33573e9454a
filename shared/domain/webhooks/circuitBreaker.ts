import { randomUUID } from "node:crypto";
import { type Item, type Table, tryConditionalWrite } from "../../store/client.ts";
import { circuitBreakerKey } from "../../store/keys/webhooks.ts";
import { deliveryLeaseMs } from "./deliveryLease.ts";
import type { Endpoint } from "./endpoint.ts";

// After a failed attempt, an endpoint gets only one attempt at a time, across all its shards, until an attempt succeeds. So an
// endpoint that does not respond occupies only one worker. An event that the endpoint never accepts blocks only the event's
// shard. The circuit breaker only limits concurrent attempts; the order and completeness of deliveries do not depend on it.

const keptSeconds = 7 * 24 * 3_600;

/** Whether the endpoint gets only one attempt at a time. */
export const isCircuitOpen = (
  trouble: Item | undefined,
  { configuredAt }: Pick<Endpoint, "configuredAt">,
): trouble is Item => trouble?.configuredAt === configuredAt;

/** Whether a worker holds the probe at `now`. */
export const isProbing = (trouble: Item, now: Date): boolean => Number(trouble.heldUntil) > now.getTime();

/** The exclusive right to attempt a delivery while the circuit breaker is open. */
export class DeliveryProbe {
  readonly #table: Table;
  readonly #endpointId: string;
  readonly #holder: string;

  private constructor(table: Table, endpointId: string, holder: string) {
    this.#table = table;
    this.#endpointId = endpointId;
    this.#holder = holder;
  }

  /** Acquires the probe. @returns undefined if another worker holds it */
  static async take(table: Table, endpointId: string, trouble: Item): Promise<DeliveryProbe | undefined> {
    const now = table.clock.now();
    if (isProbing(trouble, now)) return undefined;
    const holder = randomUUID();
    const { done, item } = await table.change(
      circuitBreakerKey(endpointId),
      {
        expression: "SET holder = :holder, heldUntil = :until",
        values: { ":holder": holder, ":until": now.getTime() + deliveryLeaseMs, ":before": trouble.holder },
      },
      "holder = :before",
    );
    // If the first response was lost, the SDK sends the update again, and DynamoDB rejects the second update. The stored holder
    // shows that the first update succeeded.
    return done || item?.holder === holder ? new DeliveryProbe(table, endpointId, holder) : undefined;
  }

  async release(): Promise<void> {
    await this.#table.change(
      circuitBreakerKey(this.#endpointId),
      { expression: "SET heldUntil = :none", values: { ":none": 0, ":holder": this.#holder } },
      "holder = :holder",
    );
  }

  /** Closes the circuit breaker after a successful attempt, unless the probe has another holder by now. */
  async recordSuccess(): Promise<void> {
    const mine = { expression: "holder = :holder", values: { ":holder": this.#holder } };
    await tryConditionalWrite(this.#table.delete(circuitBreakerKey(this.#endpointId), mine));
  }
}

/**
 * Closes the circuit breaker until the next failure. A replay calls this function, because it resets all positions and
 * failures.
 */
export const closeCircuit = (table: Table, endpointId: string): Promise<void> =>
  table.delete(circuitBreakerKey(endpointId));

/**
 * Opens the circuit breaker after a failed attempt. If the attempt was made with the probe, releases the probe instead. A
 * failed attempt that began before the circuit breaker opened does not change the breaker or its probe.
 */
export async function recordCircuitFailure(
  table: Table,
  { id, configuredAt }: Pick<Endpoint, "id" | "configuredAt">,
  probe: DeliveryProbe | undefined,
): Promise<void> {
  if (probe) return probe.release();
  // The item has an expiry, because the deletion of an endpoint does not delete this item.
  const expires = Math.floor(table.clock.now().getTime() / 1_000) + keptSeconds;
  const values = { ":configured": configuredAt, ":holder": randomUUID(), ":none": 0, ":expires": expires };
  await table.change(
    circuitBreakerKey(id),
    { expression: "SET configuredAt = :configured, holder = :holder, heldUntil = :none, expires = :expires", values },
    "attribute_not_exists(pk) OR configuredAt <> :configured",
  );
}
