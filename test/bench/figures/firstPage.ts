import { handler as listCustomers } from "../../../functions/customers/listCustomers.ts";
import { recordList } from "../../../shared/store/keys/orderedLists.ts";
import type { Bench } from "../bench.ts";
import { costOf } from "../capacity.ts";
import { compare } from "../compare.ts";
import { callOf } from "../data/business.ts";
import { Floor, ranksOf } from "../floor.ts";

const limit = 1_000;

/** Measures the first page of 1,000 customers, from event to response. */
export async function firstPage(bench: Bench): Promise<void> {
  const business = await bench.data.customers(bench.records);
  const list = recordList(business.crbId, "customer");
  const ranks = await ranksOf(bench.table, list, 0, limit);
  const floor = new Floor(bench.table, business);
  const query = { limit };
  const service = callOf(listCustomers, business, "/customers", { query });
  bench.progress("Timing the first page");
  const { milliseconds, ratio } = await compare(
    { service, floor: () => floor.page(list, ranks) },
    { rounds: 25, calls: 4, warmUp: 10 },
  );
  const name = "First page of 1,000 customers, from event to answer";
  bench.figure(`${name}: time`, milliseconds.service, "ms");
  bench.figure(`${name}: against the floor`, ratio("service", "floor"), "times", { atMost: 1.3 });
  const { roundTrips, readUnits } = await costOf(bench.table.client, service);
  bench.figure(`${name}: round trips in sequence`, roundTrips, "round trips", { atMost: 4 });
  bench.figure(`${name}: read units, authorization included`, readUnits, "units");
}
