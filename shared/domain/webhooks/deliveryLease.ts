import { randomUUID } from "node:crypto";
import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import type { DeliveryError } from "../../api/enumerations.ts";
import { type Condition, exists, type Item, type Table, tryConditionalWrite } from "../../store/client.ts";
import { webhookPositionKey } from "../../store/keys/webhooks.ts";
import { LeaseLostError } from "../../store/orderedList/fence.ts";
import type { Endpoint } from "./endpoint.ts";

/**
 * How long a lease stands when nobody renews it: the longest that events wait after a worker was killed. An attempt, and
 * what clocks may differ by, fit twice.
 */
export const deliveryLeaseMs = 30_000;

/** What was noted of the failures of the event that a position stands before. */
export interface DeliveryFailures {
  /** how many attempts have failed */
  attempt: number;
  /** ISO 8601, as the others: the first of them, the last, and when the next attempt is due */
  firstAt: string;
  lastAt: string;
  nextAt: string;
  error: DeliveryError;
  /** The endpoint's `configuredAt` then: once that is another one, they count no more. */
  configuredAt: string;
}

/** How far an endpoint has been told what a shard of the events holds, and who is at it. */
export interface DeliveryPosition {
  /** All places up to this one are delivered, or not wanted. */
  seq: number;
  /** Places behind it that were delivered together with an earlier one. */
  done: readonly number[];
  /**
   * What a replay delivers again, up to this place, is not merged: by the id of an event that a receiver has already it would
   * pass over others that it has not.
   */
  unmergedTo: number;
  /** Raised when the position is set anew: what was under way before moves it no more. */
  epoch: number;
  failures: DeliveryFailures | null;
  /** ISO 8601; null until something was delivered */
  lastDeliveredAt: string | null;
  /** A name that nobody has twice, and epoch milliseconds. */
  holder: string;
  heldUntil: number;
}

/** A position at which nothing has been delivered yet. */
export const newPosition = (seq: number): DeliveryPosition => ({
  seq,
  done: [],
  unmergedTo: 0,
  epoch: 0,
  failures: null,
  lastDeliveredAt: null,
  holder: "",
  heldUntil: 0,
});

export const toPosition = ({ pk, sk, ...position }: Item): DeliveryPosition => position as unknown as DeliveryPosition;

/** The failures of a position that still count; null where there are none. */
export const findCurrentFailures = (
  { failures }: Pick<DeliveryPosition, "failures">,
  { configuredAt }: Pick<Endpoint, "configuredAt">,
): DeliveryFailures | null => (failures?.configuredAt === configuredAt ? failures : null);

/** A position that is held: nobody else moves it forward meanwhile. */
export class DeliveryLease {
  position: DeliveryPosition;
  readonly #table: Table;
  readonly #endpointId: string;
  readonly #shard: number;

  private constructor(table: Table, endpointId: string, shard: number, position: DeliveryPosition) {
    this.#table = table;
    this.#endpointId = endpointId;
    this.#shard = shard;
    this.position = position;
  }

  /**
   * Takes a position that nobody holds.
   *
   * @param read as it was read
   * @returns undefined where somebody was faster
   */
  static async take(
    table: Table,
    endpointId: string,
    shard: number,
    read: DeliveryPosition,
  ): Promise<DeliveryLease | undefined> {
    const held = { ...read, holder: randomUUID(), heldUntil: table.clock.now().getTime() + deliveryLeaseMs };
    const values = { ":before": read.holder, ":held": read.heldUntil, ":epoch": read.epoch, ":seq": read.seq };
    const { done, item } = await table.change(
      webhookPositionKey(endpointId, shard),
      {
        expression: "SET holder = :holder, heldUntil = :until",
        values: { ...values, ":holder": held.holder, ":until": held.heldUntil },
      },
      "holder = :before AND heldUntil = :held AND epoch = :epoch AND seq = :seq",
    );
    // Of a call that was sent twice, since its answer got lost, the second one is refused.
    if (!done && item?.holder !== held.holder) return undefined;
    return new DeliveryLease(table, endpointId, shard, held);
  }

  /** Whether the lease stands long enough for something that takes so many milliseconds. */
  hasTimeFor(milliseconds: number): boolean {
    return this.position.heldUntil >= this.#table.clock.now().getTime() + milliseconds;
  }

  /** Until when it would be held, if it were renewed now. */
  get renewed(): number {
    return this.#table.clock.now().getTime() + deliveryLeaseMs;
  }

  /** What changes the position, for a transaction, in which it is refused once somebody else holds it. */
  write(change: Partial<DeliveryPosition>): TransactWriteItem {
    return this.#table.setWrite(webhookPositionKey(this.#endpointId, this.#shard), { ...change }, this.#stands);
  }

  /** Changes the position. @throws LeaseLostError */
  async set(change: Partial<DeliveryPosition>): Promise<void> {
    const write = this.#table.update(webhookPositionKey(this.#endpointId, this.#shard), { ...change }, this.#stands);
    if (!(await tryConditionalWrite(write))) throw new LeaseLostError("the position was taken over");
    this.position = { ...this.position, ...change };
  }

  /** Gives back what may have been set anew meanwhile, or be gone. */
  async release(): Promise<void> {
    const key = webhookPositionKey(this.#endpointId, this.#shard);
    const held = { expression: "holder = :holder", values: { ":holder": this.position.holder } };
    await tryConditionalWrite(this.#table.update(key, { heldUntil: 0 }, held));
  }

  get #stands(): Condition {
    const { holder, epoch, seq } = this.position;
    return {
      expression: "holder = :holder AND epoch = :epoch AND seq = :seq",
      values: { ":holder": holder, ":epoch": epoch, ":seq": seq },
    };
  }
}

/**
 * Sets a position anew, whoever holds it: events behind `seq` are delivered, again or not at all so far.
 *
 * @param last the place of the last event there is
 */
export async function resetPosition(
  table: Table,
  endpointId: string,
  shard: number,
  seq: number,
  last: number,
): Promise<void> {
  const values = { ":seq": seq, ":last": last, ":none": [], ":null": null, ":one": 1 };
  const expression = "SET seq = :seq, unmergedTo = :last, done = :none, failures = :null, epoch = epoch + :one";
  await table.change(webhookPositionKey(endpointId, shard), { expression, values }, exists.expression);
}
