import { handler as getCustomer } from "../../../functions/customers/getCustomer.ts";
import { recordKey, recordList } from "../../../shared/store/keys/orderedLists.ts";
import { readPage } from "../../../shared/store/orderedList/readPage.ts";
import type { Bench } from "../bench.ts";
import { costOf } from "../capacity.ts";
import { compare } from "../compare.ts";
import { callOf } from "../data/business.ts";
import { Floor } from "../floor.ts";

/** Measures one customer by id, from event to response. */
export async function record(bench: Bench): Promise<void> {
  const business = await bench.data.customers(bench.records);
  const list = recordList(business.crbId, "customer");
  const page = await readPage(bench.table, list, { offset: bench.records >> 1, limit: 1 }, { attribute: "sk" });
  const customer_id = page.records[0] ?? "";
  const service = callOf(getCustomer, business, "/customers/{customer_id}", { ids: { customer_id } });
  const floor = new Floor(bench.table, business);
  bench.progress("Timing a record");
  const { milliseconds, ratio } = await compare(
    { service, floor: () => floor.record(recordKey(list, customer_id)) },
    { rounds: 25, calls: 30, warmUp: 12 },
  );
  const name = "Customer by id, from event to answer";
  bench.figure(`${name}: time`, milliseconds.service, "ms");
  bench.figure(`${name}: against the authorization's read and GetItem`, ratio("service", "floor"), "times", {
    atMost: 1.3,
  });
  const { roundTrips } = await costOf(bench.table.client, service);
  bench.figure(`${name}: round trips in sequence`, roundTrips, "round trips", { atMost: 2 });
}
