import type { Item, PartitionQuery, Table } from "../../../shared/store/client.ts";
import { createTestTable, testTableOf } from "../../testTable.ts";
import { bareEngine, type Figures } from "./figures.ts";
import { RealRules } from "./realRules.ts";

export const pk = "LIST";
export const key = (sk: string) => ({ pk, sk });

let shared: Promise<Table> | undefined;

/** A table with the given items and only the given rules. */
export async function worldWith(figures: Partial<Figures>, items: readonly Item[] = [], seed: string | number = 1) {
  shared ??= createTestTable();
  const world = new RealRules({ seed, stalls: 0, skew: 0, ...bareEngine, ...figures });
  const table = testTableOf(await shared, world.clock);
  for (const { sk } of await table.queryPartition(pk)) await table.delete(key(sk));
  for (const item of items) await table.put(item);
  world.attach(table);
  return { world, table };
}

/** Writes a value into several items in one transaction. */
export function writeAll(table: Table, sks: readonly string[], value: number, more: Record<string, unknown> = {}) {
  return table.transact(sks.map((sk) => table.putWrite({ ...key(sk), value, ...more })));
}

/** The list's items in order, by a query. */
export async function valuesBy(table: Table, query: PartitionQuery = {}) {
  const items = await table.queryRaw(pk, query);
  return items.map((item) => Number(item.value?.N));
}

/** The results for a number of seeds. */
export async function overSeeds<T>(count: number, run: (seed: number) => Promise<T>): Promise<T[]> {
  const found: T[] = [];
  for (let seed = 1; seed <= count; seed++) found.push(await run(seed));
  return found;
}
