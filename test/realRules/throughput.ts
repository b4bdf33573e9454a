import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import type { Dice } from "../../shared/pos/sandbox/dice.ts";
import type { RawItem } from "../../shared/table/client.ts";
import { tableIndexes } from "../../shared/table/schema.ts";
import type { Figures } from "./figures.ts";
import type { Scheduler } from "./scheduler.ts";

const indexes = Object.keys(tableIndexes);

/**
 * What partitions of the table and its indexes take in a second of virtual time, and bursts in which calls are refused
 * whatever they ask for. What a call takes is known once it is done; so it may take more than is left, and the next ones
 * wait until that is made up for.
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

  /** Which of the partitions refuse a call now: a write also where one of their indexes does not keep up. */
  refusals(kind: "read" | "write", partitions: readonly string[], chance: Dice): boolean[] {
    const { time } = this.#scheduler;
    if (chance.percent(this.#figures.throttled)) this.#burstUntil = time + chance.between(1, this.#figures.burst);
    const refused = partitions.map((partition) => {
      const places = kind === "write" ? [partition, ...indexes.map((index) => `${partition} ${index}`)] : [partition];
      return places.some((place) => this.#unitsLeft(kind, place) <= 0);
    });
    // Not all in a burst: some calls get through, and of a transaction it is one item that doesn't.
    if (time < this.#burstUntil && chance.percent(70)) refused[chance.between(0, partitions.length - 1)] = true;
    return refused;
  }

  take(kind: "read" | "write", partition: string, units: number): void {
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

/** Units of a read of so many bytes; half as many where it need not be consistent. */
export function readUnitsOf(bytes: number, isConsistent: boolean): number {
  return Math.max(1, Math.ceil(bytes / 4_096)) / (isConsistent ? 1 : 2);
}

export function writeUnitsOf(bytes: number, isTransaction: boolean): number {
  return Math.max(1, Math.ceil(bytes / 1_024)) * (isTransaction ? 2 : 1);
}

/** An item's size as DynamoDB counts it, a few bytes more or less. */
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
