import type { Table } from "../../../shared/store/client.ts";
import { streamInventoryInStock } from "../../../shared/store/inventory.ts";
import { outboxPartition } from "../../../shared/store/keys/inventory.ts";
import { locationInventoryList, type OrderedList, recordList } from "../../../shared/store/keys/orderedLists.ts";
import { readPage } from "../../../shared/store/orderedList/readPage.ts";
import { recordId } from "../../../shared/store/recordId.ts";
import { type Bench, count } from "../bench.ts";
import { createBusiness } from "../data/business.ts";
import { roomMaker, rooms, roomsOfPackage } from "../data/records.ts";
import { peakMemoryOf } from "../memory/peakMemory.ts";

/** Measures the worker's memory while a tenth of a business's inventory vanishes, over several workers. */
export async function vanished({ scratch, records, progress, figure }: Bench): Promise<void> {
  progress(`Replicating ${count(records)} packages in a process of its own, while a tenth vanishes`);
  const { connection, crbId } = await createBusiness(scratch.table);
  const started = performance.now();
  const { peak, gone, workers } = await peakMemoryOf<{ gone: number; workers: number }>(
    new URL("../memory/vanishedWorker.ts", import.meta.url),
    { connection, records },
    scratch.environment,
  );
  const seconds = (performance.now() - started) / 1_000;
  progress("Counting what has vanished");
  const lists = Array.from({ length: rooms }, (_, room) => {
    const id = recordId(crbId, "location", connection.posType, roomMaker(room, 0).pos_location_id);
    return locationInventoryList(crbId, id);
  });
  const places = (isCounted: (index: number) => boolean) => {
    let sum = 0;
    for (let index = 0; index < records; index++) if (isCounted(index)) sum += roomsOfPackage(index);
    return sum;
  };
  expectEqual("inventory", await stockOf(scratch.table, [recordList(crbId, "inventory")]), { all: records, gone });
  expectEqual("inventory of the rooms", await stockOf(scratch.table, lists), {
    all: places(() => true),
    gone: places((index) => index % 10 === 9),
  });
  let present = 0;
  for await (const part of streamInventoryInStock(scratch.table, crbId)) present += part.length;
  const outbox = await scratch.table.queryPartition(outboxPartition(crbId), { consistent: true });
  expectEqual("what leads to it", { present, outbox: outbox.length }, { present: records - gone, outbox: 0 });
  const name = `Worker that replicates ${count(records)} packages, while a tenth vanishes`;
  figure(`${name}: peak resident memory`, peak / 1024 ** 2, "MB", { atMost: 256 });
  figure(`${name}: workers of the second run`, workers, "workers", { atLeast: 2 });
  figure(`${name}: time`, seconds, "s");
}

/** The number of records in lists, and the number of those with quantity 0. */
async function stockOf(table: Table, lists: readonly OrderedList[]): Promise<{ all: number; gone: number }> {
  const sums = { all: 0, gone: 0 };
  for (const list of lists) {
    for (let offset = 0, total = 1; offset < total; offset += 1_000) {
      const page = await readPage(table, list, { offset, limit: 1_000 });
      total = page.total;
      sums.all += page.records.length;
      sums.gone += page.records.filter((record) => JSON.parse(record).total_quantity === 0).length;
    }
  }
  return sums;
}

function expectEqual(name: string, found: object, expected: object): void {
  const [one, other] = [JSON.stringify(found), JSON.stringify(expected)];
  if (one !== other) throw new Error(`${name}: ${one} instead of ${other}`);
}
