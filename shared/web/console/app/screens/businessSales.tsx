import { useMemo } from "preact/hooks";
import { unclearPaymentTypes } from "../../../../api/enumerations.ts";
import { formatShortDay } from "../../../browser/formatDay.ts";
import { useDraft } from "../drafts.ts";
import type { Place } from "../findScreen.ts";
import { dollars, inDollars, rangeInDollars } from "../money.ts";
import type { Output } from "../operations.ts";
import { BusinessFrame } from "../parts/businessFrame.tsx";
import { Choice } from "../parts/choice.tsx";
import { type Column, DataTable } from "../parts/dataTable.tsx";
import { type ChartDay, DayChart } from "../parts/dayChart.tsx";
import { Empty } from "../parts/empty.tsx";
import { Figure, Figures } from "../parts/figures.tsx";
import { Loaded } from "../parts/loaded.tsx";
import { State } from "../parts/mark.tsx";
import { Range } from "../parts/range.tsx";
import { reconciliationState, type StateWords } from "../texts.ts";
import { useRead } from "../useRead.ts";

type SalesDay = Output<"listCrbSalesDays">["data"][number];
type ReconciliationDay = Output<"listReconciliationDays">["data"][number];

/** A business day with its sales and, if it is compared, its deposits. */
interface Day {
  date: string;
  sales: SalesDay | undefined;
  compared: ReconciliationDay | undefined;
}

const amountOf = (day: SalesDay | undefined, types: readonly string[]): number =>
  day?.by_payment.reduce((sum, { type, amount }) => sum + (types.includes(type) ? amount : 0), 0) ?? 0;

/** The cash of a day; a range where the POS does not say how it was paid. */
const cashOf = ({ sales, compared }: Day): [low: number, high: number] => {
  if (compared) return [compared.cash_sales_low, compared.cash_sales_high];
  const cash = amountOf(sales, ["cash"]);
  const unclear = unclearPaymentTypes.map((type) => amountOf(sales, [type]));
  const sum = (bound: (amount: number) => number) => unclear.reduce((all, amount) => all + bound(amount), cash);
  return [sum((amount) => Math.min(amount, 0)), sum((amount) => Math.max(amount, 0))];
};
const cardsOf = ({ sales }: Day): number => amountOf(sales, ["debit", "credit"]);
const transfersOf = ({ sales }: Day): number => amountOf(sales, ["ach", "wire", "check"]);

function dayState({ sales }: Day): StateWords {
  if (!sales) return ["idle", "No sales"];
  if (!sales.complete) return ["wait", "Incomplete"];
  return sales.revision > 0 ? ["wait", "Revised"] : ["good", "Complete"];
}

const amount = (amountIn: (day: Day) => number | undefined) => ({
  isNumber: true,
  cell: (day: Day) => (amountIn(day) ? dollars(amountIn(day) ?? 0) : ""),
  csv: (day: Day) => (amountIn(day) === undefined ? null : (amountIn(day) ?? 0) / 100),
});

const columns: readonly Column<Day>[] = [
  { label: "Day", cell: ({ date }) => formatShortDay(`${date}T12:00`), csv: ({ date }) => date },
  { label: "Sales", ...amount(({ sales }) => sales?.total_paid) },
  {
    label: "Cash sold",
    isNumber: true,
    cell: (day) =>
      day.sales?.complete ? <Range low={cashOf(day)[0]} high={cashOf(day)[1]} /> : <span class="faint">not yet</span>,
    csv: (day) => cashOf(day)[0] / 100,
  },
  { label: "Card", ...amount(cardsOf) },
  { label: "Transfer, check", ...amount(transfersOf) },
  { label: "Deposited", ...amount(({ compared }) => compared?.cash_deposited) },
  {
    label: "Cash there",
    isNumber: true,
    cell: ({ compared }) =>
      compared?.balance_low == null || compared.balance_high === null ? (
        <span class="faint">not counted</span>
      ) : (
        <Range low={compared.balance_low} high={compared.balance_high} />
      ),
    csv: ({ compared }) => (compared?.balance_low == null ? null : compared.balance_low / 100),
  },
  {
    label: "Deposits",
    cell: ({ compared }) => <State of={reconciliationState(compared?.status ?? "no_balance")} />,
    csv: ({ compared }) => compared?.status ?? null,
  },
  { label: "Day is", cell: (day) => <State of={dayState(day)} />, csv: (day) => dayState(day)[1] },
];

const periods: Readonly<Record<string, number>> = { "28 days": 28, "90 days": 90, "A year": 366 };

/** Sales, deposits and cash of a business by day: does the cash that is sold arrive? */
export function BusinessSales({ parameters: { crb_id = "" } }: Place) {
  const [period, setPeriod] = useDraft("period", "28 days");
  const limit = periods[period] ?? 28;
  const path = { crb_id };
  const sales = useRead("listCrbSalesDays", { path, query: { limit } });
  const compared = useRead("listReconciliationDays", { path, query: { limit } });
  const days = useMemo(
    () => joinDays(sales.data?.data ?? [], compared.data?.data ?? []).slice(0, limit),
    [sales.data, compared.data, limit],
  );
  return (
    <BusinessFrame crbId={crb_id} part="">
      {({ timezone }) => (
        <Loaded of={sales} name="The sales days">
          {({ data }) =>
            data.length === 0 ? (
              <Empty title="No sales yet">
                <p>Days appear here as soon as the point of sale is read for the first time.</p>
              </Empty>
            ) : (
              <>
                <Alarm days={days} />
                <Summary days={days} />
                <section aria-labelledby="chart">
                  <div class="section-head">
                    <h2 id="chart">Sales and cash deposits</h2>
                    <div class="bar">
                      <Choice
                        id="period"
                        label="Period"
                        value={period}
                        options={Object.keys(periods)}
                        changed={setPeriod}
                      />
                    </div>
                  </div>
                  <figure class="panel pad">
                    <DayChart days={toChart(days)} title="Sales, cash deposits and cash at the business by day" />
                    <Legend />
                  </figure>
                </section>
                {compared.problem && <p class="problem-words">{compared.problem}</p>}
                <DataTable
                  title="Day by day"
                  caption={`US dollars, net of returns, newest day first. Days in the time zone ${timezone}.`}
                  columns={columns}
                  rows={days}
                  keyOf={({ date }) => date}
                  operation="listReconciliationDays"
                  file="days"
                  narrowRows={14}
                />
              </>
            )
          }
        </Loaded>
      )}
    </BusinessFrame>
  );
}

/** All days of both lists, newest first. */
function joinDays(sales: readonly SalesDay[], compared: readonly ReconciliationDay[]): Day[] {
  const dates = new Set([...sales, ...compared].map(({ date }) => date));
  return [...dates]
    .sort()
    .reverse()
    .map((date) => ({
      date,
      sales: sales.find((day) => day.date === date),
      compared: compared.find((day) => day.date === date),
    }));
}

/** Cash that no sale explains, on the newest day that is compared. */
function Alarm({ days }: { days: readonly Day[] }) {
  const newest = days.find(({ compared }) => compared && compared.status !== "not_compared")?.compared;
  if (newest?.status !== "deposits_unexplained" && newest?.status !== "cash_outstanding") return null;
  const { balance_low, balance_high, date, days_since_deposit } = newest;
  return newest.status === "deposits_unexplained" ? (
    <div class="notice act">
      <h2>{inDollars(-(balance_high ?? 0))} of cash that no sale explains</h2>
      <p>
        Up to {formatShortDay(`${date}T12:00`)}, more cash was deposited than the business can have had, even if every
        unclear payment was cash.
      </p>
    </div>
  ) : (
    <div class="notice look">
      <h2>At least {inDollars(balance_low ?? 0)} of cash has not arrived</h2>
      <p>
        {days_since_deposit === null
          ? "No deposit of cash is known."
          : `The last deposit of cash was ${days_since_deposit} days before ${formatShortDay(`${date}T12:00`)}.`}
      </p>
    </div>
  );
}

function Summary({ days }: { days: readonly Day[] }) {
  const complete = days.filter(({ sales }) => sales?.complete);
  const total = (amountIn: (day: Day) => number) => complete.reduce((sum, day) => sum + amountIn(day), 0);
  const sales = total((day) => day.sales?.total_paid ?? 0);
  const [low, high] = [total((day) => cashOf(day)[0]), total((day) => cashOf(day)[1])];
  const deposits = days.filter(({ compared }) => compared?.cash_deposited);
  const newest = days.find(({ compared }) => compared && compared.status !== "not_compared")?.compared;
  const share = (cents: number) => `${((100 * cents) / Math.max(1, sales)).toFixed(1)}%`;
  const incomplete = days.length - complete.length;
  return (
    <Figures>
      <Figure
        label={`Sales, ${complete.length} days`}
        value={inDollars(sales)}
        completeness={`complete days; ${incomplete} incomplete left out`}
        operation="listCrbSalesDays"
      />
      <Figure
        label="of it cash"
        value={low === high ? share(low) : `${share(low)} to ${share(high)}`}
        completeness={rangeInDollars(low, high)}
        operation="listCrbSalesDays"
      />
      <Figure
        label="Cash deposited"
        value={inDollars(deposits.reduce((sum, { compared }) => sum + (compared?.cash_deposited ?? 0), 0))}
        completeness={
          deposits[0]
            ? `on ${deposits.length} days, last on ${formatShortDay(`${deposits[0].date}T12:00`)}`
            : "no deposit is known"
        }
        operation="listReconciliationDays"
      />
      <Figure
        label={newest ? `Cash there, ${formatShortDay(`${newest.date}T12:00`)}` : "Cash there"}
        value={
          newest?.balance_low == null || newest.balance_high === null
            ? "not counted"
            : rangeInDollars(newest.balance_low, newest.balance_high, 0)
        }
        completeness={
          newest?.counted
            ? `since the count of ${formatShortDay(`${newest.counted}T12:00`)}; below 0 means more was deposited than sold`
            : "needs a cash count"
        }
        operation="listReconciliationDays"
      />
    </Figures>
  );
}

const toChart = (days: readonly Day[]): ChartDay[] =>
  days.toReversed().map((day) => {
    const [cashLow, cashHigh] = cashOf(day);
    const { compared, sales } = day;
    return {
      ...{ date: day.date, complete: sales?.complete ?? true, sales: sales?.total_paid ?? 0 },
      ...{ cashLow, cashHigh, cards: cardsOf(day), deposited: compared?.cash_deposited ?? 0 },
      isUnexplained: compared?.status === "deposits_unexplained",
      ...{ balanceLow: compared?.balance_low ?? null, balanceHigh: compared?.balance_high ?? null },
    };
  });

function Legend() {
  const keys: [string, string][] = [
    ["c-cash", "cash"],
    ["c-card", "card"],
    ["c-transfer", "everything else"],
    ["c-deposit", "deposit"],
  ];
  return (
    <figcaption>
      <ul class="legend">
        {keys.map(([shape, words]) => (
          <li key={shape}>
            <svg viewBox="0 0 16 12" aria-hidden="true">
              <rect class={shape} width="16" height="12" />
            </svg>
            {words}
          </li>
        ))}
      </ul>
      Hatched: the point of sale does not say how it was paid, so cash is a range; hatched grey: an incomplete day. The
      range at the business begins again with each cash count, because it widens every day.
    </figcaption>
  );
}
