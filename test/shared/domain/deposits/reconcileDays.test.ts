import { describe, expect, test } from "vitest";
import { noSums } from "../../../../shared/domain/deposits/daySums.ts";
import { type ComparedDay, type Comparison, reconcileDays } from "../../../../shared/domain/deposits/reconcileDays.ts";
import { addDays } from "../../../../shared/time/addDays.ts";
import { figuresOf, type Paid } from "./givenDays.ts";

const first = "2026-02-02";
const comparison: Comparison = {
  since: first,
  never_cash: [],
  tolerance_amount: 10_000,
  tolerance_percent: 5,
  max_days_without_deposit: 10,
  isWholesale: false,
};

interface Day {
  paid?: Paid;
  cash?: number;
  card?: number;
  count?: number;
  isComplete?: boolean;
}

/** Days in a row from `first` on. */
const daysOf = (...days: readonly Day[]): ComparedDay[] =>
  days.map(({ paid = {}, cash = 0, card = 0, count = null, isComplete = true }, i) => ({
    date: addDays(first, i),
    figures: figuresOf(paid),
    isComplete,
    salesRevision: 0,
    sums: { ...noSums, cash, card, count, cashDeposits: Number(cash > 0) },
  }));

const compare = (days: readonly Day[], changes: Partial<Comparison> = {}, lastDeposit?: string) =>
  reconcileDays(daysOf(...days), { ...comparison, ...changes }, lastDeposit);

const statuses = (...args: Parameters<typeof compare>) => compare(...args).map(({ status }) => status);

const regular = { paid: { cash: 100_000 } };

test("the range has the unclear payments, and never_cash takes means out of it", () => {
  const paid = { cash: 1_000, debit: 700, credit: 70, multiple: 200, other: 30, unknown: 4 };
  const [day] = compare([{ paid, cash: 500, card: 650, count: 80 }]);
  expect(day).toEqual({
    date: first,
    count_difference: null,
    cash_sales_low: 1_000,
    cash_sales_high: 1_234,
    card_sales: 770,
    cash_deposited: 500,
    card_settled: 650,
    balance_low: 80,
    balance_high: 80,
    counted: first,
    days_since_deposit: 0,
    complete: true,
    revision: 0,
    status: "within",
  });
  const [narrow] = compare([{ paid }], { never_cash: ["other", "multiple"] });
  expect([narrow?.cash_sales_low, narrow?.cash_sales_high]).toEqual([1_000, 1_004]);
});

test("returns lower the cash of their day, also those by unclear means", () => {
  const [day] = compare([{ paid: { cash: -300, other: -50, unknown: 20 } }]);
  expect([day?.cash_sales_low, day?.cash_sales_high]).toEqual([-350, -280]);
});

test("the balance starts from each count, and its range widens with unclear payments only", () => {
  const days = [
    { paid: { cash: 900 } },
    { paid: { cash: 100 }, count: 5_000 },
    { paid: { cash: 1_000, other: 100 }, cash: 2_000 },
    { paid: { cash: 500, unknown: 50 } },
    { count: 4_600 },
    { cash: 4_000 },
  ];
  const balances = compare(days).map(({ balance_low, balance_high, counted }) => [balance_low, balance_high, counted]);
  const [counted, again] = [addDays(first, 1), addDays(first, 4)];
  expect(balances).toEqual([
    [null, null, null],
    [5_000, 5_000, counted],
    [4_000, 4_100, counted],
    [4_500, 4_650, counted],
    [4_600, 4_600, again],
    [600, 600, again],
  ]);
});

describe("the status", () => {
  test("is no_balance before the first count, and not_compared on incomplete days and before since", () => {
    const days = [regular, { ...regular, count: 0 }, { ...regular, isComplete: false }, regular];
    expect(statuses(days)).toEqual(["no_balance", "within", "not_compared", "within"]);
    expect(statuses(days, { since: addDays(first, 3) })).toEqual([
      ...["not_compared", "not_compared", "not_compared"],
      "no_balance",
    ]);
    expect(statuses(days, { since: null })).toEqual(days.map(() => "not_compared"));
  });

  test("a count of the day before since starts the balance, an earlier one does not", () => {
    const days = [{ count: 700 }, { count: 300 }, regular];
    const [, , third] = compare(days, { since: addDays(first, 2) });
    expect([third?.balance_low, third?.counted]).toEqual([100_300, addDays(first, 1)]);
    const [, , other] = compare([{ count: 700 }, {}, regular], { since: addDays(first, 2) });
    expect([other?.balance_low, other?.status]).toEqual([null, "no_balance"]);
  });

  test("is count_differs if a count is outside the range by more than the tolerance, on its own day alone", () => {
    // 90000 to 100000 can be there: 5 percent of 100000 are less than 10000.
    const sold = { paid: { cash: 90_000, other: 10_000 } };
    const counted = (count: number, change = {}) =>
      compare([{ count: 0 }, { ...sold, count }, {}], change).map((day) => [day.count_difference, day.status]);
    const [none, after] = [
      [null, "within"],
      [null, "within"],
    ];
    expect(counted(90_000)).toEqual([none, [0, "within"], after]);
    expect(counted(100_000)).toEqual([none, [0, "within"], after]);
    expect(counted(80_000)).toEqual([none, [-10_000, "within"], after]);
    expect(counted(79_999)).toEqual([none, [-10_001, "count_differs"], after]);
    expect(counted(110_001)).toEqual([none, [10_001, "count_differs"], after]);
    const percent = { tolerance_amount: 0, tolerance_percent: 20 };
    expect(counted(70_000, percent)[1]).toEqual([-20_000, "within"]);
    expect(counted(69_999, percent)[1]).toEqual([-20_001, "count_differs"]);
    // In wholesale, invoices of the last 60 days may be unpaid.
    expect(counted(0, { isWholesale: true })[1]).toEqual([0, "within"]);
    // Those of days before the last count lower nothing.
    const [, , again] = compare([sold, { count: 500_000 }, { ...sold, count: 300_000 }], { isWholesale: true });
    expect(again?.count_difference).toBe(-190_000);
  });

  test("says nothing about a count on an incomplete day", () => {
    const [, day] = compare([{ count: 0 }, { ...regular, isComplete: false, count: 0 }]);
    expect([day?.count_difference, day?.status]).toEqual([null, "not_compared"]);
  });

  test("is deposits_unexplained beyond the tolerance, which is the greater of amount and percent", () => {
    // 5 percent of 100000 are less than 10000.
    const deposits = (cash: number) => [{ count: 0 }, { ...regular, cash }];
    expect(statuses(deposits(110_000))).toEqual(["within", "within"]);
    expect(statuses(deposits(110_001))).toEqual(["within", "deposits_unexplained"]);
    const percent = { tolerance_amount: 0, tolerance_percent: 7 };
    expect(statuses(deposits(107_000), percent)).toEqual(["within", "within"]);
    expect(statuses(deposits(107_001), percent)).toEqual(["within", "deposits_unexplained"]);
    // An unclear payment may explain it.
    expect(statuses([{ count: 0 }, { paid: { cash: 100_000, other: 1 }, cash: 110_001 }])).toEqual([
      "within",
      "within",
    ]);
  });

  test("is cash_outstanding more than ten days after the last deposit", () => {
    const little = { paid: { cash: 11_000 } };
    const days = [{ count: 0, cash: 1 }, ...Array.from({ length: 12 }, () => little)];
    // Ten days' sales are the most that may be at the business.
    expect(statuses(days).indexOf("cash_outstanding")).toBe(11);
    expect(compare(days)[11]?.days_since_deposit).toBe(11);
    expect(compare([{}], {}, addDays(first, -7))[0]?.days_since_deposit).toBe(7);
    expect(compare([{}])[0]?.days_since_deposit).toBeNull();
  });

  test("is cash_outstanding if the balance exceeds the sales of ten days, however often cash is deposited", () => {
    const days = [{ count: 0 }, ...Array.from({ length: 40 }, () => ({ ...regular, cash: 60_000 }))];
    const found = statuses(days);
    const at = found.indexOf("cash_outstanding");
    // 40000 a day stay. 5 percent of the sales are tolerated, so 35000 count.
    expect(at).toBe(29);
    expect(new Set(found.slice(at))).toEqual(new Set(["cash_outstanding"]));
  });

  test("is within while fewer than ten days are compared, because cash of earlier days may be at the business", () => {
    const days = [{ ...regular, count: 5_000_000 }, ...Array.from({ length: 9 }, () => regular)];
    const found = statuses(days);
    expect([new Set(found.slice(0, 9)), found[9]]).toEqual([new Set(["within"]), "cash_outstanding"]);
  });

  test("needs no deposit while the balance is within the tolerance", () => {
    expect(new Set(statuses([{ count: 10_000 }, ...Array.from({ length: 30 }, () => ({}))]))).toEqual(
      new Set(["within"]),
    );
  });
});

describe("a sale whose paid amount is unknown", () => {
  const unstated = { paid: { cash: 1_000, unstated: 1 } };
  const balances = (days: readonly Day[], changes: Partial<Comparison> = {}) =>
    compare(days, changes).map(({ balance_low, balance_high, status }) => [balance_low, balance_high, status]);

  test("leaves the balance unknown until the next count, so that no day accuses", () => {
    const nothing = [null, null, "not_compared"];
    const deposit = { cash: 800_000 };
    expect(balances([{ count: 0 }, { ...unstated, ...deposit }, deposit, { count: 500 }, regular])).toEqual([
      [0, 0, "within"],
      nothing,
      nothing,
      [500, 500, "within"],
      [100_500, 100_500, "within"],
    ]);
    const [, , count] = compare([{ count: 0 }, unstated, { count: 900_000 }]);
    expect([count?.count_difference, count?.status]).toEqual([null, "within"]);
    const [, same] = compare([{ count: 0 }, { ...unstated, count: 900_000 }]);
    expect([same?.count_difference, same?.status]).toEqual([null, "within"]);
  });

  test("changes nothing before the first count", () => {
    expect(balances([unstated, { count: 0 }, { cash: 800_000 }])).toEqual([
      [null, null, "no_balance"],
      [0, 0, "within"],
      [-800_000, -800_000, "deposits_unexplained"],
    ]);
  });

  test("does not make cash outstanding by the sales of few days", () => {
    const sold = (of: Day) => [of, ...Array.from({ length: 9 }, () => ({ paid: { cash: 100 }, cash: 100 }))];
    const last = { count: 50_000, cash: 1 };
    expect(statuses([...sold({}), last]).at(-1)).toBe("cash_outstanding");
    expect(statuses([...sold({}), { ...last, ...unstated }]).at(-1)).toBe("within");
  });

  test("leaves the balance unknown in wholesale for 60 days, in which its invoice may be paid", () => {
    const days = [
      unstated,
      ...Array.from({ length: 58 }, () => ({})),
      { count: 0 },
      { cash: 800_000, count: 0 },
      { cash: 800_000 },
    ];
    expect(statuses(days, { isWholesale: true }).slice(-3)).toEqual(["not_compared", "within", "deposits_unexplained"]);
  });
});

test("weekends and holidays without a pick-up or a sale are no outstanding cash, and count as days since the deposit", () => {
  // From a Monday on: pick-ups on workdays, closed on the second Thursday and Friday.
  const days = Array.from({ length: 21 }, (_, i): Day => {
    const isHoliday = i === 10 || i === 11;
    const isPickUp = i % 7 < 5 && !isHoliday;
    // A Monday has the takings of the weekend.
    const takings = i > 0 && i % 7 === 0 ? 300_000 : 100_000;
    return { paid: isHoliday ? {} : { cash: 100_000 }, cash: isPickUp ? takings : 0, ...(i === 0 && { count: 0 }) };
  });
  const found = compare(days);
  expect(new Set(found.map(({ status }) => status))).toEqual(new Set(["within"]));
  expect(found.map(({ days_since_deposit }) => days_since_deposit)).toEqual([
    ...[0, 0, 0, 0, 0, 1, 2],
    ...[0, 0, 0, 1, 2, 3, 4],
    ...[0, 0, 0, 0, 0, 1, 2],
  ]);
  expect(found.at(-1)?.balance_low).toBe(200_000);
});

test("invoices from before a count may be paid after it, so they widen the range in wholesale", () => {
  const days = [{ paid: { cash: 70_000, other: 1_000 } }, { paid: { cash: 5_000 }, count: 200 }, { cash: 70_000 }];
  const balances = compare(days, { isWholesale: true }).map(({ balance_low, balance_high }) => [
    balance_low,
    balance_high,
  ]);
  expect(balances).toEqual([
    [null, null],
    [200, 76_200],
    [-69_800, 6_200],
  ]);
  expect(statuses(days, { isWholesale: true })).toEqual(["no_balance", "within", "within"]);
  expect(statuses(days)).toEqual(["no_balance", "within", "deposits_unexplained"]);
});
