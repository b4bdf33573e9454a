import { expect, test } from "vitest";
import type { DepositRequest } from "../../../shared/api/schemas/deposit.ts";
import type { ReconciliationDay } from "../../../shared/api/schemas/reconciliation.ts";
import { setCashCount } from "../../../shared/domain/deposits/cashCounts.ts";
import { type DaySums, yearWrite } from "../../../shared/domain/deposits/daySums.ts";
import { readReconciliation } from "../../../shared/domain/deposits/readReconciliation.ts";
import { storeDeposits } from "../../../shared/domain/deposits/storeDeposits.ts";
import { changeCrb } from "../../../shared/store/crbs.ts";
import { reconciliationSettingsKey } from "../../../shared/store/keys/deposits.ts";
import { replicationKey } from "../../../shared/store/keys/replication.ts";
import { addDays } from "../../../shared/time/addDays.ts";
import { countReadUnits } from "../../readUnits.ts";
import { daysFrom, type Paid, storeSalesDays } from "../../shared/domain/deposits/givenDays.ts";
import { testTableOf } from "../../testTable.ts";
import { isThorough } from "../../thorough.ts";
import { useTestTable } from "../../useTestTable.ts";
import { cash, givenDepositor } from "./callDeposits.ts";

const table = useTestTable();

const usual: Paid = { cash: 200_000, debit: 50_000, other: 3_000 };
const paidOn = (days: readonly string[], paid: Paid = usual) => Object.fromEntries(days.map((day) => [day, paid]));

test("days have the sales, the deposits and the balance since the last count", async () => {
  const { crbId, store, count, days, uncount } = await givenDepositor(table());
  const dates = daysFrom("2026-02-26", 6);
  await storeSalesDays(table(), crbId, paidOn(dates), "2026-03-02");
  await count("2026-02-27", 50_000);
  await store(
    cash("1", "2026-03-02", 400_000, { business_date: "2026-03-01" }),
    cash("2", "2026-03-02", 9_000_000, { excluded_reason: "loan" }),
    cash("3", "2026-03-02", 48_000, { type: "card" }),
    cash("4", "2026-02-25", 1_000),
  );
  const read = await days();
  const shown = read.map(({ date, balance_low, balance_high, cash_deposited, card_settled, status }) => [
    ...[date, balance_low, balance_high, cash_deposited, card_settled, status],
  ]);
  expect(shown).toEqual([
    ["2026-02-25", null, null, 1_000, 0, "not_compared"],
    ["2026-02-26", null, null, 0, 0, "no_balance"],
    ["2026-02-27", 50_000, 50_000, 0, 0, "within"],
    ["2026-02-28", 250_000, 253_000, 0, 0, "within"],
    ["2026-03-01", 50_000, 56_000, 400_000, 0, "within"],
    ["2026-03-02", 250_000, 259_000, 0, 48_000, "within"],
    ["2026-03-03", 450_000, 462_000, 0, 0, "not_compared"],
  ]);
  expect(read.map(({ revision }) => revision)).toEqual([1, 0, 1, 0, 1, 1, 0]);
  await uncount("2026-02-27");
  expect((await days()).map(({ status }) => status)).toEqual([
    "not_compared",
    ...Array.from({ length: 5 }, () => "no_balance"),
    "not_compared",
  ]);
});

test("after a move to another time zone no day is compared until the sales are read again", async () => {
  const { crbId, count, days } = await givenDepositor(table());
  const dates = daysFrom("2026-02-02", 5);
  await storeSalesDays(table(), crbId, paidOn(dates), dates.at(-1) ?? "");
  await count("2026-02-02", 0);
  const before = await days();
  expect(new Set(before.map(({ status }) => status))).toEqual(new Set(["within"]));
  const timezone = "America/New_York";
  await changeCrb(table(), crbId, (crb) => ({ ...crb, record: { ...crb.record, timezone } }));
  const moved = before.map((day) => ({ ...day, complete: false, status: "not_compared" }));
  expect(await days()).toEqual(moved);
  const state = await table().get(replicationKey(crbId, "sale"), { consistent: true });
  await table().put({ ...replicationKey(crbId, "sale"), ...state, timezone });
  expect(await days()).toEqual(before);
});

test("a change of a day changes later balances, and only the revision of this day", async () => {
  const { crbId, store, count, remove, days } = await givenDepositor(table());
  const dates = daysFrom("2026-02-02", 20);
  await storeSalesDays(table(), crbId, paidOn(dates), dates.at(-1) ?? "");
  await count("2026-02-02", 0);
  const before = await days();
  await store(cash("1", "2026-02-10", 100));
  await storeSalesDays(table(), crbId, paidOn(["2026-02-12"], { cash: 200_007 }), dates.at(-1) ?? "");
  await store(cash("1", "2026-02-11", 150));
  await remove("1");
  const after = await days();
  const revised = after.filter(({ revision }, i) => revision !== before[i]?.revision);
  expect(revised.map(({ date, revision }) => [date, revision])).toEqual([
    ["2026-02-10", 2],
    ["2026-02-11", 2],
    ["2026-02-12", 1],
  ]);
  expect(after.at(-1)?.balance_low).toBe((before.at(-1)?.balance_low ?? 0) + 7);
});

test.each(["retail", "wholesale"] as const)("pages by cursor have the same days as one page in %s", async (type) => {
  const { crbId, store, count, days, list } = await givenDepositor(table(), { business_type: type });
  const dates = daysFrom("2025-11-20", 90).filter((_, i) => i % 11 !== 5);
  await storeSalesDays(table(), crbId, paidOn(dates), "2026-02-15");
  // Deposits of years without sales, and one count that is near and one that is not.
  await store(
    cash("old", "2019-06-03", 100),
    cash("older", "2012-01-31", 100),
    ...dates.map((day, i) => cash(`d${i}`, day, 190_000 + i)),
  );
  await count("2025-11-25", 1_000);
  await count("2026-01-25", 2_000);
  const all = await days();
  const counted = ["2025-11-25", "2026-01-25"];
  expect(all.map(({ date }) => date)).toEqual([
    ...new Set(["2012-01-31", "2019-06-03", ...[...dates, ...counted].sort()]),
  ]);
  for (const limit of ["1", "13", "50", "91"]) {
    const paged: ReconciliationDay[] = [];
    for (let cursor: string | undefined, more = true; more; ) {
      const { json } = await list({ limit, ...(cursor && { cursor }) });
      paged.push(...json.data);
      [cursor, more] = [json.cursor, json.has_more];
      if (limit === "1" && paged.length === 8) break;
    }
    expect(paged).toEqual(all.toReversed().slice(0, paged.length));
    if (limit !== "1") expect(paged).toHaveLength(all.length);
  }
  const window = { start_date: "2026-01-10", end_date: "2026-01-20" };
  const within = all.filter(({ date }) => date >= window.start_date && date <= window.end_date);
  expect(await days(window)).toEqual(within);
  // A count is compared with the one before it, also on the first day of a window.
  const [last = ""] = counted.toReversed();
  const ofCount = await days({ start_date: last, end_date: last });
  expect(ofCount).toEqual(all.filter(({ date }) => date === last));
  expect(ofCount).toMatchObject([{ count_difference: expect.any(Number) }]);
  expect(await days({ start_date: "2000-01-01", end_date: "2018-12-31" })).toEqual(all.slice(0, 1));
});

test("a year of days takes at most 15 read units, with deposits on every day of five years", async () => {
  const { crbId } = await givenDepositor(table());
  const dates = daysFrom("2022-01-01", 5 * 365);
  const full: Paid = { cash: 412_345, debit: 123_456, credit: 99_887, multiple: 12_345, other: 4_321, unknown: 1_234 };
  await storeSalesDays(table(), crbId, paidOn(dates, full), dates.at(-1) ?? "");
  const sums = (i: number): DaySums => ({
    cash: 400_000 + (i % 977) * 13,
    cashDeposits: 2,
    card: 220_000 + (i % 877) * 17,
    count: i % 30 === 0 ? 800_000 + i : null,
    revision: 5,
    reported: { revision: 5, deposits_unexplained: false, cash_outstanding: false },
  });
  for (const [year, days] of Map.groupBy(dates, (date) => date.slice(0, 4))) {
    const stored = days.map((date, i) => [date, sums(i)] as const);
    await table().transact([yearWrite(table(), crbId, { year, version: 0, days: new Map(stored) })]);
  }
  await table().put({ ...reconciliationSettingsKey(crbId), deposits: 100_000, counts: 61 });
  const counted = testTableOf(table());
  const units = countReadUnits(counted);
  const { days } = await readReconciliation(counted, crbId, { from: "2025-01-01", to: "2025-12-31", limit: 1_000 });
  expect(days).toHaveLength(365);
  expect(new Set(days.map(({ counted: day }) => day === null))).toEqual(new Set([false]));
  expect(units()).toBeLessThanOrEqual(15);
});

test("50 orders of the same uploads give equal answers", async () => {
  const dates = daysFrom("2026-01-05", 50);
  const deposits: DepositRequest[] = dates.flatMap((day, i) => [
    cash(`c${i}`, addDays(day, 1 + (i % 3)), 150_000 + i * 991, i % 2 ? { business_date: day } : {}),
    cash(`k${i}`, addDays(day, 2), 40_000 + i, { type: "card" }),
    ...(i % 9 === 0 ? [cash(`x${i}`, day, -30_000)] : []),
    ...(i % 13 === 0 ? [cash(`l${i}`, day, 5_000_000, { excluded_reason: "loan" })] : []),
  ]);
  const bodies = Array.from({ length: 12 }, (_, i) => deposits.filter((_, j) => (j * 7) % 12 === i));
  let expected: unknown;
  for (let permutation = 0; permutation < (isThorough ? 50 : 8); permutation++) {
    const given = await givenDepositor(table());
    const { crbId, days, deposits: list } = given;
    const sales = () => storeSalesDays(table(), crbId, paidOn(dates), dates.at(-1) ?? "");
    const uploads = [
      ...bodies.map((body) => () => storeDeposits(table(), given, shuffled(body, permutation))),
      ...["2026-01-05", "2026-02-01"].map((date) => () => setCashCount(table(), given, { date, amount: 77_000 })),
      sales,
    ];
    for (const upload of permutation === 0 ? uploads : shuffled(uploads, permutation)) await upload();
    const answer = [await days(), (await list()).json.data];
    expected ??= answer;
    expect(answer, `permutation ${permutation}`).toEqual(expected);
  }
}, 600_000);

/** A permutation that depends on a number. */
function shuffled<Element>(elements: readonly Element[], seed: number): Element[] {
  const key = (i: number) => ((i + 1) * 2_654_435_761 + seed * 40_503) % 104_729;
  return elements
    .map((element, i) => ({ element, key: key(i * (seed + 3)) }))
    .sort((one, other) => one.key - other.key)
    .map(({ element }) => element);
}
