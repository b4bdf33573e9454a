import fc from "fast-check";
import { expect, test } from "vitest";
import { ServiceError } from "../../../shared/api/errors.ts";
import { announceReconciliation } from "../../../shared/domain/deposits/announceReconciliation.ts";
import { deleteCashCount, setCashCount } from "../../../shared/domain/deposits/cashCounts.ts";
import { deleteDeposit } from "../../../shared/domain/deposits/deleteDeposit.ts";
import { changeSettings } from "../../../shared/domain/deposits/settings.ts";
import { storeDeposits } from "../../../shared/domain/deposits/storeDeposits.ts";
import { readSalesDays } from "../../../shared/domain/replication/readSalesDays.ts";
import type { Table } from "../../../shared/store/client.ts";
import { addDays } from "../../../shared/time/addDays.ts";
import { type Paid, storeSalesDays } from "../../shared/domain/deposits/givenDays.ts";
import { interceptCalls, TestClock } from "../../shared/store/orderedList/listUnderTest.ts";
import { testTableOf } from "../../testTable.ts";
import { isThorough } from "../../thorough.ts";
import { useTestTable } from "../../useTestTable.ts";
import { givenDepositor } from "./callDeposits.ts";
import { recomputeDays, withoutRevision } from "./recomputeDays.ts";

const table = useTestTable();

/** Days around a New Year, because each year is an item of its own. */
const dayOf = (number: number) => addDays("2025-12-20", number);
const day = fc.integer({ min: 0, max: 24 }).map(dayOf);
const cents = fc.integer({ min: 1, max: 900_000 });

/** Mostly cash that counts, of ids that few requests share, so that requests change the same days and not the same deposits. */
const deposit = fc
  .record({
    number: fc.integer({ min: 1, max: 20 }),
    posted_date: day,
    amount: cents,
    kind: fc.nat({ max: 9 }),
    business_date: day,
  })
  .map(({ number, kind, amount, business_date, ...rest }) => ({
    id: `d${number}`,
    ...rest,
    amount: kind === 1 ? -amount : amount,
    type: kind < 7 ? ("cash" as const) : kind < 9 ? ("card" as const) : ("wire" as const),
    ...(kind === 2 && { excluded_reason: "loan" as const }),
    ...(kind > 4 && { business_date }),
  }));

const paid: fc.Arbitrary<Paid> = fc.record({
  ...{ cash: cents, debit: cents, other: cents, unknown: cents },
  unstated: fc.constantFrom(0, 0, 0, 0, 1),
});

type Owner = { spId: string; crbId: string };
type Change = (table: Table, owner: Owner, clock: TestClock) => Promise<unknown>;

/** Named, so that a counterexample says what it does. */
const named = (text: string, change: Change): Change & { [fc.toStringMethod]: () => string } =>
  Object.assign(change, { [fc.toStringMethod]: () => text });

const deposits = fc.uniqueArray(deposit, { selector: ({ id }) => id, minLength: 1, maxLength: 4 });
const change = fc.oneof(
  { weight: 8, arbitrary: deposits.map((some) => named(`store ${JSON.stringify(some)}`, store(some))) },
  fc
    .constantFrom("d1", "d2", "d3")
    .map((id) => named(`delete ${id}`, (...[on, owner, clock]) => deleteDeposit(on, owner, id, clock))),
  fc
    .tuple(day, cents)
    .map(([date, amount]) =>
      named(`count ${date} ${amount}`, (...[on, owner, clock]) => setCashCount(on, owner, { date, amount }, clock)),
    ),
  day.map((date) => named(`uncount ${date}`, (...[on, owner, clock]) => deleteCashCount(on, owner, date, clock))),
  fc
    .boolean()
    .map((isKnown): "other"[] => (isKnown ? ["other"] : []))
    .map((never_cash) =>
      named(`never ${never_cash}`, (...[on, owner, clock]) => changeSettings(on, owner, { never_cash }, clock)),
    ),
  fc.constant(named("announce", (on, { crbId }, clock) => announceReconciliation(on, crbId, clock))),
);
function store(some: Parameters<typeof storeDeposits>[2]): Change {
  return (on, owner, clock) => storeDeposits(on, owner, some, clock);
}

/** Sales that one worker stores: some days, and the last complete one. */
const sold = fc.tuple(fc.dictionary(fc.integer({ min: 0, max: 24 }).map(dayOf), paid, { minKeys: 1 }), day);

const lanes = fc.array(fc.array(change, { minLength: 2, maxLength: 5 }), { minLength: 3, maxLength: 3 });

test("in any interleaving with concurrent sales, the days are those that follow from the stored deposits and sales", async () => {
  const property = fc.asyncProperty(
    fc.scheduler(),
    lanes,
    fc.array(sold, { minLength: 1, maxLength: 3 }),
    async (scheduler, callers, runs) => {
      const given = await givenDepositor(table());
      const clock = new TestClock("2026-01-20T12:00:00.000Z");
      /** The table as one caller sees it: the scheduler decides when each of its calls begins. */
      const scheduled = (name: string) => {
        const own = testTableOf(table());
        interceptCalls(own, {
          before: (command) => scheduler.schedule(Promise.resolve(), `${name} ${command}`),
          after: () => undefined,
        });
        return own;
      };
      const work = callers.map(async (changes, i) => {
        const own = scheduled(`caller ${i}`);
        for (const each of changes) {
          await each(own, given, clock).catch((error) => {
            // What another caller has deleted is missing, and of conflicts there may be too many.
            if (!(error instanceof ServiceError) || !["notFound", "unavailable"].includes(error.kind)) throw error;
          });
        }
      });
      const worker = async () => {
        const own = scheduled("worker");
        const ordered = runs.toSorted(([, one], [, other]) => (one < other ? -1 : 1));
        // The last complete day is listed, also without sales.
        for (const [days, until] of ordered) {
          await storeSalesDays(own, given.crbId, { [until]: {}, ...days }, until);
        }
      };
      await scheduler.waitFor(Promise.all([...work, worker()]));
      const window = { start_date: undefined, end_date: undefined, offset: 0, limit: 1_000 };
      const expected = recomputeDays({
        business_type: "retail",
        settings: (await given.settings()).json,
        sales_days: (await readSalesDays(table(), given.crbId, window)).days,
        deposits: (await given.deposits()).json.data,
        cash_counts: (await given.counts()).json.data,
      });
      const found = await given.days();
      const dates = new Set(expected.map(({ date }) => date));
      const emptied = found.filter(({ date }) => !dates.has(date));
      expect(found.filter(({ date }) => dates.has(date)).map(withoutRevision)).toEqual(expected);
      // Days without their deposits and counts stay listed, because their revision has risen.
      for (const empty of emptied)
        expect(empty).toMatchObject({ cash_sales_high: 0, cash_deposited: 0, card_settled: 0 });
      expect(emptied.every(({ revision }) => revision > 1)).toBe(true);
    },
  );
  await fc.assert(property, { numRuns: isThorough ? 20 : 3 });
}, 600_000);
