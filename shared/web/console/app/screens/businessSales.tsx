import { useState } from "preact/hooks";
import { Dialog } from "../../../browser/confirmation.tsx";
import { formatShortDay } from "../../../browser/formatDay.ts";
import { Choice } from "../../../browser/parts.tsx";
import {
  cardsOf,
  type Day,
  isComplete,
  joinDays,
  knownCashOf,
  lacksPayment,
  lacksTotal,
  sumDays,
  transfersOf,
} from "../days.ts";
import type { Place } from "../findScreen.ts";
import { counted, dollars, formatTime, inDollars, lastMonth, periodOf, rangeInDollars, shareOf } from "../format.ts";
import type { Output } from "../operations.ts";
import { BusinessFrame } from "../parts/businessFrame.tsx";
import { DayChart } from "../parts/dayChart.tsx";
import { DaysForm, maxDays } from "../parts/jobs.tsx";
import { Figures, Loaded, Reading, Section } from "../parts/layout.tsx";
import { Legend } from "../parts/marks.tsx";
import { RemoveButton } from "../parts/removeButton.tsx";
import { type Column, DataTable, day, number, state, text } from "../parts/table.tsx";
import { useLoad, useRead, useSession } from "../session.tsx";
import { useDraft } from "../storage.ts";
import { dayState, depositName, excludedReason, reconciliationState, type StateWords } from "../texts.ts";

type StateDay = Output<"listStateDays">["data"][number];
type Deposit = Output<"listDeposits">["data"][number];

/** A column of amounts; an amount of 0 is not shown. @param isLeast whether the amount can be higher */
const amount = (
  label: string,
  value: (day: Day) => number | undefined,
  isLeast: (day: Day) => boolean = () => false,
): Column<Day> =>
  number(label, value, "cents", {
    shown: (day) => (value(day) || isLeast(day) ? dollars(value(day) ?? 0) : ""),
    under: (day) => isLeast(day) && "at least",
  });

/** The state of a day; a day with deposits can be without sales. */
function stateOf(row: Day): StateWords {
  if (!row.sales) return ["idle", isComplete(row) ? "No sales" : "Not known"];
  return isComplete(row) && lacksPayment(row) ? ["look", "Lacks amounts"] : dayState(row.sales);
}

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
  amount("Sales", ({ sales }) => sales?.total_paid, lacksTotal),
  number("Cash sold", (row) => knownCashOf(row)[0], "cents", {
    high: (row) => knownCashOf(row)[1],
    under: (row) => lacksPayment(row) && "at least",
    none: "not yet",
  }),
  amount("Card", cardsOf, lacksPayment),
  amount("Transfer, check", transfersOf, lacksPayment),
  amount("Cash deposited", ({ compared }) => compared?.cash_deposited),
  number("Cash on hand", ({ compared }) => compared?.balance_low, "cents", {
    high: ({ compared }) => compared?.balance_high,
    under: (row) => <span class={isCountWrong(row) ? "problem-words" : undefined}>{wordsOfCount(row)}</span>,
    none: "not known",
  }),
  state("Deposits", ({ compared }) => reconciliationState(compared?.status ?? "not_compared")),
  state("Day is", stateOf),
];

const periods: Readonly<Record<string, number>> = { "28 days": 28, "90 days": 90, "A year": 366 };
const ownDays = "Choose days";

/** Licenses with totals of the state on a day at most (docs/spec.md#connections-to-a-states-system). */
const maxLicenses = 10;

/** When the sales were those of the point of sale; deposits are those of the reading. */
const asOf = (days: readonly Day[]): string => {
  const at = days.find(({ sales }) => sales?.data_as_of)?.sales?.data_as_of;
  return at ? `, sales as of ${formatTime(at)}` : "";
};

/** Sales, deposits and cash of a business by day: does the cash that is sold arrive? */
export function BusinessSales({ parameters: { crb_id = "" } }: Place) {
  const [period, setPeriod] = useDraft("period", "28 days");
  const [opened, open] = useState("");
  const [start_date, end_date] = lastMonth(new Date());
  const [chosen, choose] = useDraft("chosen-days", { start_date, end_date });
  const isChosen = period === ownDays;
  const limit = isChosen ? maxDays : (periods[period] ?? 28);
  const window = isChosen ? chosen : {};
  const { client } = useSession();
  const input = { path: { crb_id }, query: { limit, ...window } };
  // Without either list, the figures would say that there are no sales or no deposits.
  const read = useLoad(JSON.stringify(input), async () => {
    const lists = [client("listCrbSalesDays", input), client("listReconciliationDays", input)] as const;
    const [sales, compared] = await Promise.all(lists);
    return { data: joinDays(sales.data, compared.data).slice(0, limit) };
  });
  const stateLimit = Math.min(1_000, limit * maxLicenses);
  const stateDays = useRead("listStateDays", { path: { crb_id }, query: { limit: stateLimit, ...window } });
  return (
    <BusinessFrame crbId={crb_id} part="">
      {({ timezone, business_type }) => (
        <>
          {/* A period that cannot be loaded must not hide the others. */}
          <div class="bar">
            <Choice label="Period" value={period} options={[...Object.keys(periods), ownDays]} changed={setPeriod} />
          </div>
          {isChosen && (
            <DaysForm
              draft="days"
              button="Show these days"
              busyLabel="Loading …"
              send={async (fields) => choose({ ...chosen, ...fields })}
            />
          )}
          <Loaded
            of={read}
            name="The sales and deposits"
            empty={
              isChosen
                ? ["Nothing on these days", "They have no sales, deposits or cash counts, or they were not read."]
                : ["No sales yet", "Days appear here as soon as the point of sale is read for the first time."]
            }
          >
            {({ data: days }) => (
              <>
                <Alarm crbId={crb_id} days={days} />
                <Summary days={days} isWholesale={business_type === "wholesale"} />
                <Section title="Sales and cash deposits">
                  <figure class="panel pad">
                    <DayChart days={days} title="Sales, cash deposits and cash at the business by day" />
                    <figcaption>
                      <Legend of={["cash", "unclear", "card", "transfer", "deposit", "unexplained", "missing"]} />
                      <em>Unclear</em>: the point of sale does not say how it was paid, so cash is a range. The range at
                      the business begins again with each cash count, because it widens every day. A day that lacks
                      amounts is hatched like an incomplete one.
                    </figcaption>
                  </figure>
                </Section>
                <DataTable
                  title="Day by day"
                  caption={`US dollars, net of returns, newest day first. Days in the time zone ${timezone}${asOf(days)}. Cash on hand is not known before a count, and from a day that lacks amounts until the next count. Open a day to see its postings.`}
                  columns={columnsWith(open)}
                  rows={days}
                  kindOf={(row) => (isCountWrong(row) ? "look" : undefined)}
                  operation="listReconciliationDays"
                  narrowRows={14}
                />
                <Loaded of={stateDays} name="The totals of the state">
                  {(totals) => <StateDays since={days.at(-1)?.date ?? ""} {...totals} />}
                </Loaded>
                {opened && (
                  <Postings key={opened} crbId={crb_id} date={opened} close={() => open("")} removed={read.reload} />
                )}
              </>
            )}
          </Loaded>
        </>
      )}
    </BusinessFrame>
  );
}

const none = "not compared";
const stateColumns: readonly Column<StateDay>[] = [
  day("Day", ({ date }) => date),
  text("License", ({ license_number }) => license_number),
  state("Day is", ({ complete }) => dayState({ complete, revision: 0 })),
  day("Read", ({ data_as_of }) => data_as_of),
  number("Receipts", ({ receipts }) => receipts),
  number("Voided", ({ voided }) => voided, "count"),
  number("State", ({ total }) => total, "cents"),
  number("Paid", ({ pos_total }) => pos_total, "cents", { none }),
  number("Before taxes", ({ pos_subtotal }) => pos_subtotal, "cents", { none }),
  number("Variance", ({ variance }) => variance, "cents", { none }),
  number("%", ({ variance_percent }) => variance_percent, "number", { none: "–" }),
];

/** The totals of the state's system from a day on; nothing without totals. */
function StateDays({ data, has_more, since }: Output<"listStateDays"> & { since: string }) {
  const rows = data.filter(({ date }) => date >= since);
  if (rows.length === 0) return null;
  const isCut = has_more && rows.length === data.length;
  // It is the same for all days.
  const basis = data[0]?.basis;
  const nearer = basis ? `, ${basis === "pos_total" ? "the paid sum" : "the sum before taxes"}` : "";
  return (
    <DataTable
      title="What the state has"
      caption={`US dollars. The variance compares all connected licenses with the nearer figure of the point of sale${nearer}. A day is not compared if it is incomplete or lacks amounts, or if a license that may have sales is not connected.${isCut ? ` The newest ${counted(rows.length, "row")}.` : ""} Experimental.`}
      columns={stateColumns}
      rows={rows}
      operation="listStateDays"
      narrowRows={14}
    />
  );
}

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
function Alarm({ crbId, days }: { crbId: string; days: readonly Day[] }) {
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
            unclear payment was cash. <a href={`#/businesses/${crbId}/insights`}>See the insights, and decide</a>
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

/** Why the cash on hand of the newest complete day is not known. */
function reasonOf(newest: Day["compared"]): string {
  if (!newest) return "no day is complete";
  return newest.status === "no_balance"
    ? "there is no cash count to begin with"
    : "an amount is missing since the count, or the day is not compared";
}

function Summary({ days, isWholesale }: { days: readonly Day[]; isWholesale: boolean }) {
  const { sales, cash, isSoFar, days: summed } = sumDays(days);
  const inWords = (range: typeof sales) => (summed > 0 ? rangeInDollars(...range) : "not known");
  const shares = [...new Set(cash.map((end) => shareOf(end ?? 0, sales[0])))].join(" to ");
  const deposited = days.reduce((sum, { compared }) => sum + (compared?.cash_deposited ?? 0), 0);
  // The amount of a day can be that of a withdrawal.
  const deposits = days.filter(({ compared }) => compared?.days_since_deposit === 0);
  const newest = days.find(({ compared }) => compared?.complete)?.compared;
  const range = isWholesale ? "; the upper value has all invoices that may still be unpaid" : "";
  return (
    <Figures
      operation="listReconciliationDays"
      of={[
        [
          `Sales${isSoFar ? " so far" : ""}, ${counted(summed, "day")}`,
          inWords(sales),
          isSoFar
            ? "no day is complete; files never say that one is"
            : `complete days ${periodOf(days.at(-1)?.date ?? "", days[0]?.date ?? "")}; ${days.length - summed} incomplete left out`,
          "listCrbSalesDays",
        ],
        [
          "of it cash",
          sales[1] === undefined || cash[1] === undefined || summed === 0 ? "share not known" : shares,
          inWords(cash),
          "listCrbSalesDays",
        ],
        [
          "Cash deposited",
          inDollars(deposited),
          deposits[0]
            ? `on ${counted(deposits.length, "day")}, last on ${formatShortDay(deposits[0].date)}; less withdrawals`
            : "no deposit on these days",
        ],
        [
          newest ? `Cash on hand, ${formatShortDay(newest.date)}` : "Cash on hand",
          newest?.balance_low == null || newest.balance_high === null
            ? "not known"
            : rangeInDollars(newest.balance_low, newest.balance_high, 0),
          newest?.counted
            ? `since the count of ${formatShortDay(newest.counted)}; below 0 means more was deposited than sold${range}`
            : reasonOf(newest),
        ],
      ]}
    />
  );
}
