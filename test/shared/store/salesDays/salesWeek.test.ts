import { marshall } from "@aws-sdk/util-dynamodb";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type Dice, dice } from "../../../../shared/pos/sandbox/dice.ts";
import { type Item, Table } from "../../../../shared/store/client.ts";
import { addDigests, digestRecord, emptyDigest } from "../../../../shared/store/recordDigest.ts";
import {
  addFigures,
  type DayFigures,
  type FigureName,
  type Sale,
  saleFigures,
  unpackFigures,
} from "../../../../shared/store/salesDays/dayFigures.ts";
import {
  daysOfWeek,
  type SalesDayTotals,
  type SalesWeek,
  toSalesWeek,
  weekWrite,
} from "../../../../shared/store/salesDays/salesWeek.ts";
import { engineClient } from "../../../engineClient.ts";
import { bytesOf } from "../../../system/realRules/throughput.ts";
import { scan } from "../../../tableState.ts";
import { createTestTable } from "../../../testTable.ts";
import { recordId, TestClock } from "../orderedList/listUnderTest.ts";
import { type SaleOf, SalesUnderTest } from "../orderedList/salesUnderTest.ts";
import { expectedFigures, faultsOfTotals, storedDays } from "./faultsOfTotals.ts";
import { toyAmounts } from "./toySale.ts";

const crbId = "b7b0c0a2-52c5-4a37-9b0e-7a3f8b1f6f0d";
const partition = `CRB#${crbId}#SALE#TOTALS`;

/** The stored item of a week. No call is made. */
function itemOf(week: SalesWeek): Item {
  const client = engineClient("http://127.0.0.1:1");
  const { Put } = weekWrite(new Table("unused", client), partition, week);
  client.destroy();
  return Put?.Item as Item;
}

const figureNames = Object.keys(unpackFigures([])) as FigureName[];
const amount = fc.oneof(fc.constant(0), fc.integer({ min: -(2 ** 40), max: 2 ** 40 }));
const figures = fc
  .array(amount, { minLength: figureNames.length, maxLength: figureNames.length })
  .map((numbers): DayFigures => Object.fromEntries(figureNames.map((name, i) => [name, numbers[i] ?? 0])));

const instant = fc.integer({ min: 0, max: 2 ** 42 }).map((time) => new Date(time).toISOString());
const totals: fc.Arbitrary<SalesDayTotals> = fc.record({
  figures,
  digest: fc.array(fc.nat(2 ** 32 - 1), { minLength: 8, maxLength: 8 }),
  updatedAt: instant,
  completedAt: fc.option(instant),
  revision: fc.nat(99),
});
/** Weeks within a month, across months and across years. */
const monday = fc.constantFrom("2026-01-05", "2026-02-23", "2025-12-29", "2024-02-26");
const week: fc.Arbitrary<SalesWeek> = fc
  .record({
    monday,
    version: fc.integer({ min: 1, max: 99_999 }),
    days: fc.uniqueArray(fc.tuple(fc.nat(6), totals), { selector: ([day]) => day }),
  })
  .map(({ days, ...ofWeek }) => {
    const dates = daysOfWeek(ofWeek.monday);
    return { ...ofWeek, days: new Map(days.map(([day, ofDay]) => [dates[day] as string, ofDay])) };
  });

test("a stored week is read back, across months and years", () => {
  void fc.assert(
    fc.property(week, (stored) => {
      expect(toSalesWeek(itemOf(stored))).toEqual(stored);
    }),
  );
});

/** A sale of a dispensary with discounts, taxes, a fee and one of four means of payment. */
function busySale(chance: Dice): Sale {
  const sign = chance.percent(3) ? -1 : 1;
  const gross = sign * chance.between(800, 24_000);
  const discount = chance.percent(40) ? Math.round(gross / 10) : 0;
  const subtotal = gross - discount;
  const [tax, fee] = [Math.round(subtotal * 0.2245), chance.percent(30) ? sign * 25 : 0];
  const total = subtotal + tax + fee;
  return {
    ...toyAmounts(gross),
    type: "retail",
    transaction_type: sign < 0 ? "return" : chance.percent(1) ? "adjustment" : "sale",
    subtotal: chance.percent(1) ? null : subtotal,
    total_discounts: discount,
    tax_paid: tax,
    total_paid: total + (chance.percent(1) ? 500 : 0),
    discounts: [{ flat_amount: discount }],
    fees: fee ? [{ flat_amount: fee, included_in_subtotal: false }] : [],
    customer: { type: chance.pick(["medical", "rec", "rec", "rec", null]) },
    payments: [{ type: chance.pick(["cash", "debit", "credit", "ach"]), amount_paid: total }],
  };
}

/** Sales whose amounts are not reported, that do not fit together, or that are not paid yet. */
const oddities: Partial<Sale>[] = [
  {},
  { tax_paid: null },
  { subtotal: null },
  { total_discounts: null },
  { total_paid: null, payments: [] },
  { fees: [{ flat_amount: null, included_in_subtotal: null }] },
  { fees: [{ flat_amount: 25, included_in_subtotal: true }] },
  { payments: [] },
  { customer: null },
  ...[
    { total: 1_000, open_balance: 400 },
    { total: 1_000, open_balance: 1_000 },
    { total: 1_000, open_balance: null },
    { total: null, open_balance: 400 },
  ].flatMap((invoice) =>
    [1_000, null].map((total_paid) => ({ type: "wholesale" as const, payments: [], total_paid, invoice })),
  ),
];

test("the figures of a sale are those of the specification, whatever the POS does not report", () => {
  const chance = dice("figures", 1);
  for (const oddity of oddities) {
    for (let i = 0; i < 20; i++) {
      const sale = { ...busySale(chance), ...oddity };
      expect(addFigures(saleFigures(sale), {}), JSON.stringify(oddity)).toMatchObject(expectedFigures([sale]));
    }
  }
});

test("the item of a busy week takes one write unit: 7 complete days with 400 sales each", () => {
  const chance = dice("a busy week", 1);
  const days = new Map<string, SalesDayTotals>();
  for (const [i, day] of daysOfWeek("2026-06-29").entries()) {
    const sales = Array.from({ length: 400 }, () => busySale(chance));
    const dates = { svc_updated_date: `${day}T20:00:00.000Z` };
    const digests = sales.map((_, name) => digestRecord(recordId(1_000 * i + name), dates));
    const dayFigures = sales.map(saleFigures).reduce(addFigures);
    expect(dayFigures).toMatchObject(expectedFigures(sales));
    days.set(day, {
      figures: dayFigures,
      digest: digests.reduce(addDigests, emptyDigest),
      updatedAt: new Date(Date.parse(day) + chance.between(86_400_000, 200_000_000)).toISOString(),
      completedAt: new Date(Date.parse(day) + chance.between(111_600_000, 111_900_000)).toISOString(),
      revision: chance.between(0, 3),
    });
  }
  const bytes = bytesOf(marshall(itemOf({ monday: "2026-06-29", version: 2_950, days })));
  expect(bytes).toBeLessThanOrEqual(1_024);
});

test("a sale that moves to a day of another week leaves the totals of its former day", async () => {
  const table = await createTestTable();
  const sales = new SalesUnderTest();
  await sales.begin(table);
  // Each writer knows no week yet.
  const write = (day: string, ...of: SaleOf[]) => sales.writer(table, new TestClock(`${day}T10:00:00.000Z`)).write(of);
  // A Sunday, whose week begins in the year before, and a Tuesday.
  const [sunday, tuesday] = [4, 20];
  const moved = { name: 1, customer: "1", day: sunday, version: 0 };
  await write("2026-03-01", moved, { ...moved, name: 2 });
  await write("2026-03-02", { ...moved, day: tuesday, version: 1 });
  const items = await scan(table);
  expect(faultsOfTotals(items, sales.list)).toEqual([]);
  const counts = [...storedDays(items, sales.list)].map(([day, { figures }]) => [day, figures.records]);
  expect(Object.fromEntries(counts)).toEqual({ "2026-01-04": 1, "2026-01-20": 1 });
});
