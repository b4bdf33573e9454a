import { handler as listCustomers } from "../../../functions/customers/listCustomers.ts";
import { recordList } from "../../../shared/store/keys/orderedLists.ts";
import type { Bench } from "../bench.ts";
import { costOf } from "../capacity.ts";
import { compare } from "../compare.ts";
import { callOf } from "../data/business.ts";
import { Floor, ranksOf } from "../floor.ts";
import { listCustomersByTheBook } from "../textbook.ts";

const limit = 1_000;

/** Measures the first page of 1,000 customers, from event to response. */
export async function firstPage(bench: Bench): Promise<void> {
  const business = await bench.data.customers(bench.records);
  const textbook = await bench.data.textbookCustomers(Math.min(bench.records, 10_000));
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
  // Separate from the floor and with few calls: it takes four times as long and leaves garbage that would slow the others
  // down.
  const byTheBook = await compare(
    {
      service,
      textbook: callOf((event) => listCustomersByTheBook(event, { total: false }), textbook, "/customers", { query }),
    },
    { rounds: 9, calls: 2 },
  );
  const name = "First page of 1,000 customers, from event to answer";
  bench.figure(`${name}: time`, milliseconds.service, "ms");
  bench.figure(`${name}: against the floor`, ratio("service", "floor"), "times", { atMost: 1.3 });
  const times = byTheBook.ratio("textbook", "service");
  bench.figure(`${name}: textbook handler (without a total) against it`, times, "times", { atLeast: 3 });
  const { roundTrips, readUnits } = await costOf(bench.table.client, service);
  bench.figure(`${name}: round trips in sequence`, roundTrips, "round trips", { atMost: 4 });
  bench.figure(`${name}: read units, authorization included`, readUnits, "units");
}
