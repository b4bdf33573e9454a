import type { Dice } from "../../../shared/pos/sandbox/dice.ts";
import type { RawItem } from "../../../shared/store/client.ts";
import { tableIndexes } from "../../../shared/store/schema.ts";
import type { Figures } from "./figures.ts";
import type { ItemName } from "./items.ts";
import { type Scheduler, someOf } from "./scheduler.ts";

/** The nodes that hold a partition. The first takes its writes and answers consistent reads; the others follow. */
export const nodes = ["leader", "second", "third"] as const;
const indexes = Object.keys(tableIndexes);

/** A former state of an item, if it existed, and the time since which each copy shows it. */
interface Version {
  item: RawItem | undefined;
  shown: Record<string, number>;
}

/**
 * The states that nodes and indexes show of recently changed items. Each copy applies each change at its own time, or
 * skips it for a later one. So a copy never goes back, but copies differ, and items overtake each other.
 */
export class Versions {
  readonly #figures: Figures;
  readonly #scheduler: Scheduler;
  readonly #partitions = new Map<string, Map<string, Version[]>>();

  constructor(figures: Figures, scheduler: Scheduler) {
    this.#figures = figures;
    this.#scheduler = scheduler;
  }

  /** Epoch milliseconds. */
  get now(): number {
    return this.#scheduler.time;
  }

  get areKept(): boolean {
    const { tableLag, indexLag, commitWindow } = this.#figures;
    return tableLag > 0 || indexLag > 0 || commitWindow > 0;
  }

  /** The last recorded state of an item; undefined without recent changes. */
  last({ table, pk, sk }: ItemName): { item: RawItem | undefined } | undefined {
    return this.#partitions.get(`${table}\n${pk}`)?.get(sk)?.at(-1);
  }

  /**
   * Records a commit.
   *
   * @param before the earlier state of the item, if it is not recorded yet
   * @param delay until the leader shows it
   */
  add(name: ItemName, before: RawItem | undefined, after: RawItem | undefined, delay: number, chance: Dice): void {
    const id = `${name.table}\n${name.pk}`;
    const items = this.#partitions.get(id) ?? new Map<string, Version[]>();
    this.#partitions.set(id, items);
    const versions = items.get(name.sk) ?? [{ item: before, shown: {} }];
    items.set(name.sk, versions);
    const shown: Record<string, number> = { leader: this.#scheduler.time + delay };
    for (const copy of [...nodes.slice(1), ...indexes]) {
      const lag = this.#lag(chance, indexes.includes(copy) ? this.#figures.indexLag : this.#figures.tableLag);
      shown[copy] = this.#scheduler.time + delay + lag;
    }
    versions.push({ item: after, shown });
  }

  /** The outdated items that a copy still shows of a partition, by range key. */
  late(table: string, pk: string, copy: string): Map<string, RawItem | undefined> {
    const late = new Map<string, RawItem | undefined>();
    const items = this.#partitions.get(`${table}\n${pk}`);
    const now = this.#scheduler.time;
    for (const [sk, versions] of items ?? []) {
      while (versions[1] && Object.values(versions[1].shown).every((since) => since <= now)) versions.shift();
      if (versions.length === 1) items?.delete(sk);
      const seen = versions.findLast(({ shown }) => (shown[copy] ?? 0) <= now);
      if (seen && seen !== versions.at(-1)) late.set(sk, seen.item);
    }
    return late;
  }

  #lag(chance: Dice, most: number): number {
    return chance.percent(90) ? chance.between(0, Math.min(most, this.#figures.usualLag)) : someOf(chance, most);
  }
}
