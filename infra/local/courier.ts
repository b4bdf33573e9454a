import type { CashCount, DepositRequest } from "../../shared/api/schemas/deposit.ts";
import type { ReconciliationDay } from "../../shared/api/schemas/reconciliation.ts";

/**
 * How a courier carries the cash of a simulated business to the bank:
 *
 * - `daily`: each morning, all cash of the day before, except the float
 * - `weekdays`: the same, but cash of Friday to Sunday on Monday
 * - `cashless_atm`: as `weekdays`; customers also get cash back from card payments, which the processor settles in full
 * - `loan`: as `weekdays`; the owner also lends the business money, once by wire and once in cash
 * - `keeps`: as `weekdays`, but a half of the cash stays for good
 * - `unexplained`: as `weekdays`; twice a week, cash comes along that no sale explains
 */
export const courierScripts = ["daily", "weekdays", "cashless_atm", "loan", "keeps", "unexplained"] as const;
export type CourierScript = (typeof courierScripts)[number];

/** The cash that stays in the registers, in cents. */
const float = 150_000;
/** The loan, and the cash that no sale explains, in cents. */
const [lent, extra] = [2_500_000, 950_000];
/** Cents that a customer gets back on average for each dollar that is paid by card. */
const cashBack = 12;
/** Days until the processor settles card payments. */
const settlementDays = 2;

/** What the bank stores about a period: the count before its first day, and the deposits of its days. */
export interface Delivery {
  count: CashCount;
  deposits: DepositRequest[];
}

type SoldDay = Pick<ReconciliationDay, "date" | "cash_sales_low" | "card_sales">;

/**
 * The deposits that a courier brings. They follow from the script and from the sales alone.
 *
 * @param days the days of the period, in their order. At the end of the first one, the cash is counted
 */
export function deliver(script: CourierScript, days: readonly SoldDay[]): Delivery {
  const first = days[0] as SoldDay;
  const deposits: DepositRequest[] = [];
  const add = (name: string, date: string, amount: number, more: Partial<DepositRequest> = {}) => {
    if (amount > 0) deposits.push({ id: `${date}-${name}`, posted_date: date, amount, type: "cash", ...more });
  };
  /** The cash above the float that the courier has not been offered yet. */
  let held = Math.max(first.cash_sales_low, 0);
  for (const [i, day] of days.entries()) {
    if (i === 0) continue;
    const weekday = new Date(day.date).getUTCDay();
    const isOpen = script === "daily" || (weekday !== 0 && weekday !== 6);
    if (isOpen) {
      add("cash", day.date, script === "keeps" ? Math.floor(held / 2) : held);
      held = Math.min(held, 0);
    }
    if (script === "unexplained" && (weekday === 2 || weekday === 4)) add("extra", day.date, extra);
    if (script === "loan" && i === 5) add("loan", day.date, lent, { type: "wire", excluded_reason: "loan" });
    if (script === "loan" && i === 9) add("loan", day.date, lent / 5, { excluded_reason: "loan" });
    const settled = days[i - settlementDays];
    if (settled) add("card", day.date, withCashBack(script, settled.card_sales), { type: "card" });
    held += day.cash_sales_low - (withCashBack(script, day.card_sales) - day.card_sales);
  }
  return { count: { date: first.date, amount: float + Math.max(first.cash_sales_low, 0) }, deposits };
}

function withCashBack(script: CourierScript, card: number): number {
  return script === "cashless_atm" ? card + Math.floor((card * cashBack) / 100) : card;
}
