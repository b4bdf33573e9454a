import { handler as listInventory } from "../../../functions/inventory/listInventory.ts";
import { recordKey, recordList } from "../../../shared/store/keys/orderedLists.ts";
import { readPage } from "../../../shared/store/orderedList/readPage.ts";
import type { Bench } from "../bench.ts";
import { costOf } from "../capacity.ts";
import { compare } from "../compare.ts";
import { callOf } from "../data/business.ts";
import { Floor, ranksOf } from "../floor.ts";
import { peakMemoryOf } from "../memory/peakMemory.ts";

const limit = 1_000;

/** Measures a page of 1,000 inventory records with their products, each with another product. */
export async function expand(bench: Bench): Promise<void> {
  const business = await bench.data.inventory();
  const list = recordList(business.crbId, "inventory");
  const products = recordList(business.crbId, "product");
  const ranks = await ranksOf(bench.table, list, 0, limit);
  const { records } = await readPage(bench.table, list, { offset: 0, limit });
  const ids = new Set(records.map((record) => JSON.parse(record).product_id as string));
  const keys = [...ids].map((id) => recordKey(products, id));
  const floor = new Floor(bench.table, business);
  const query = { limit, expand: "true" };
  const service = callOf(listInventory, business, "/inventory", { query });
  const body = await service();

  bench.progress("Timing the inventory page with products");
  const { milliseconds, ratio } = await compare(
    { service, floor: () => floor.pageAnd(list, ranks, keys) },
    { rounds: 15, warmUp: 10 },
  );
  const name = "Inventory page of 1,000 with expand=true";
  bench.figure(`${name}: size of a record`, Buffer.byteLength(body) / limit, "bytes");
  bench.figure(`${name}: time`, milliseconds.service, "ms");
  bench.figure(`${name}: against the floor`, ratio("service", "floor"), "times", { atMost: 1.4 });
  const { roundTrips } = await costOf(bench.table.client, service);
  bench.figure(`${name}: round trips in sequence`, roundTrips, "round trips");
  const { peak } = await peakMemoryOf(new URL("../memory/pageWorker.ts", import.meta.url), { business });
  bench.figure(`${name}: peak resident memory of the function`, peak / 1024 ** 2, "MB", { atMost: 200 });
}
