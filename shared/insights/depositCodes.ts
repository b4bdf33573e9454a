import { dollars, type Finding } from "./history.ts";
import type { InsightCode } from "./insightCodes.ts";

// The codes about deposits. Balances go back to the last cash count, so the comparison of deposits keeps the cases, and insights
// read them.

/** The fields of a reconciliation day that the codes judge (docs/spec.md#reconciliation-days). */
export interface BalanceDay {
  date: string;
  balance_low: number | null;
  balance_high: number | null;
  counted: string | null;
  days_since_deposit: number | null;
  status: "within" | "deposits_unexplained" | "cash_outstanding" | "not_compared" | "no_balance";
}

/** The settings of the reconciliation that the criteria name. */
export interface DepositLimits {
  tolerance_amount: number;
  tolerance_percent: number;
  max_days_without_deposit: number;
}

/** A day on which a code about deposits begins to hold. */
export interface DepositCase extends DepositLimits {
  code: Extract<InsightCode, "deposits_unexplained" | "days_without_deposit">;
  date: string;
  /** cents that the sales do not explain, or days without a deposit */
  measured: number;
  /** the least cash at the business, cents */
  balance: number;
  /** the day of the cash count from which the balance starts */
  counted: string;
}

/**
 * The days on which a code begins to hold, and the first day of each later month on which it still holds. Days that are not
 * compared interrupt nothing.
 *
 * @param days in their order
 */
export function depositCases(days: readonly BalanceDay[], limits: DepositLimits): DepositCase[] {
  const compared = days.filter(({ status }) => status !== "not_compared");
  const held = compared.map((day) => caseOf(day, limits));
  return held.filter((found, i): found is DepositCase => {
    const before = held[i - 1];
    return found !== undefined && (before?.code !== found.code || before.date.slice(0, 7) !== found.date.slice(0, 7));
  });
}

function caseOf({ date, status, counted, ...day }: BalanceDay, limits: DepositLimits): DepositCase | undefined {
  const { balance_low: balance, balance_high: high, days_since_deposit } = day;
  if (counted === null || balance === null || high === null) return undefined;
  const found = { date, balance, counted, ...limits };
  if (status === "deposits_unexplained") return { code: "deposits_unexplained", measured: -high, ...found };
  const measured = days_since_deposit ?? (Date.parse(date) - Date.parse(counted)) / 86_400_000;
  // Cash can also be outstanding although some is deposited daily.
  const isLate = status === "cash_outstanding" && measured > limits.max_days_without_deposit;
  return isLate ? { code: "days_without_deposit", measured, ...found } : undefined;
}

/** The findings about the deposits of a day. */
export function depositFindings(cases: readonly DepositCase[], date: string): Finding[] {
  return cases.filter((each) => each.date === date).map(toFinding);
}

function toFinding(found: DepositCase): Finding {
  const { code, date, measured, balance, counted, max_days_without_deposit: maxDays } = found;
  const tolerance = `the greater of ${dollars(found.tolerance_amount)} and ${found.tolerance_percent} % of the cash sales since the count`;
  const texts = {
    deposits_unexplained: {
      expected: 0,
      unit: "cents",
      criterion: `more cash was deposited than the sales explain, by more than ${tolerance}; once a month`,
      sentence: `Up to ${date}, ${dollars(measured)} more cash was deposited than the sales since the count on ${counted} explain, even if every unclear payment was cash.`,
    },
    days_without_deposit: {
      expected: maxDays,
      unit: "days",
      criterion: `more than ${maxDays} days without a deposit of cash, while more is at the business than ${tolerance}; once a month`,
      sentence: `On ${date}, at least ${dollars(balance)} of cash was at the business, after ${measured} days without a deposit of cash.`,
    },
  } as const;
  return { code, start_date: date, end_date: date, subject: null, measured, ...texts[code], ...ofDay(date) };
}

const ofDay = (date: string) => ({ windows: [[date, date]] as const, saleIds: [] });
