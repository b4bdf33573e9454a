import { dollars, type Finding, followState } from "./history.ts";
import type { InsightCode } from "./insightCodes.ts";

// The codes about deposits. Balances go back to the last cash count, so the comparison of deposits keeps the cases, and insights
// read them.

/** The fields of a reconciliation day that the codes judge (docs/spec.md#reconciliation-days). */
export interface BalanceDay {
  date: string;
  balance_low: number | null;
  balance_high: number | null;
  counted: string | null;
  count_difference: number | null;
  days_since_deposit: number | null;
  status: "within" | "count_differs" | "deposits_unexplained" | "cash_outstanding" | "not_compared" | "no_balance";
}

/** The settings of the reconciliation that the criteria name. */
export interface DepositLimits {
  tolerance_amount: number;
  tolerance_percent: number;
  max_days_without_deposit: number;
}

/** The finding of a code about deposits on a day. */
interface HeldDay {
  date: string;
  /** cents that the sales do not explain, or days without a deposit */
  measured: number;
  /** the least cash at the business, or the difference of the count, cents */
  balance: number;
  /** the day of the cash count from which the balance starts */
  counted: string;
}

type Held = { code: DepositCase["code"]; day: HeldDay };

/** A day on which a code about deposits begins to hold. */
export interface DepositCase extends HeldDay, DepositLimits {
  code: Extract<InsightCode, "deposits_unexplained" | "cash_count_differs" | "days_without_deposit">;
  /** the last day before the next case on which it held */
  latest: HeldDay;
  /** the first day on which it held no more, yyyy-MM-dd; null if none is known */
  ended: string | null;
}

/**
 * The days on which a code begins to hold, and the first day of each later month on which it still holds; of counts, each that
 * differs. Days that are not compared interrupt nothing.
 *
 * @param days in their order
 */
export function depositCases(days: readonly BalanceDay[], limits: DepositLimits): DepositCase[] {
  const compared = days.filter(({ status }) => status !== "not_compared");
  return [...stateCases(compared, limits), ...compared.flatMap((day) => countCase(day, limits) ?? [])];
}

/** The case of a count that differs. A count is no state that lasts. */
function countCase(
  { date, status, counted, count_difference: difference }: BalanceDay,
  limits: DepositLimits,
): DepositCase | undefined {
  if (status !== "count_differs" || counted === null || difference === null) return undefined;
  const day = { date, measured: Math.abs(difference), balance: difference, counted };
  return { code: "cash_count_differs", ...day, ...limits, latest: day, ended: null };
}

function stateCases(compared: readonly BalanceDay[], limits: DepositLimits): DepositCase[] {
  const held = compared.map((day) => holdsOn(day, limits));
  const heldOn = new Map(compared.map(({ date }, i) => [date, held[i]]));
  const dates = [...heldOn.keys()];
  return held.flatMap((found, i): DepositCase[] => {
    if (!found || held.slice(0, i).some((before, j) => before && isSameCase(before, found, j === i - 1))) return [];
    const goesOn = (date: string) => {
      const present = heldOn.get(date);
      const isHeld = present !== undefined && isAlike(found, present);
      return isHeld || held.some((later) => later && later.day.date > date && isSameCase(found, later, false));
    };
    const { as_of, ended_on } = followState(dates.slice(i), goesOn);
    const latest = heldOn.get(as_of)?.day ?? found.day;
    return [{ code: found.code, ...found.day, ...limits, latest, ended: ended_on }];
  });
}

/** Whether two days have the same code, of deposits that sales do not explain since the same count. */
const isAlike = (one: Held, other: Held): boolean =>
  one.code === other.code && (one.code !== "deposits_unexplained" || one.day.counted === other.day.counted);

/**
 * Whether two days of a month on which a code holds are of one case. Sales hide deposits that they do not explain until the next
 * deposit, so days in between end no case of `deposits_unexplained`.
 */
function isSameCase(before: Held, later: Held, isNext: boolean): boolean {
  const isSameMonth = before.day.date.slice(0, 7) === later.day.date.slice(0, 7);
  return isAlike(before, later) && isSameMonth && (isNext || later.code === "deposits_unexplained");
}

function holdsOn({ date, status, counted, ...day }: BalanceDay, limits: DepositLimits): Held | undefined {
  const { balance_low: balance, balance_high: high, days_since_deposit } = day;
  if (counted === null || balance === null || high === null) return undefined;
  const found = { date, balance, counted };
  if (status === "deposits_unexplained") return { code: "deposits_unexplained", day: { ...found, measured: -high } };
  const measured = days_since_deposit ?? (Date.parse(date) - Date.parse(counted)) / 86_400_000;
  // Cash can also be outstanding although some is deposited daily.
  // A count that differs hides the other status of its day. No cash was sold since it, so the tolerance is the amount.
  const isOutstanding =
    status === "cash_outstanding" || (status === "count_differs" && balance > limits.tolerance_amount);
  const isLate = isOutstanding && measured > limits.max_days_without_deposit;
  return isLate ? { code: "days_without_deposit", day: { ...found, measured } } : undefined;
}

/** The findings about the deposits of a day. */
export function depositFindings(cases: readonly DepositCase[], date: string): Finding[] {
  return cases.filter((each) => each.date === date).map(toFinding);
}

function toFinding(found: DepositCase): Finding {
  const { code, date, latest, ended, max_days_without_deposit: maxDays } = found;
  const tolerance = `the greater of ${dollars(found.tolerance_amount)} and ${found.tolerance_percent} % of the cash sales since the count`;
  const texts = {
    deposits_unexplained: {
      expected: 0,
      unit: "cents",
      criterion: `more cash was deposited than the sales explain, by more than ${tolerance}; once for each count, and again in each later month`,
      sentence: (day: HeldDay) =>
        `Up to ${day.date}, ${dollars(day.measured)} more cash was deposited than the sales since the count on ${day.counted} explain, even if every unclear payment was cash.`,
    },
    cash_count_differs: {
      expected: 0,
      unit: "cents",
      criterion: `a cash count is outside what could be at the business, by more than ${tolerance}`,
      sentence: ({ date, measured, balance }: HeldDay) =>
        balance < 0
          ? `The cash count of ${date} is ${dollars(measured)} below the least that could be at the business, by its sales and deposits since the count before.`
          : `The cash count of ${date} is ${dollars(measured)} above the most that could be at the business, even if every unclear payment since the count before was cash.`,
    },
    days_without_deposit: {
      expected: maxDays,
      unit: "days",
      criterion: `more than ${maxDays} days without a deposit of cash, while more is at the business than ${tolerance}; once a month`,
      sentence: (day: HeldDay) =>
        `On ${day.date}, at least ${dollars(day.balance)} of cash was at the business, after ${day.measured} days without a deposit of cash.`,
    },
  } as const;
  const { sentence, ...text } = texts[code];
  const figuresOf = (day: HeldDay) => ({ measured: day.measured, expected: text.expected, sentence: sentence(day) });
  return {
    code,
    ...{ start_date: date, end_date: date, subject: null, ...text, ...figuresOf(found) },
    // A count is no state that lasts.
    ...(code !== "cash_count_differs" && { latest: { as_of: latest.date, ...figuresOf(latest), ended_on: ended } }),
    ...ofDay(date),
  };
}

const ofDay = (date: string) => ({ windows: [[date, date]] as const, sales: [] });
