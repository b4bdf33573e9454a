import { randomUUID } from "node:crypto";
import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import type { DeliveryError } from "../../api/enumerations.ts";
import { type Condition, exists, type Item, type Table, tryConditionalWrite } from "../../store/client.ts";
import { webhookPositionKey } from "../../store/keys/webhooks.ts";
import { LeaseLostError } from "../../store/orderedList/fence.ts";
import type { Endpoint } from "./endpoint.ts";

/**
 * Lease duration without renewal. After a worker is killed, events wait at most this long. Two attempts and the clock offset
 * fit into it.
 */
export const deliveryLeaseMs = 30_000;

/** The failures of the first event after a position. */
export interface DeliveryFailures {
  /** number of failed attempts */
  attempt: number;
  /** ISO 8601: first failure, last failure (`lastAt`), next attempt (`nextAt`). */
  firstAt: string;
  lastAt: string;
  nextAt: string;
  error: DeliveryError;
  /** The endpoint's `configuredAt` at that time. If the endpoint has another one now, these failures no longer count. */
  configuredAt: string;
}

/** An endpoint's delivery position in one shard, and its lease. */
export interface DeliveryPosition {
  /** All events up to this sequence number are delivered or not wanted. */
  seq: number;
  /** Sequence numbers after `seq` that were delivered, merged with an earlier event. */
  done: readonly number[];
  /**
   * A replay does not merge events up to this sequence number. A receiver that already has the last event's id would skip the
   * events merged into it.
   */
  unmergedTo: number;
  /** Raised when a replay resets the position, so that deliveries in progress no longer move it. */
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

/** The failures that count for the endpoint's present configuration; null if there are none. */
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
   * Acquires the lease on a position that no worker holds.
   *
   * @param read the position as read before
   * @returns undefined if the position has changed since
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
    // If the SDK sent the update twice because the response was lost, DynamoDB rejects the second one.
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
 * Resets a position, even a leased one. Events after `seq` are delivered, some of them perhaps again.
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
