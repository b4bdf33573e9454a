import { useMemo } from "preact/hooks";
import { unclearPaymentTypes } from "../../../../api/enumerations.ts";
import { formatShortDay } from "../../../browser/formatDay.ts";
import { Choice } from "../../../browser/parts.tsx";
import { useDraft } from "../drafts.ts";
import type { Place } from "../findScreen.ts";
import { dollars, inDollars, rangeInDollars } from "../money.ts";
import type { Output } from "../operations.ts";
import { BusinessFrame } from "../parts/businessFrame.tsx";
import { type Column, DataTable } from "../parts/dataTable.tsx";
import { type ChartDay, DayChart } from "../parts/dayChart.tsx";
import { Figures, Loaded, Section } from "../parts/layout.tsx";
import { State } from "../parts/mark.tsx";
import { StateDays } from "../parts/stateDays.tsx";
import { dayState, reconciliationState } from "../texts.ts";
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

/** A column of amounts; an amount of 0 is not shown. */
const amount = (label: string, value: (day: Day) => number | undefined): Column<Day> => ({
  ...{ label, value, kind: "cents" },
  shown: (day) => (value(day) ? dollars(value(day) ?? 0) : ""),
});

const columns: readonly Column<Day>[] = [
  { label: "Day", value: ({ date }) => date, shown: ({ date }) => formatShortDay(date) },
  amount("Sales", ({ sales }) => sales?.total_paid),
  {
    label: "Cash sold",
    kind: "cents",
    value: (day) => (day.sales?.complete ? cashOf(day)[0] : null),
    high: (day) => cashOf(day)[1],
    none: "not yet",
  },
  amount("Card", cardsOf),
  amount("Transfer, check", transfersOf),
  amount("Deposited", ({ compared }) => compared?.cash_deposited),
  {
    label: "Cash on hand",
    kind: "cents",
    value: ({ compared }) => compared?.balance_low,
    high: ({ compared }) => compared?.balance_high,
    none: "not counted",
  },
  {
    label: "Deposits",
    value: ({ compared }) => compared?.status,
    shown: ({ compared }) => <State of={reconciliationState(compared?.status ?? "no_balance")} />,
  },
  { label: "Day is", value: ({ sales }) => dayState(sales)[1], shown: ({ sales }) => <State of={dayState(sales)} /> },
];

const periods: Readonly<Record<string, number>> = { "28 days": 28, "90 days": 90, "A year": 366 };

/** Sales, deposits and cash of a business by day: does the cash that is sold arrive? */
export function BusinessSales({ parameters: { crb_id = "" } }: Place) {
  const [period, setPeriod] = useDraft("period", "28 days");
  const input = { path: { crb_id }, query: { limit: periods[period] ?? 28 } };
  const sales = useRead("listCrbSalesDays", input);
  const compared = useRead("listReconciliationDays", input);
  const days = useMemo(
    () => joinDays(sales.data?.data ?? [], compared.data?.data ?? []).slice(0, input.query.limit),
    [sales.data, compared.data, input.query.limit],
  );
  const choice = (
    <div class="bar">
      <Choice id="period" label="Period" value={period} options={Object.keys(periods)} changed={setPeriod} />
    </div>
  );
  return (
    <BusinessFrame crbId={crb_id} part="">
      {({ timezone }) => (
        <Loaded
          of={sales}
          name="The sales days"
          empty={["No sales yet", "Days appear here as soon as the point of sale is read for the first time."]}
        >
          {() => (
            <>
              <Alarm days={days} />
              <Summary days={days} />
              <Section title="Sales and cash deposits" side={choice}>
                <figure class="panel pad">
                  <DayChart days={toChart(days)} title="Sales, cash deposits and cash at the business by day" />
                  <Legend />
                </figure>
              </Section>
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
              <StateDays {...input} />
            </>
          )}
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

/** The newest day that is compared. */
const newestIn = (days: readonly Day[]): ReconciliationDay | undefined =>
  days.find(({ compared }) => compared && compared.status !== "not_compared")?.compared;

/** Cash that no sale explains or that has not arrived, on the newest day that is compared. */
function Alarm({ days }: { days: readonly Day[] }) {
  const newest = newestIn(days);
  if (newest?.status === "deposits_unexplained")
    return (
      <div class="notice act">
        <h2>{inDollars(-(newest.balance_high ?? 0))} of cash that no sale explains</h2>
        <p>
          Up to {formatShortDay(newest.date)}, more cash was deposited than the business can have had, even if every
          unclear payment was cash.
        </p>
      </div>
    );
  if (newest?.status === "cash_outstanding")
    return (
      <div class="notice look">
        <h2>At least {inDollars(newest.balance_low ?? 0)} of cash has not arrived</h2>
        <p>
          {newest.days_since_deposit === null
            ? "No deposit of cash is known."
            : `The last deposit of cash was ${newest.days_since_deposit} days before ${formatShortDay(newest.date)}.`}
        </p>
      </div>
    );
  return null;
}

function Summary({ days }: { days: readonly Day[] }) {
  const complete = days.filter(({ sales }) => sales?.complete);
  const total = (amountIn: (day: Day) => number) => complete.reduce((sum, day) => sum + amountIn(day), 0);
  const sales = total((day) => day.sales?.total_paid ?? 0);
  const [low, high] = [total((day) => cashOf(day)[0]), total((day) => cashOf(day)[1])];
  const share = (cents: number) => `${((100 * cents) / Math.max(1, sales)).toFixed(1)}%`;
  const deposits = days.flatMap(({ compared }) => (compared?.cash_deposited ? [compared] : []));
  const deposited = deposits.reduce((sum, { cash_deposited }) => sum + cash_deposited, 0);
  const newest = newestIn(days);
  return (
    <Figures
      operation="listReconciliationDays"
      of={[
        [
          `Sales, ${complete.length} days`,
          inDollars(sales),
          `complete days; ${days.length - complete.length} incomplete left out`,
          "listCrbSalesDays",
        ],
        [
          "of it cash",
          low === high ? share(low) : `${share(low)} to ${share(high)}`,
          rangeInDollars(low, high),
          "listCrbSalesDays",
        ],
        [
          "Cash deposited",
          inDollars(deposited),
          deposits[0]
            ? `on ${deposits.length} days, last on ${formatShortDay(deposits[0].date)}`
            : "no deposit is known",
        ],
        [
          newest ? `Cash on hand, ${formatShortDay(newest.date)}` : "Cash on hand",
          newest?.balance_low == null || newest.balance_high === null
            ? "not counted"
            : rangeInDollars(newest.balance_low, newest.balance_high, 0),
          newest?.counted
            ? `since the count of ${formatShortDay(newest.counted)}; below 0 means more was deposited than sold`
            : "needs a cash count",
        ],
      ]}
    />
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

const legend = { "c-cash": "cash", "c-card": "card", "c-transfer": "everything else", "c-deposit": "deposit" };

function Legend() {
  return (
    <figcaption>
      <ul class="list legend">
        {Object.entries(legend).map(([shape, words]) => (
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
