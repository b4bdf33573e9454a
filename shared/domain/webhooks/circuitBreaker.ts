import { randomUUID } from "node:crypto";
import { type Item, type Table, tryConditionalWrite } from "../../store/client.ts";
import { circuitBreakerKey } from "../../store/keys/webhooks.ts";
import { deliveryLeaseMs } from "./deliveryLease.ts";
import type { Endpoint } from "./endpoint.ts";

// An endpoint of which an attempt has failed has one attempt at a time, of whichever shard, until one succeeds. So one that
// hangs holds a single worker, and an event that it can never take holds up no shard but its own. It bounds what workers do
// at once; nothing else rests on it.

const keptSeconds = 7 * 24 * 3_600;

/** Whether an endpoint, as its item tells, has one attempt at a time. */
export const isCircuitOpen = (
  trouble: Item | undefined,
  { configuredAt }: Pick<Endpoint, "configuredAt">,
): trouble is Item => trouble?.configuredAt === configuredAt;

/** Whether its attempt is being made, at an instant. */
export const isProbing = (trouble: Item, now: Date): boolean => Number(trouble.heldUntil) > now.getTime();

/** The one attempt that an endpoint in trouble has. */
export class DeliveryProbe {
  readonly #table: Table;
  readonly #endpointId: string;
  readonly #holder: string;

  private constructor(table: Table, endpointId: string, holder: string) {
    this.#table = table;
    this.#endpointId = endpointId;
    this.#holder = holder;
  }

  /** Takes it. @returns undefined where somebody else has it */
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
    // Of a call that was sent twice, since its answer got lost, the second one is refused.
    return done || item?.holder === holder ? new DeliveryProbe(table, endpointId, holder) : undefined;
  }

  /** Gives it back to the next. */
  async release(): Promise<void> {
    await this.#table.change(
      circuitBreakerKey(this.#endpointId),
      { expression: "SET heldUntil = :none", values: { ":none": 0, ":holder": this.#holder } },
      "holder = :holder",
    );
  }

  /** It succeeded: there is no trouble any more, unless another attempt has failed meanwhile. */
  async recordSuccess(): Promise<void> {
    const mine = { expression: "holder = :holder", values: { ":holder": this.#holder } };
    await tryConditionalWrite(this.#table.delete(circuitBreakerKey(this.#endpointId), mine));
  }
}

/** What has failed is not to be delivered any more: there is no trouble until the next attempt fails. */
export const closeCircuit = (table: Table, endpointId: string): Promise<void> =>
  table.delete(circuitBreakerKey(endpointId));

/**
 * Notes that an attempt has failed, and gives the one attempt back where it was that; of those that were begun before, none takes
 * it from its holder.
 */
export async function recordCircuitFailure(
  table: Table,
  { id, configuredAt }: Pick<Endpoint, "id" | "configuredAt">,
  probe: DeliveryProbe | undefined,
): Promise<void> {
  if (probe) return probe.release();
  // Nobody takes away what the last one leaves of an endpoint that is deleted.
  const expires = Math.floor(table.clock.now().getTime() / 1_000) + keptSeconds;
  const values = { ":configured": configuredAt, ":holder": randomUUID(), ":none": 0, ":expires": expires };
  await table.change(
    circuitBreakerKey(id),
    { expression: "SET configuredAt = :configured, holder = :holder, heldUntil = :none, expires = :expires", values },
    "attribute_not_exists(pk) OR configuredAt <> :configured",
  );
}
