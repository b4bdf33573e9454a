import { describe, expect, test } from "vitest";
import { type BalanceDay, depositCases } from "../../../shared/insights/depositCodes.ts";
import type { InsightInput } from "../../../shared/insights/findInsights.ts";
import type { DayProfile } from "../../../shared/insights/history.ts";
import { defaultInsightSettings, type InsightCode, insightCodes } from "../../../shared/insights/insightCodes.ts";
import type { InsightLicense } from "../../../shared/insights/licenseCodes.ts";
import { type InsightSale, profileDay } from "../../../shared/insights/saleCodes.ts";
import { saleRules } from "../../../shared/saleChecks/saleRules.ts";
import { addDays } from "../../../shared/time/addDays.ts";
import { type Changes, find, firstDay, flower, lastDay, only, series, soldTo, usualProfile } from "./series.ts";

const day = (figures: Record<string, number>, date: string = lastDay): Changes => ({ [date]: { figures } });
const daysBefore = (days: number, date: string = lastDay) => addDays(date, -days);
const range = (from: number, to: number, change: Changes[string]): Changes =>
  Object.fromEntries(Array.from({ length: from - to + 1 }, (_, i) => [daysBefore(from - i), change]));

/** The same weekday of eight weeks, 300.00 above or below the usual total. */
const varied: Changes = Object.fromEntries(
  [1, 2, 3, 4, 5, 6, 7, 8].map((week) => [
    daysBefore(7 * week),
    { figures: { total_paid: week % 2 ? 370_000 : 430_000 } },
  ]),
);

const hours = (change: Record<number, number>) => ({
  profile: { hours: usualProfile.hours.map((count, hour) => change[hour] ?? count) },
});

const profiled = (sales: readonly InsightSale[], rest: Changes = {}): Changes => ({
  ...rest,
  [lastDay]: { profile: profileDay(sales, { state: "CA", rules: saleRules, settings: defaultInsightSettings }) },
});

const paidInCash = (customer: string | null, ...amounts: number[]) =>
  amounts.map((amount) => soldTo(customer, { payments: [{ type: "cash", amount_paid: amount }] }));

const license = (change: Partial<InsightLicense> = {}): InsightLicense => ({
  id: "CO-aaaaaaaaaaaaaaaaaaaaaa",
  number: "402R-00417",
  linked: "2026-02-01",
  endedOn: null,
  isUnknown: false,
  hasOtherHolder: false,
  ...change,
});

const month = { window: ["2026-05-31", "2026-05-31"] } as const;
const perMonth = 31 * 400_000;

/** The totals of the state's system: those of the POS, and on the last day as many cents more. */
const variedBy = (cents: number) => {
  const totals = range(13, 0, {});
  const entries = Object.keys(totals).map((date) => [date, 400_000 + (date === lastDay ? cents : 0)] as const);
  return { state: { totals: new Map(entries), basis: "pos_total", licenses: ["402R-00417"] } } as const;
};

const depositLimits = { tolerance_amount: 10_000, tolerance_percent: 5, max_days_without_deposit: 10 };
/** The last day, on which cash is outstanding. */
const balanceDay = (change: Partial<BalanceDay>, date: string = lastDay): BalanceDay => ({
  ...{ date, balance_low: -30_000, balance_high: -20_000, counted: firstDay, days_since_deposit: 0 },
  count_difference: null,
  status: "cash_outstanding",
  ...change,
});
function deposited(...days: Partial<BalanceDay>[]) {
  const dated = days.map((change, i) => balanceDay(change, daysBefore(days.length - 1 - i)));
  return { deposits: depositCases(dated, depositLimits), window: [firstDay, lastDay] } as const;
}

const cash = (amount: number) => ({ figures: { "cash.amount": amount, "debit.amount": 400_000 - amount } });
/** Of 1,120 sales of 28 days. */
const flagged = (count: number) => day({ "red_flag.count": count, "svc_checked.count": 40 - count });
const unknown = (count: number) => ({ figures: { "unknown.count": count } });
const closed = { figures: { sales: 0, total_paid: 0 } };
const stated = { ...month, settings: only("revenue_above_statement", { threshold: 2 }), statedMonth: perMonth / 2 };
const peers = (count: number) => ({
  ...month,
  peers: new Map([["2026-05", Array.from({ length: count }, () => perMonth / 3)]]),
});
const bought = (...grams: number[]) => grams.map((each) => soldTo("a", { line_items: [flower(each)] }));
const repeated = (...customers: string[]) => profiled(customers.map((one) => soldTo(one)));
const amounts = (count: number): Changes => ({ [lastDay]: { profile: { amounts: [[9_900, count]] } } });
const soldAsFlagged = (status: "red_flag" | "warning") => profiled([soldTo("a", { compliance_status: status })]);

type Case = readonly [changes: Changes, input?: Partial<InsightInput>];
/** Of each code a series that raises it, and one that is less by a cent, a sale or a day. */
const cases: Record<InsightCode, readonly [raised: Case, below: Case]> = {
  revenue_above_baseline: [[day({ total_paid: 800_001 })], [day({ total_paid: 800_000 })]],
  returns_above_baseline: [[day({ returns: 5 })], [day({ returns: 4 })]],
  voids_above_baseline: [[day({ adjustments: 4 })], [day({ adjustments: 3 })]],
  outside_own_hours: [[{ [lastDay]: hours({ 3: 2, 23: 1 }) }], [{ [lastDay]: hours({ 3: 2 }) }]],
  no_sales: [[range(1, 0, closed)], [range(0, 0, closed)]],
  cash_share_changed: [[range(27, 0, cash(280_001))], [range(27, 0, cash(280_000))]],
  // Usually 14 of 280 sales have the most frequent total, so 70 are five times as many.
  equal_amounts: [[amounts(71)], [amounts(70)]],
  flagged_sales_share: [[flagged(12)], [flagged(11)]],
  unknown_customer_share: [
    [{ ...range(27, 0, unknown(10)), ...day({ "unknown.count": 11 }) }],
    [range(27, 0, unknown(10))],
  ],
  revenue_above_statement: [
    [day({ total_paid: 400_001 }, "2026-05-10"), stated],
    [{}, stated],
  ],
  peer_outlier: [
    [day({ total_paid: 400_003 }, "2026-05-10"), peers(5)],
    [{}, peers(5)],
  ],
  sales_without_active_license: [
    [{}, { licenses: [license({ endedOn: lastDay })] }],
    [{}, { licenses: [license({ endedOn: daysBefore(-1) })] }],
  ],
  deposits_unexplained: [
    [{}, deposited({ status: "deposits_unexplained" })],
    [{}, deposited({ status: "within" })],
  ],
  cash_count_differs: [
    [{}, deposited({ status: "count_differs", count_difference: -10_001 })],
    [{}, deposited({ status: "within", count_difference: -10_000 })],
  ],
  state_variance: [
    [{}, variedBy(10_001)],
    [{}, variedBy(10_000)],
  ],
  days_without_deposit: [
    [{}, deposited({ days_since_deposit: 11 })],
    [{}, deposited({ days_since_deposit: 10 })],
  ],
  license_holder_differs: [
    [{}, { licenses: [license({ hasOtherHolder: true })] }],
    [{}, { licenses: [license()] }],
  ],
  flagged_sale: [[soldAsFlagged("red_flag")], [soldAsFlagged("warning")]],
  large_cash_payment: [[profiled(paidInCash("a", 600_000, 400_001))], [profiled(paidInCash("a", 600_000, 400_000))]],
  // California's limit of 28.5 g, with a tolerance of 0.011 g.
  daily_limit_exceeded: [[profiled(bought(20, 8.52))], [profiled(bought(20, 8.51))]],
  repeat_purchases: [[repeated("a", "a", "a", "a", "b")], [repeated("a", "a", "a", "b")]],
};

describe("each code", () => {
  test.each(insightCodes)("%s is raised by its series, and not a cent, a sale or a day below", (code) => {
    const [[raised, input], [below, same]] = cases[code];
    expect(find(code, series(raised), input)).toMatchObject([{ code }]);
    expect(find(code, series(below), same)).toEqual([]);
  });

  test.each(insightCodes)("%s has no finding if it is disabled", (code) => {
    expect(find(code, series(day({ total_paid: 900_000 })), { settings: only(code, { enabled: false }) })).toEqual([]);
  });
});

test("sales without a time of day count as sales of their week", () => {
  // Of 44 sales of a day, 21 have a time. Of the others some have the most frequent total of the week, also before.
  const dayOf = (equal: number) => {
    const sale = (i: number, total_paid: number, time: string) =>
      soldTo(`${i}`, { total_paid, local_date: `2026-01-01T${time}` });
    const untimed = Array.from({ length: 23 }, (_, i) => sale(i, i < equal ? 9_900 : 20_000 + i, "00:00:00.000"));
    const timed = Array.from({ length: 21 }, (_, i) => sale(100 + i, 30_000 + i, "12:00:00.000"));
    return {
      profile: profileDay([...untimed, ...timed], { state: "CA", rules: saleRules, settings: defaultInsightSettings }),
    };
  };
  const past = Object.fromEntries(Array.from({ length: 139 }, (_, i) => [daysBefore(i + 1), dayOf(4)]));
  expect(find("equal_amounts", series({ ...past, [lastDay]: dayOf(23) }))).toEqual([]);
  const [found] = find("equal_amounts", series({ ...past, ...range(6, 0, dayOf(22)) }));
  expect(found?.sentence).toMatch(/^154 of 308 sales/);
});

describe("short history", () => {
  const since = (days: number) => [daysBefore(days), lastDay] as const;
  /** The least number of days before the last one. */
  const least = {
    ...{ revenue_above_baseline: 42, returns_above_baseline: 42, voids_above_baseline: 42, outside_own_hours: 42 },
    ...{ no_sales: 44, cash_share_changed: 111, equal_amounts: 48, flagged_sales_share: 27 },
    ...{ large_cash_payment: 28, daily_limit_exceeded: 28, repeat_purchases: 28 },
  };
  test.each(Object.entries(least))("%s is silent if one day is missing", (name, days) => {
    const code = name as InsightCode;
    const [[raised]] = cases[code];
    expect(find(code, series(raised, since(days)))).toHaveLength(1);
    expect(find(code, series(raised, since(days - 1)))).toEqual([]);
  });

  test("a month is compared with five other businesses at least", () => {
    const history = series(day({ total_paid: 400_003 }, "2026-05-10"));
    expect(find("peer_outlier", history, peers(4))).toEqual([]);
    expect(find("revenue_above_statement", series({ "2026-05-10": null }), stated)).toEqual([]);
  });

  test("a period with an incomplete day is not judged", () => {
    const missing = { [daysBefore(3)]: null };
    expect(find("cash_share_changed", series({ ...range(27, 0, cash(300_000)), ...missing }))).toEqual([]);
    expect(find("flagged_sales_share", series({ ...flagged(20), ...missing }))).toEqual([]);
    expect(
      find("equal_amounts", series({ ...day({}), ...missing, [lastDay]: { profile: { amounts: [[9, 99]] } } })),
    ).toEqual([]);
  });
});

test("payments that may be cash change no share of cash, unless the share differs whatever they were", () => {
  const paid = (cash: number, unclear: number) => ({
    figures: { "cash.amount": cash, "other.amount": unclear, "debit.amount": 400_000 - cash - unclear },
  });
  const sentence = (change: Changes) => find("cash_share_changed", series(change)).map((one) => one.sentence);
  // Half of the payments are cash before.
  expect(sentence(range(27, 0, paid(0, 400_000)))).toEqual([]);
  expect(sentence(range(27, 0, paid(100_000, 20_001)))).toEqual([]);
  const fallen =
    "Cash was at most 25 % of the payments from 2026-05-25 to 2026-06-21, after 50 % in the 12 weeks before.";
  expect(sentence(range(27, 0, paid(80_000, 20_000)))).toEqual([fallen]);
  const risen =
    "Cash was at least 75 % of the payments from 2026-05-25 to 2026-06-21, after 50 % in the 12 weeks before.";
  expect(sentence(range(27, 0, paid(300_000, 20_000)))).toEqual([risen]);
});

describe("a day to which amounts are missing", () => {
  const raised = day({ total_paid: 400_003 }, "2026-05-10");

  test("is not judged in the share of cash, and not in the total of its month", () => {
    const share = range(27, 0, cash(300_000));
    const missing = day({ ...cash(300_000).figures, unknown_paid_amounts: 1 }, daysBefore(3));
    expect(find("cash_share_changed", series({ ...share, ...missing }))).toEqual([]);
    const unknown = day({ total_paid: 400_003, unknown_totals: 1 }, "2026-05-10");
    expect(find("peer_outlier", series(raised), peers(5))).toHaveLength(1);
    expect(find("peer_outlier", series(unknown), peers(5))).toEqual([]);
  });

  test("is in no baseline of totals, but can be above one", () => {
    const above = { total_paid: 800_001, unknown_totals: 1 };
    expect(find("revenue_above_baseline", series(day(above)))).toHaveLength(1);
    const weeks = [1, 2, 3].map((week) => [daysBefore(7 * week), { figures: { total_paid: 1, unknown_totals: 1 } }]);
    expect(find("revenue_above_baseline", series({ ...Object.fromEntries(weeks), ...day(above) }))).toEqual([]);
  });
});

describe("baselines", () => {
  test("a day above twice the median is usual where days vary as much", () => {
    const wide = Object.fromEntries(
      Object.keys(varied).map((date, i) => [date, { figures: { total_paid: i % 2 ? 100_000 : 700_000 } }]),
    );
    expect(find("revenue_above_baseline", series({ ...varied, ...day({ total_paid: 800_001 }) }))).toHaveLength(1);
    expect(find("revenue_above_baseline", series({ ...wide, ...day({ total_paid: 800_001 }) }))).toEqual([]);
  });

  test("days without sales count neither as history nor in the median", () => {
    const twice = { [daysBefore(7)]: closed, [daysBefore(14)]: closed };
    expect(find("revenue_above_baseline", series({ ...twice, ...day({ total_paid: 800_001 }) }))).toHaveLength(1);
    const more = { ...twice, [daysBefore(21)]: closed };
    expect(find("revenue_above_baseline", series({ ...more, ...day({ total_paid: 800_001 }) }))).toEqual([]);
  });

  test("a busy shop always has some sales outside its usual hours", () => {
    const busy = (late: number) => ({
      profile: { hours: usualProfile.hours.map((count, hour) => (hour === 23 ? late : count * 20)) },
    });
    const all = range(139, 1, busy(7));
    expect(find("outside_own_hours", series({ ...all, [lastDay]: busy(14) }))).toEqual([]);
    expect(find("outside_own_hours", series({ ...all, [lastDay]: busy(16) }))).toHaveLength(1);
  });
});

describe("no sales", () => {
  test("a long pause is found once, on its second business day", () => {
    const found = find("no_sales", series(range(9, 0, closed)), { window: [firstDay, lastDay] });
    const latest = { as_of: lastDay, ended_on: null, sentence: expect.stringMatching(/^No sale on \d+ business days/) };
    expect(found).toMatchObject([{ start_date: daysBefore(9), end_date: daysBefore(8), latest }]);
    const ended = find("no_sales", series(range(9, 1, closed)), { window: [firstDay, lastDay] });
    expect(ended).toMatchObject([{ latest: { as_of: daysBefore(1), ended_on: lastDay } }]);
    expect(ended[0]?.latest?.sentence).toContain(` from ${daysBefore(9)} to ${daysBefore(1)}.`);
  });

  test("the weekday on which a shop is closed is no business day", () => {
    const mondays = Object.fromEntries(
      Array.from({ length: 20 }, (_, week) => [daysBefore(6 + 7 * week), closed] as const),
    );
    expect(find("no_sales", series(mondays), { window: [firstDay, lastDay] })).toEqual([]);
    const saturday = { [daysBefore(8)]: closed, [daysBefore(5)]: closed };
    expect(find("no_sales", series({ ...mondays, ...saturday }), { window: [firstDay, lastDay] })).toEqual([]);
    const sunday = { [daysBefore(7)]: closed, [daysBefore(5)]: closed };
    const found = find("no_sales", series({ ...mondays, ...sunday }), { window: [firstDay, lastDay] });
    expect(found).toMatchObject([{ start_date: daysBefore(7), end_date: daysBefore(5) }]);
  });

  test("a shop that opens on one weekday has a pause of as many weeks", () => {
    const isOpen = (day: string) => (Date.parse(lastDay) - Date.parse(day)) % (7 * 86_400_000) === 0;
    const closedDays = (weeks: number) =>
      [...series().keys()].filter((day) => !isOpen(day) || day > daysBefore(7 * weeks));
    const pause = (weeks: number) => series(Object.fromEntries(closedDays(weeks).map((day) => [day, closed])));
    for (const threshold of [1, 2, 3, 7]) {
      const settings = only("no_sales", { threshold, minimum_history: 1 });
      const found = find("no_sales", pause(threshold), { settings, window: [firstDay, lastDay] });
      expect(found).toMatchObject([{ start_date: daysBefore(7 * (threshold - 1)), end_date: lastDay }]);
    }
  });
});

describe("customers of a day", () => {
  const walkIns = (days: number): Changes =>
    Object.fromEntries(
      Array.from({ length: days }, (_, i) => {
        const sales = ["walk-in", "walk-in", "walk-in", "walk-in"].map((one) => soldTo(one));
        const { regulars } = profileDay(sales, { state: "CA", rules: saleRules, settings: defaultInsightSettings });
        return [daysBefore(i + 1), { profile: { regulars } }];
      }),
    );

  test("an account that a shop uses for many people is left out", () => {
    const today = ["walk-in", "walk-in", "walk-in", "walk-in", "a", "a", "a", "a", "a"].map((one) => soldTo(one));
    const found = find("repeat_purchases", series(profiled(today, walkIns(14))));
    expect(found).toMatchObject([{ measured: 5 }]);
    expect(found[0]?.sentence).toContain("one customer");
    const early = find("repeat_purchases", series(profiled(today, walkIns(13))));
    expect(early[0]?.sentence).toContain("2 customers");
  });

  test("one sale above 10,000.00 in cash is found for every customer", () => {
    for (const customer of ["walk-in", null]) {
      const found = find("large_cash_payment", series(profiled(paidInCash(customer, 1_000_001), walkIns(30))));
      expect(found).toMatchObject([{ measured: 1_000_001, unit: "cents" }]);
      expect(find("large_cash_payment", series(profiled(paidInCash(customer, 1_000_000), walkIns(30))))).toEqual([]);
    }
    expect(find("large_cash_payment", series(profiled(paidInCash(null, 600_000, 600_000))))).toEqual([]);
  });

  test("two sales close to a limit are found, and two further below are not", () => {
    expect(find("repeat_purchases", series(profiled(bought(22.8, 22.8))))).toMatchObject([{ measured: 2 }]);
    expect(find("repeat_purchases", series(profiled(bought(22.79, 22.79))))).toEqual([]);
  });

  test("the criterion names the threshold by which the sales were read", () => {
    const paid = series(profiled(paidInCash("a", 600_000, 400_001)));
    const [large] = find("large_cash_payment", paid, {
      settings: only("large_cash_payment", { threshold: 5_000_000 }),
    });
    expect(large).toMatchObject({ measured: 1_000_001, expected: 1_000_000 });
    expect(large?.criterion).toBe("cash of one customer on a day above $10,000.00");
    const bought = series(repeated("a", "a", "a", "a"));
    const [often] = find("repeat_purchases", bought, { settings: only("repeat_purchases", { threshold: 9 }) });
    expect(often?.criterion).toBe("one customer with 4 sales on a day, or two close to a limit");
  });

  test("who may buy for others, and who takes something back, exceeds no limit", () => {
    const [one] = bought(20) as [InsightSale];
    const caregiver = { customer: { ...(one.customer as object), id_type: "caregiver" } } as Partial<InsightSale>;
    const forOthers = bought(20, 20).map((sale) => ({ ...sale, ...caregiver }));
    expect(find("daily_limit_exceeded", series(profiled(forOthers)))).toEqual([]);
    const returned = [...bought(20, 20), soldTo("a", { transaction_type: "return" })];
    expect(find("daily_limit_exceeded", series(profiled(returned)))).toEqual([]);
  });

  test("the retail sales of a day that could not be checked are counted by reason", () => {
    const unchecked = { compliance_status: "unchecked" } as const;
    const { customer, ...sale } = soldTo("a", unchecked);
    const noBirth = { ...sale, customer: customer && { ...customer, dob: null } };
    const sales = [noBirth, soldTo("a", { ...unchecked, transaction_type: "return" }), soldTo("a")];
    const wholesale = soldTo("a", { type: "wholesale" });
    const { profile } = profiled([...sales, wholesale])[lastDay] ?? {};
    expect(profile?.checks).toEqual({ retail: 3, unchecked: { date_of_birth_missing: 1, no_sale: 1 } });
  });

  test("each sale has its receipt and the rule that it breaks", () => {
    const sales = bought(20, 8.52).map((sale, i) => ({ ...sale, pos_sale_id: `R-${i}` }));
    expect(find("daily_limit_exceeded", series(profiled(sales)))).toMatchObject([
      { sales: [0, 1].map((i) => ({ id: sales[i]?.id, receipt: `R-${i}`, rules: ["CA.adult.daily_flower"] })) },
    ]);
  });

  test("a single sale above the limit is a finding of the sale, and no insight of the day", () => {
    expect(find("daily_limit_exceeded", series(profiled(bought(29, 1))))).toEqual([]);
  });

  test("no finding and no profile has an id of a customer", () => {
    const customer = "6f1f77a0-5b52-4d07-9a37-7f7d3f6b1c11";
    const sales = [...paidInCash(customer, 400_000, 400_000, 400_000, 1), ...bought(1)];
    const changes = profiled(sales);
    expect(JSON.stringify([changes, find("repeat_purchases", series(changes))])).not.toContain(customer);
  });
});

describe("flagged sales", () => {
  const flaggedSales = (count: number) =>
    Array.from({ length: count }, () => soldTo(null, { compliance_status: "red_flag" }));

  test("each has an insight of its own, from 20 on a day one insight has those that are not decided", () => {
    const sales = flaggedSales(20);
    expect(find("flagged_sale", series(profiled(sales.slice(1))))).toHaveLength(19);
    const [decided] = sales as [InsightSale];
    const found = find("flagged_sale", series(profiled(sales)), { isDecided: (id) => id === decided.id });
    expect(found).toMatchObject([
      { subject: decided.id, measured: 1 },
      { subject: null, measured: 19 },
    ]);
    expect(found[1]?.sales.map(({ id }) => id)).not.toContain(decided.id);
  });

  test("has its receipt and the rules that it breaks, and a sentence without any text of others", () => {
    const compliance_exceptions = [
      "CA.adult.minimum_age: 17 years, limit 21",
      "CA.adult.sale_flower: 30 g, limit 28.5",
    ];
    const sale = soldTo("a", { compliance_status: "red_flag", compliance_exceptions, pos_sale_id: "10482" });
    const [found] = find("flagged_sale", series(profiled([sale])));
    expect(found).toMatchObject({
      sentence: `A sale on ${lastDay} breaks a sale rule: Minimum age (CA.adult.minimum_age); Flower in one sale (CA.adult.sale_flower).`,
      sales: [{ id: sale.id, receipt: "10482", rules: ["CA.adult.minimum_age", "CA.adult.sale_flower"] }],
    });
    expect(JSON.stringify(found)).not.toContain("17 years");
  });

  test("a share above the threshold in two periods is found once, with the latest share", () => {
    const both = Object.fromEntries(
      [0, 28].map((days) => [daysBefore(days), { figures: { "red_flag.count": 12, "svc_checked.count": 28 } }]),
    );
    const found = find("flagged_sales_share", series(both), { window: [daysBefore(28), lastDay] });
    expect(found).toMatchObject([
      { end_date: daysBefore(28), measured: 1.07, latest: { as_of: lastDay, ended_on: null } },
    ]);
  });
});

describe("licenses", () => {
  const ended = daysBefore(24);
  test("sales after the end are found on the first day, and on the first of each later month", () => {
    const licenses = [license({ endedOn: daysBefore(40) }), license({ endedOn: ended })];
    const found = find("sales_without_active_license", series(), { window: [firstDay, lastDay], licenses });
    expect(found).toMatchObject([
      { start_date: ended, latest: { as_of: "2026-05-31", measured: 40, ended_on: null } },
      { start_date: "2026-06-01", latest: { as_of: lastDay, measured: 40, ended_on: null } },
    ]);
    const { id, number } = license();
    expect(found[0]?.licenses).toEqual([0, 1].map(() => ({ id, number })));
  });

  test.each([
    ["no license is linked", []],
    ["a register says nothing", [license({ endedOn: ended }), license({ isUnknown: true })]],
    ["one license is valid", [license({ endedOn: ended }), license()]],
  ])("nothing is found if %s", (_, licenses) => {
    expect(find("sales_without_active_license", series(), { window: [firstDay, lastDay], licenses })).toEqual([]);
  });
});

test("a variance names the connected licenses, and no other ones", () => {
  const licenses = [license({ id: "CO-b", number: "402R-00999" }), license(), license({ id: "CO-c", number: null })];
  const [found] = find("state_variance", series(), { ...variedBy(10_001), licenses });
  expect(found?.licenses).toMatchObject([{ id: license().id, number: "402R-00417" }]);
});

describe("deposits", () => {
  const unexplained = { status: "deposits_unexplained" } as const;
  const starts = (code: InsightCode, ...days: Partial<BalanceDay>[]) =>
    find(code, series(), deposited(...days)).map(({ start_date }) => start_date);

  test("a row of days is found on its first day, and on the first of each later month", () => {
    const days = Array.from({ length: 25 }, () => unexplained);
    expect(starts("deposits_unexplained", { status: "within" }, ...days)).toEqual([daysBefore(24), "2026-06-01"]);
  });

  test("the latest figures are those of the last day of the row, and say when it ended", () => {
    const days = [-1, -2, -3].map((cents) => ({ ...unexplained, balance_high: cents }));
    const read = (...rest: Partial<BalanceDay>[]) =>
      find("deposits_unexplained", series(), deposited(...days, ...rest)).map(({ measured, latest }) => [
        measured,
        latest?.as_of,
        latest?.measured,
        latest?.ended_on,
      ]);
    expect(read()).toEqual([[1, lastDay, 3, null]]);
    expect(read({ status: "not_compared" })).toEqual([[1, daysBefore(1), 3, null]]);
    expect(read({ status: "not_compared" }, { status: "within" })).toEqual([[1, daysBefore(2), 3, lastDay]]);
  });

  test("deposits that the same count does not explain again and again in a month are found once", () => {
    const [more, less] = [{ ...unexplained, balance_high: -3 }, { status: "within" } as const];
    const read = (...days: Partial<BalanceDay>[]) =>
      find("deposits_unexplained", series(), deposited(...days)).map(({ start_date, latest }) => [
        start_date,
        latest?.as_of,
        latest?.ended_on,
      ]);
    expect(read(more, less, less, more, less)).toEqual([[daysBefore(4), daysBefore(1), lastDay]]);
    expect(read(more, less, { ...more, counted: daysBefore(3) })).toEqual([
      [daysBefore(2), daysBefore(2), daysBefore(1)],
      [lastDay, lastDay, null],
    ]);
    const counts = [daysBefore(40), daysBefore(3)] as const;
    expect(read(less, { ...more, counted: counts[0] }, { ...more, counted: counts[1] }, less)).toEqual([
      [daysBefore(2), daysBefore(2), daysBefore(1)],
      [daysBefore(1), daysBefore(1), lastDay],
    ]);
    const twoMonths = Array.from({ length: 25 }, (_, i) => (i % 7 === 0 ? more : less));
    expect(read(...twoMonths).map(([start]) => start)).toEqual([daysBefore(24), "2026-06-04"]);
  });

  test("the latest figures of a row end with the month, whose next one has its own", () => {
    const days = Array.from({ length: 25 }, (_, i) => ({ ...unexplained, balance_high: -1 - i }));
    const found = find("deposits_unexplained", series(), deposited(...days));
    expect(found.map(({ latest }) => [latest?.as_of, latest?.ended_on])).toEqual([
      ["2026-05-31", null],
      [lastDay, null],
    ]);
  });

  test("a day that is not compared interrupts no row, and another status does", () => {
    const gap = { status: "not_compared" } as const;
    const late = { days_since_deposit: 11 };
    expect(starts("days_without_deposit", late, gap, late)).toEqual([daysBefore(2)]);
    for (const status of ["within", "no_balance", "deposits_unexplained"] as const)
      expect(starts("days_without_deposit", late, { status }, late), status).toEqual([daysBefore(2), lastDay]);
  });

  test("without any deposit, the days since the count are counted", () => {
    const never = (counted: string) => deposited({ days_since_deposit: null, counted });
    expect(find("days_without_deposit", series(), never(daysBefore(11)))).toMatchObject([
      { measured: 11, expected: 10, unit: "days" },
    ]);
    expect(find("days_without_deposit", series(), never(daysBefore(10)))).toEqual([]);
  });

  test("nothing is found before a count, nor on an incomplete day", () => {
    const uncounted = { counted: null, balance_low: null, balance_high: null, days_since_deposit: 90 };
    for (const status of ["no_balance", "not_compared"] as const) {
      for (const code of ["deposits_unexplained", "days_without_deposit"] as const)
        expect(starts(code, { ...uncounted, status })).toEqual([]);
    }
    const incomplete = series({ [lastDay]: null });
    expect(find("deposits_unexplained", incomplete, deposited(unexplained))).toEqual([]);
  });

  test("each count that differs is found, on two days in a row, too, and a state is none of it", () => {
    const short = { status: "count_differs", count_difference: -12_345 } as const;
    expect(starts("cash_count_differs", short, { ...short, count_difference: 500_000 })).toEqual([
      daysBefore(1),
      lastDay,
    ]);
    const [one, other] = find(
      "cash_count_differs",
      series(),
      deposited(short, { ...short, count_difference: 500_000 }),
    );
    expect(one).toMatchObject({ measured: 12_345, expected: 0, unit: "cents" });
    expect(one?.sentence).toContain("is $123.45 below the least that could be at the business");
    expect(other?.sentence).toContain("is $5,000.00 above the most");
    expect([one?.latest, other?.latest]).toEqual([undefined, undefined]);
  });

  test("a count that differs does not interrupt days without a deposit", () => {
    const late = { days_since_deposit: 11, balance_low: 50_000 };
    const counted = { ...late, status: "count_differs", count_difference: 20_000 } as const;
    expect(starts("days_without_deposit", late, counted, late)).toEqual([daysBefore(2)]);
    expect(starts("cash_count_differs", late, counted, late)).toEqual([daysBefore(1)]);
    const empty = { ...counted, balance_low: 10_000 };
    expect(starts("days_without_deposit", late, empty, late)).toEqual([daysBefore(2), lastDay]);
  });

  test("a sentence has the cash without an explanation, and the days without a deposit", () => {
    const [one] = find("deposits_unexplained", series(), deposited(unexplained));
    expect(one).toMatchObject({ measured: 20_000, expected: 0, unit: "cents" });
    expect(one?.sentence).toContain("$200.00 more cash was deposited");
    const late = { days_since_deposit: 12, balance_low: 1_234_500 };
    const [other] = find("days_without_deposit", series(), deposited(late));
    expect(other?.sentence).toContain("at least $12,345.00 of cash was at the business, after 12 days");
  });
});

describe("texts", () => {
  test("a sentence says the figures with their units, and the day", () => {
    const [found] = find("revenue_above_baseline", series(day({ total_paid: 1_240_000 })));
    expect(found).toMatchObject({ measured: 1_240_000, expected: 400_000, unit: "cents" });
    expect(found?.sentence).toBe(
      "The sales of Sunday 2026-06-21 were $12,400.00, 3.1 times the median of 8 earlier Sundays ($4,000.00).",
    );
  });

  test("a comparison with other businesses shows none of their values", () => {
    const [found] = find("peer_outlier", series(day({ total_paid: 400_003 }, "2026-05-10")), peers(5));
    expect(found?.expected).toBeNull();
    expect(JSON.stringify(found)).not.toContain(String(perMonth / 3));
  });
});

describe("order of arrival", () => {
  test("the profile of a day does not depend on the order of its sales", () => {
    const sales = [
      ...paidInCash("a", 700_000, 700_000),
      ...bought(20, 20),
      ...["b", "b", "b", "b"].map((one) => soldTo(one)),
    ];
    const profileOf = (all: readonly InsightSale[]): DayProfile =>
      profileDay(all, { state: "CA", rules: saleRules, settings: defaultInsightSettings });
    expect(profileOf([...sales].reverse())).toEqual(profileOf(sales));
  });
});
