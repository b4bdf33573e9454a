import { setCashCount } from "../../../shared/domain/deposits/cashCounts.ts";
import { listDeposits } from "../../../shared/domain/deposits/listDeposits.ts";
import { readReconciliation } from "../../../shared/domain/deposits/readReconciliation.ts";
import { readSettings } from "../../../shared/domain/deposits/settings.ts";
import { storeDeposits } from "../../../shared/domain/deposits/storeDeposits.ts";
import { readCrb } from "../../../shared/store/crbs.ts";
import { daysFrom, type Paid, storeSalesDays } from "../../shared/domain/deposits/givenDays.ts";
import { type Bench, count } from "../bench.ts";
import { costOf } from "../capacity.ts";
import { createBusiness } from "../data/business.ts";
import { daysAgo } from "../data/fill.ts";

const stored = 100_000;
const inBody = 1_000;
const daysOfYear = 365;
/** The days of the sales and deposits: five years up to yesterday. */
const dates = daysFrom(daysAgo(5 * daysOfYear), 5 * daysOfYear);
const paid: Paid = { cash: 412_345, debit: 123_456, credit: 99_887, multiple: 12_345, other: 4_321, unknown: 1_234 };

/** Measures a business with the maximum number of deposits: storing and listing them, and a year of reconciliation days. */
export async function deposits({ scratch: { table }, progress, figure }: Bench): Promise<void> {
  const name = `Deposits, ${count(stored)}`;
  progress(`${name}: storing`);
  const { crbId } = await createBusiness(table);
  const owner = { spId: (await readCrb(table, crbId))?.serviceProviderId ?? "", crbId };
  await storeSalesDays(table, crbId, Object.fromEntries(dates.map((date) => [date, paid])), daysAgo(1));
  const body = (first: number) =>
    Array.from({ length: inBody }, (_, i) => ({
      id: `${first + i}`,
      posted_date: dates[(first + i) % dates.length] ?? "",
      amount: 1_000 + ((first + i) % 997),
      type: i % 2 ? ("cash" as const) : ("card" as const),
    }));
  let writeUnits = 0;
  for (let first = 0; first < stored; first += inBody) {
    writeUnits = (await costOf(table.client, () => storeDeposits(table, owner, body(first)))).writeUnits;
  }
  if ((await readSettings(table, crbId)).deposits !== stored) throw new Error("not all deposits are stored");
  for (let i = 0; i < dates.length; i += 30)
    await setCashCount(table, owner, { date: dates[i] ?? "", amount: 800_000 });
  figure(`${name}: storing one, in a body of ${count(inBody)}`, writeUnits / inBody, "write units", { atMost: 5 });
  const again = await costOf(table.client, () => storeDeposits(table, owner, body(0)));
  figure(`${name}: the same body again`, again.writeUnits, "write units", { atMost: 0 });
  const page = await costOf(table.client, () => listDeposits(table, crbId, { limit: inBody }));
  if (page.result.records.length !== inBody) throw new Error(`${page.result.records.length} deposits on the page`);
  figure(`${name}: a page of ${count(inBody)}`, page.readUnits, "read units", { atMost: 50 });
  const year = { from: daysAgo(daysOfYear), to: daysAgo(1), limit: daysOfYear };
  const read = await costOf(table.client, () => readReconciliation(table, crbId, year));
  if (read.result.days.length !== daysOfYear) throw new Error(`${read.result.days.length} days in the year`);
  figure(`${name}: a year of reconciliation days, without authorization`, read.readUnits, "read units", { atMost: 15 });
}
