import { handler as searchCustomers } from "../../../functions/customers/searchCustomers.ts";
import { type Bench, count, listSizes } from "../bench.ts";
import { bytesPerUnit, costOf } from "../capacity.ts";
import { callOf } from "../data/business.ts";
import { emailOf, sharedName } from "../data/records.ts";

/** The size of a customer's index entry. */
const entryBytes = 54;

/** Measures searches for customers by e-mail address and by a common first name, including the read of the authorization. */
export async function search(bench: Bench): Promise<void> {
  for (const records of listSizes(bench.records, 1_000)) {
    const business = await bench.data.customers(records);
    const read = (query: Record<string, string | number>) =>
      costOf(bench.table.client, callOf(searchCustomers, business, "/customers-search", { query }));
    const byEmail = await read({ email: emailOf(records >> 1) });
    const byName = await read({ first_name: sharedName.name, limit: 100 });
    const matches = records * sharedName.share;
    const totals = [byEmail, byName].map(({ result }) => JSON.parse(result).metadata.total);
    if (totals[0] !== 1 || totals[1] !== matches) throw new Error(`found ${totals} customers`);
    if (records !== bench.records) continue;
    const name = `Customer search, N = ${count(records)}`;
    bench.figure(`${name}: by e-mail`, byEmail.readUnits, "units", { atMost: 5 });
    bench.figure(`${name}: by a first name that 1 % share, page of 100`, byName.readUnits, "units", {
      // The authorization, the day index and 100 records take 54 units. The total counts the entries of all matches.
      atMost: 56 + (matches * entryBytes) / bytesPerUnit,
    });
    bench.figure(`${name}: round trips in sequence`, byName.roundTrips, "round trips");
  }
}
