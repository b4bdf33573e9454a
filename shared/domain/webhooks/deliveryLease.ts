import { randomUUID } from "node:crypto";
import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import type { DeliveryError } from "../../api/enumerations.ts";
import { type Condition, exists, type Item, type Table, tryConditionalWrite } from "../../store/client.ts";
import { webhookPositionKey } from "../../store/keys/webhooks.ts";
import { LeaseLostError } from "../../store/orderedList/fence.ts";
import type { Endpoint } from "./endpoint.ts";

/**
 * Lease duration without renewal. After a worker is killed, events wait at most this long for the next worker. The duration
 * covers two attempts and the clock offset between two workers.
 */
export const deliveryLeaseMs = 30_000;

/** The failed attempts to deliver the first event after a position. */
export interface DeliveryFailures {
  /** number of failed attempts */
  attempt: number;
  /** ISO 8601: first failure, last failure (`lastAt`), next attempt (`nextAt`). */
  firstAt: string;
  lastAt: string;
  nextAt: string;
  error: DeliveryError;
  /**
   * The endpoint's `configuredAt` at the time of the failures. If the endpoint was configured again, the failures do not count.
   */
  configuredAt: string;
}

/** An endpoint's delivery position in one shard, and its lease. */
export interface DeliveryPosition {
  /** All events up to this sequence number are delivered or not wanted. */
  seq: number;
  /** Sequence numbers after `seq` whose events are already delivered, because they were merged with an earlier event. */
  done: readonly number[];
  /**
   * Events up to this sequence number are delivered without merging, because a replay delivers them again. A merged delivery
   * has the id of its last event. A receiver that already knows this id would skip the delivery with all its events.
   */
  unmergedTo: number;
  /**
   * A replay raises this number when it resets the position, so that deliveries in progress cannot move the position any more.
   */
  epoch: number;
  failures: DeliveryFailures | null;
  /** ISO 8601; null before the first delivery */
  lastDeliveredAt: string | null;
  /** A unique id of the lease; `heldUntil` is in epoch milliseconds. */
  holder: string;
  heldUntil: number;
}

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

/** The failures with the endpoint's present configuration; null if there are none. */
export const findCurrentFailures = (
  { failures }: Pick<DeliveryPosition, "failures">,
  { configuredAt }: Pick<Endpoint, "configuredAt">,
): DeliveryFailures | null => (failures?.configuredAt === configuredAt ? failures : null);

/** A leased position. No other worker advances it. */
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
   * Acquires the lease on a position. The caller checks that no other worker has the lease.
   *
   * @param read the position as the caller has read it
   * @returns undefined if the position or its lease has changed since the read
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
    // If the first response was lost, the SDK sends the update again, and DynamoDB rejects the second update. The stored holder
    // shows that the first update succeeded.
    if (!done && item?.holder !== held.holder) return undefined;
    return new DeliveryLease(table, endpointId, shard, held);
  }

  /** Whether the lease lasts at least this long. */
  hasTimeFor(milliseconds: number): boolean {
    return this.position.heldUntil >= this.#table.clock.now().getTime() + milliseconds;
  }

  /** The expiry of the lease if it were renewed now, epoch milliseconds. */
  get renewed(): number {
    return this.#table.clock.now().getTime() + deliveryLeaseMs;
  }

  /** A write that changes the position. The transaction fails if the lease is lost. */
  write(change: Partial<DeliveryPosition>): TransactWriteItem {
    return this.#table.setWrite(webhookPositionKey(this.#endpointId, this.#shard), { ...change }, this.#stands);
  }

  /** Changes the position. @throws LeaseLostError */
  async set(change: Partial<DeliveryPosition>): Promise<void> {
    const write = this.#table.update(webhookPositionKey(this.#endpointId, this.#shard), { ...change }, this.#stands);
    if (!(await tryConditionalWrite(write))) throw new LeaseLostError("the position was taken over");
    this.position = { ...this.position, ...change };
  }

  /** Releases the lease. Does nothing if another worker holds it or the position is deleted. */
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
 * Resets a position, even if a worker has its lease. All events after `seq` are then delivered, including events that were
 * delivered before.
 *
 * @param last the sequence number of the shard's last event
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
