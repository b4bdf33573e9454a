import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { marshall } from "@aws-sdk/util-dynamodb";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import type { RandomGenerator } from "pure-rand/types/RandomGenerator";
import { type Item, itemId, type RawItem, Table } from "../../../shared/store/client.ts";
import type { Key } from "../../../shared/store/keys/key.ts";
import { type OrderedList, recordKey } from "../../../shared/store/keys/orderedLists.ts";
import { loadOrderState } from "../../../shared/store/orderedList/orderState.ts";
import { planMoves, segmentLeft } from "../../../shared/store/orderedList/planMoves.ts";
import { daysAgo, noonOf, pageSize } from "./fill.ts";

/** How often each record changes per day. */
const changesADay = 50;
const parallelWrites = 100;

/** Keeps in memory what plans write, without an engine. */
class PlannedTable extends Table {
  readonly items = new Map<string, Item>();

  override async transact(writes: TransactWriteItem[]): Promise<void> {
    for (const { Put, Delete } of writes) {
      if (Put?.Item) this.items.set(itemId(Put.Item as Item), Put.Item as Item);
      if (Delete?.Key) this.items.delete(itemId(Delete.Key as Key));
    }
  }

  override async batchGetRaw(keys: readonly Key[]): Promise<RawItem[]> {
    return keys.flatMap((key) => this.items.get(itemId(key)) ?? []).map((item) => marshall(item));
  }
}

/**
 * Brings a list to its state after busy days on which each of its records changed 50 times, each time in another order. Only
 * the planner computes the changes, in batches like those of `RecordWriter`; only the final state is stored. The records get
 * new positions and keep their content.
 */
export async function passBusyDays(
  table: Table,
  list: OrderedList,
  days: number,
  progress: (day: number) => void,
): Promise<void> {
  const order = list.orders.rank;
  const stored = await table.queryPartition(list.pk, { consistent: true });
  const records = stored.map(({ sk, rank }) => ({ id: sk, rank: rank as string }));
  const planned = new PlannedTable(table.name, table.client);
  const random = xoroshiro128plus(2);
  let state = await loadOrderState(
    table,
    order,
    records.map(({ rank }) => rank),
  );
  for (let day = 1; day <= days; day++) {
    progress(day);
    const to = daysAgo(-day);
    const now = noonOf(to).now();
    for (const page of pagesOfDay(random, records)) {
      const segment = ({ rank }: { rank: string }) => segmentLeft(order, rank);
      for (const batch of partsOf(page.toSorted((one, other) => segment(one).localeCompare(segment(other))))) {
        const leaving = batch.map(({ rank }) => rank);
        const moves = leaving.map((from) => ({ from, to }));
        const plan = planMoves(planned, await loadOrderState(planned, order, leaving, state), moves, now);
        await planned.transact(plan.writes);
        state = plan.next;
        for (const [i, record] of batch.entries()) record.rank = plan.ranks[i] ?? "";
      }
    }
  }
  for (const { pk, sk } of await table.queryPartition(order.slots, { consistent: true })) {
    if (!planned.items.has(itemId({ pk, sk }))) await table.delete({ pk, sk });
  }
  for (const item of planned.items.values()) await table.put(item);
  for (let i = 0; i < records.length; i += parallelWrites) {
    const some = records.slice(i, i + parallelWrites);
    await Promise.all(some.map(({ id, rank }) => table.update(recordKey(list, id), { rank })));
  }
}

/** The most records of a run that fit a transaction if each leaves a segment of another day. */
const perTransaction = 30;

function* partsOf<Element>(run: readonly Element[]): Generator<readonly Element[]> {
  for (let i = 0; i < run.length; i += perTransaction) yield run.slice(i, i + perTransaction);
}

/** The pages of a POS on a day on which all records change again and again. */
function* pagesOfDay<Element>(random: RandomGenerator, elements: readonly Element[]): Generator<Element[]> {
  for (let pass = 0; pass < changesADay; pass++) {
    const mixed = shuffled(random, elements);
    for (let i = 0; i < mixed.length; i += pageSize) yield mixed.slice(i, i + pageSize);
  }
}

/** The same elements in random order. */
export function shuffled<Element>(random: RandomGenerator, elements: readonly Element[]): Element[] {
  const left = [...elements];
  for (let i = left.length - 1; i > 0; i--) {
    const other = (random.next() >>> 0) % (i + 1);
    [left[i], left[other]] = [left[other] as Element, left[i] as Element];
  }
  return left;
}
