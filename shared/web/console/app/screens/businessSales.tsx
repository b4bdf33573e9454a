import { useMemo, useState } from "preact/hooks";
import { Dialog } from "../../../browser/confirmation.tsx";
import { formatShortDay } from "../../../browser/formatDay.ts";
import { Choice } from "../../../browser/parts.tsx";
import { cardsOf, cashOf, type Day, joinDays, transfersOf } from "../days.ts";
import type { Place } from "../findScreen.ts";
import { counted, dollars, inDollars, rangeInDollars, shareOf } from "../format.ts";
import type { Output } from "../operations.ts";
import { BusinessFrame } from "../parts/businessFrame.tsx";
import { DayChart } from "../parts/dayChart.tsx";
import { Figures, Loaded, Reading, Section } from "../parts/layout.tsx";
import { Legend } from "../parts/marks.tsx";
import { RemoveButton } from "../parts/removeButton.tsx";
import { type Column, DataTable, day, number, state, text } from "../parts/table.tsx";
import { useRead, useSession } from "../session.tsx";
import { useDraft } from "../storage.ts";
import { dayState, depositName, excludedReason, reconciliationState } from "../texts.ts";

type StateDay = Output<"listStateDays">["data"][number];
type Deposit = Output<"listDeposits">["data"][number];

/** A column of amounts; an amount of 0 is not shown. */
const amount = (label: string, value: (day: Day) => number | undefined): Column<Day> =>
  number(label, value, "cents", { shown: (day) => (value(day) ? dollars(value(day) ?? 0) : "") });

/** Whether a cash count of the day differs from what could be there by more than the tolerance. */
const isCountWrong = ({ compared }: Day): boolean => compared?.status === "count_differs";

/** The count of a day, from which its balance begins, against what could have been there. */
function wordsOfCount({ compared }: Day): string | undefined {
  if (!compared || compared.counted !== compared.date || compared.balance_low === null) return undefined;
  const { balance_low: amount, count_difference: difference } = compared;
  const found = `counted ${inDollars(amount)}`;
  if (difference === null) return `${found}; nothing to compare with`;
  if (difference === 0) return `${found}, as expected`;
  const expected = `${difference < 0 ? "at least" : "at most"} ${inDollars(amount - difference)}`;
  return `${found}, expected ${expected}: ${difference > 0 ? "+" : ""}${inDollars(difference)}`;
}

const columnsWith = (open: (date: string) => void): readonly Column<Day>[] => [
  day("Day", ({ date }) => date, {
    shown: ({ date }) => (
      <button type="button" class="link" onClick={() => open(date)}>
        {formatShortDay(date)}
        <span class="unseen">: postings</span>
      </button>
    ),
  }),
  amount("Sales", ({ sales }) => sales?.total_paid),
  number("Cash sold", (row) => (row.sales?.complete ? cashOf(row)[0] : null), "cents", {
    high: (row) => cashOf(row)[1],
    none: "not yet",
  }),
  amount("Card", cardsOf),
  amount("Transfer, check", transfersOf),
  amount("Cash deposited", ({ compared }) => compared?.cash_deposited),
  number("Cash on hand", ({ compared }) => compared?.balance_low, "cents", {
    high: ({ compared }) => compared?.balance_high,
    under: (row) => <span class={isCountWrong(row) ? "problem-words" : undefined}>{wordsOfCount(row)}</span>,
    none: "not counted",
  }),
  state("Deposits", ({ compared }) => reconciliationState(compared?.status ?? "no_balance")),
  state("Day is", ({ sales }) => dayState(sales)),
];

const periods: Readonly<Record<string, number>> = { "28 days": 28, "90 days": 90, "A year": 366 };

/** Sales, deposits and cash of a business by day: does the cash that is sold arrive? */
export function BusinessSales({ parameters: { crb_id = "" } }: Place) {
  const [period, setPeriod] = useDraft("period", "28 days");
  const [opened, open] = useState("");
  const limit = periods[period] ?? 28;
  const path = { crb_id };
  const sales = useRead("listCrbSalesDays", { path, query: { limit } });
  const compared = useRead("listReconciliationDays", { path, query: { limit } });
  const stateDays = useRead("listStateDays", { path, query: { limit } });
  const days = useMemo(
    () => joinDays(sales.data?.data ?? [], compared.data?.data ?? []).slice(0, limit),
    [sales.data, compared.data, limit],
  );
  return (
    <BusinessFrame crbId={crb_id} part="">
      {({ timezone, business_type }) => (
        <Loaded
          of={sales}
          name="The sales days"
          empty={["No sales yet", "Days appear here as soon as the point of sale is read for the first time."]}
        >
          {() => (
            <>
              <Alarm days={days} />
              <Summary days={days} isWholesale={business_type === "wholesale"} />
              <Section
                title="Sales and cash deposits"
                side={<Choice label="Period" value={period} options={Object.keys(periods)} changed={setPeriod} />}
              >
                <figure class="panel pad">
                  <DayChart days={days} title="Sales, cash deposits and cash at the business by day" />
                  <figcaption>
                    <Legend of={["cash", "unclear", "card", "transfer", "deposit", "unexplained", "missing"]} />
                    <em>Unclear</em>: the point of sale does not say how it was paid, so cash is a range. The range at
                    the business begins again with each cash count, because it widens every day.
                  </figcaption>
                </figure>
              </Section>
              {compared.problem && <p class="problem-words">{compared.problem}</p>}
              <DataTable
                title="Day by day"
                caption={`US dollars, net of returns, newest day first. Days in the time zone ${timezone}. Open a day to see its postings.`}
                columns={columnsWith(open)}
                rows={days}
                kindOf={(row) => (isCountWrong(row) ? "look" : undefined)}
                operation="listReconciliationDays"
                narrowRows={14}
              />
              {stateDays.data && stateDays.data.data.length > 0 && (
                <DataTable
                  title="What the state has"
                  caption="US dollars. The variance compares all connected licenses with the nearer figure of the point of sale. Experimental."
                  columns={stateColumns}
                  rows={stateDays.data.data}
                  operation="listStateDays"
                  narrowRows={14}
                />
              )}
              {opened && (
                <Postings key={opened} crbId={crb_id} date={opened} close={() => open("")} removed={compared.reload} />
              )}
            </>
          )}
        </Loaded>
      )}
    </BusinessFrame>
  );
}

const none = "not compared";
const stateColumns: readonly Column<StateDay>[] = [
  day("Day", ({ date }) => date),
  text("License", ({ license_number }) => license_number),
  number("Receipts", ({ receipts }) => receipts),
  number("State", ({ total }) => total, "cents"),
  number("Paid", ({ pos_total }) => pos_total, "cents", { none }),
  number("Before taxes", ({ pos_subtotal }) => pos_subtotal, "cents", { none }),
  number("Variance", ({ variance }) => variance, "cents", { none }),
  number("%", ({ variance_percent }) => variance_percent, "number", { none: "–" }),
];

const depositColumns: readonly Column<Deposit>[] = [
  text("Reference", ({ id }) => id),
  day("Posted", ({ posted_date }) => posted_date),
  day("Counts on", ({ business_date, posted_date }) => business_date ?? posted_date, {
    under: ({ excluded_reason: reason }) => reason && `does not count: ${excludedReason(reason).toLowerCase()}`,
  }),
  text("Source", ({ type }) => depositName(type)),
  number("Amount", ({ amount }) => amount, "cents"),
];

interface PostingsProps {
  crbId: string;
  date: string;
  close(): void;
  removed(): void;
}

/** The postings that count on a day. */
function Postings({ crbId, date, close, removed }: PostingsProps) {
  const { client, person } = useSession();
  const removal = (reload: () => void): Column<Deposit> => ({
    label: "Remove",
    shown: ({ id }) => (
      <RemoveButton
        subject={`posting ${id}`}
        remove={() => client("deleteDeposit", { path: { crb_id: crbId, deposit_id: id } })}
        removed={() => [reload(), removed()]}
      >
        <p>Its day is compared without it from now on. You can upload it again.</p>
      </RemoveButton>
    ),
  });
  return (
    <Dialog title={`Postings of ${formatShortDay(date)}`} closing="Close" close={close}>
      <Reading
        of="listDeposits"
        input={{ path: { crb_id: crbId }, query: { start_date: date, end_date: date, limit: 1000 } }}
        name="The postings"
        empty={["No posting", "Your bank has sent no posting that counts on this day."]}
      >
        {({ data, has_more }, reload) => (
          <DataTable
            title={counted(data.length, "posting")}
            caption={`US dollars; negative amounts left the account. The references are those of your core banking system.${has_more ? " The first 1,000." : ""}`}
            columns={person.role === "viewer" ? depositColumns : [...depositColumns, removal(reload)]}
            rows={data}
            operation="listDeposits"
            file={`postings-${date}`}
          />
        )}
      </Reading>
    </Dialog>
  );
}

/** The newest day that is compared. */
const newestIn = (days: readonly Day[]) =>
  days.find(({ compared }) => compared && compared.status !== "not_compared")?.compared;

/** Cash that no sale explains, that has not arrived, or that a count did not find. */
function Alarm({ days }: { days: readonly Day[] }) {
  const newest = newestIn(days);
  const wrongCount = days.find(isCountWrong);
  const difference = wrongCount?.compared?.count_difference ?? 0;
  return (
    <>
      {newest?.status === "deposits_unexplained" && (
        <div class="notice act">
          <h2>{inDollars(-(newest.balance_high ?? 0))} of cash that no sale explains</h2>
          <p>
            Up to {formatShortDay(newest.date)}, more cash was deposited than the business can have had, even if every
            unclear payment was cash.
          </p>
        </div>
      )}
      {newest?.status === "cash_outstanding" && (
        <div class="notice look">
          <h2>At least {inDollars(newest.balance_low ?? 0)} of cash has not arrived</h2>
          <p>
            {newest.days_since_deposit === null
              ? "No deposit of cash is known."
              : `The last deposit of cash was ${counted(newest.days_since_deposit, "day")} before ${formatShortDay(newest.date)}.`}
          </p>
        </div>
      )}
      {wrongCount && (
        <div class="notice look">
          <h2>
            The cash count of {formatShortDay(wrongCount.date)} differs by {difference > 0 && "+"}
            {inDollars(difference)}
          </h2>
          <p>It {wordsOfCount(wrongCount)}. The balance begins again with the count, so later days do not show it.</p>
        </div>
      )}
    </>
  );
}

function Summary({ days, isWholesale }: { days: readonly Day[]; isWholesale: boolean }) {
  const complete = days.filter(({ sales }) => sales?.complete);
  const total = (amountIn: (day: Day) => number) => complete.reduce((sum, day) => sum + amountIn(day), 0);
  const sales = total((day) => day.sales?.total_paid ?? 0);
  const [low, high] = [total((day) => cashOf(day)[0]), total((day) => cashOf(day)[1])];
  const shares = [shareOf(low, sales), shareOf(high, sales)];
  const deposits = days.flatMap(({ compared }) => (compared?.cash_deposited ? [compared] : []));
  const deposited = deposits.reduce((sum, { cash_deposited }) => sum + cash_deposited, 0);
  const newest = newestIn(days);
  const range = isWholesale ? "; the upper value has all invoices that may still be unpaid" : "";
  return (
    <Figures
      operation="listReconciliationDays"
      of={[
        [
          `Sales, ${counted(complete.length, "day")}`,
          inDollars(sales),
          `complete days; ${days.length - complete.length} incomplete left out`,
          "listCrbSalesDays",
        ],
        ["of it cash", [...new Set(shares)].join(" to "), rangeInDollars(low, high), "listCrbSalesDays"],
        [
          "Cash deposited",
          inDollars(deposited),
          deposits[0]
            ? `on ${counted(deposits.length, "day")}, last on ${formatShortDay(deposits[0].date)}`
            : "no deposit is known",
        ],
        [
          newest ? `Cash on hand, ${formatShortDay(newest.date)}` : "Cash on hand",
          newest?.balance_low == null || newest.balance_high === null
            ? "not counted"
            : rangeInDollars(newest.balance_low, newest.balance_high, 0),
          newest?.counted
            ? `since the count of ${formatShortDay(newest.counted)}; below 0 means more was deposited than sold${range}`
            : "no cash count is stored, so the cash on hand is unknown",
        ],
      ]}
    />
  );
}
