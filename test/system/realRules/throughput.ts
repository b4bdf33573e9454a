import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import type { Dice } from "../../../shared/pos/sandbox/dice.ts";
import type { RawItem } from "../../../shared/store/client.ts";
import type { Figures } from "./figures.ts";
import type { Scheduler } from "./scheduler.ts";

/** Write units for one item, by partition of the table and of its indexes. */
export type WriteUnits = ReadonlyMap<string, number>;

/**
 * Grants the units that each partition of the table and its indexes has in a second of virtual time. It keeps no unused
 * units for later: DynamoDB keeps five minutes of them, but promises none. In a burst of throttling it rejects calls
 * whatever they need.
 *
 * A write is rejected if it needs more than its partition has left, so one that needs more than a second's units never
 * goes through. The units of a read are known only afterwards: a read is rejected if its partition has nothing left.
 */
export class Throughput {
  readonly #figures: Figures;
  readonly #scheduler: Scheduler;
  readonly #left = new Map<string, { units: number; at: number }>();
  #burstUntil = 0;

  constructor(figures: Figures, scheduler: Scheduler) {
    this.#figures = figures;
    this.#scheduler = scheduler;
  }

  /** Whether writes have a bound, so that their sizes matter. */
  get hasWriteLimit(): boolean {
    return this.#figures.writeUnits !== Number.POSITIVE_INFINITY;
  }

  /** Which partitions reject a read now. */
  rejectReads(partitions: readonly string[], chance: Dice): boolean[] {
    return this.#throttle(
      partitions.map((partition) => this.hasNoReads(partition)),
      chance,
    );
  }

  hasNoReads(partition: string): boolean {
    return this.#unitsLeft("read", partition) <= 0;
  }

  takeRead(partition: string, units: number): void {
    this.#take("read", partition, units);
  }

  /** Grants the writes of a transaction all together or not at all. Returns which of them are rejected. */
  rejectTransaction(writes: readonly WriteUnits[], chance: Dice): boolean[] {
    const sums = new Map<string, number>();
    for (const [place, units] of writes.flatMap((write) => [...write])) {
      sums.set(place, (sums.get(place) ?? 0) + units);
    }
    const isShort = (place: string) => (sums.get(place) ?? 0) > this.#unitsLeft("write", place);
    const rejected = this.#throttle(
      writes.map((write) => [...write.keys()].some(isShort)),
      chance,
    );
    if (!rejected.some(Boolean)) for (const [place, units] of sums) this.#take("write", place, units);
    return rejected;
  }

  /** Grants writes one by one, in their order. Returns which of them are rejected. */
  rejectWrites(writes: readonly WriteUnits[], chance: Dice): boolean[] {
    const throttled = this.#throttle(
      writes.map(() => false),
      chance,
    );
    return writes.map((write, i) => {
      const places = [...write];
      if (throttled[i] || places.some(([place, units]) => units > this.#unitsLeft("write", place))) return true;
      for (const [place, units] of places) this.#take("write", place, units);
      return false;
    });
  }

  /** A burst does not throttle all: some calls pass, and of a transaction only one item is throttled. */
  #throttle(rejected: boolean[], chance: Dice): boolean[] {
    const { time } = this.#scheduler;
    if (chance.percent(this.#figures.throttled)) this.#burstUntil = time + chance.between(1, this.#figures.burst);
    if (time < this.#burstUntil && chance.percent(70)) rejected[chance.between(0, rejected.length - 1)] = true;
    return rejected;
  }

  #take(kind: "read" | "write", partition: string, units: number): void {
    const left = this.#unitsLeft(kind, partition) - units;
    this.#left.set(`${kind} ${partition}`, { units: left, at: this.#scheduler.time });
  }

  #unitsLeft(kind: "read" | "write", partition: string): number {
    const rate = kind === "read" ? this.#figures.readUnits : this.#figures.writeUnits;
    const { time } = this.#scheduler;
    const left = this.#left.get(`${kind} ${partition}`);
    if (!left || rate === Number.POSITIVE_INFINITY) return rate;
    return Math.min(rate, left.units + (rate * (time - left.at)) / 1_000);
  }
}

/** Read units for this number of bytes; half if the read may be eventually consistent. */
export function readUnitsOf(bytes: number, isConsistent: boolean): number {
  return Math.max(1, Math.ceil(bytes / 4_096)) / (isConsistent ? 1 : 2);
}

export function writeUnitsOf(bytes: number, isTransaction: boolean): number {
  return Math.max(1, Math.ceil(bytes / 1_024)) * (isTransaction ? 2 : 1);
}

/** An item's size as DynamoDB counts it, give or take a few bytes. */
export function bytesOf(item: RawItem): number {
  return Object.entries(item).reduce((sum, [name, value]) => sum + name.length + bytesOfValue(value), 0);
}

function bytesOfValue({ S, N, B, M, L, SS, NS, BS }: AttributeValue): number {
  if (S !== undefined) return Buffer.byteLength(S);
  if (N !== undefined) return Math.ceil(N.length / 2) + 1;
  if (B) return B.length;
  if (M) return 3 + bytesOf(M);
  if (L) return 3 + L.reduce((sum, value) => sum + 1 + bytesOfValue(value), 0);
  return [...(SS ?? []), ...(NS ?? []), ...(BS ?? [])].reduce((sum, { length }) => sum + length, 1);
}
