import { formatShortDay } from "../../../browser/formatDay.ts";
import { Choice, Field } from "../../../browser/parts.tsx";
import { lacksPayment, lacksTotal } from "../days.ts";
import { counted, dollars, formatAge, formatTime, shareOf } from "../format.ts";
import type { Output } from "../operations.ts";
import { chooseBusinesses, firstChoice, isOld, lastDay, oldestTime, orders } from "../overview.ts";
import { OldFigures } from "../parts/businessFrame.tsx";
import { Head, Loaded } from "../parts/layout.tsx";
import { Legend, Spark, State } from "../parts/marks.tsx";
import { Needs } from "../parts/needs.tsx";
import { type Column, DataTable, number, state, text } from "../parts/table.tsx";
import { type Business, useOverview, useRead, useSession } from "../session.tsx";
import { useDraft } from "../storage.ts";
import { crbState, dataState, licenseState, reconciliationState } from "../texts.ts";

const none = "not yet";
const inFile = { isInFileOnly: true } as const;

const breaksOf = ({ data, flagged_sales }: Business) => (data?.data_as_of ? flagged_sales?.red_flag : undefined);
const isLeastSales = (row: Business) => lacksTotal({ sales: lastDay(row) });
const isLeastCash = (row: Business) => lacksPayment({ sales: lastDay(row) });
const finishedDays = ({ sales_days }: Business) => sales_days.filter(({ complete }) => complete);

/** The sum of a figure, with the number of businesses that have it unless all do. */
const totalOf =
  (
    figure: (row: Business) => number | undefined,
    words: (sum: number) => string = String,
    isLeast = (_: Business) => false,
  ) =>
  (rows: readonly Business[]) => {
    const known = rows.flatMap((row) => figure(row) ?? []);
    if (known.length === 0) return <span class="faint">{none}</span>;
    return (
      <>
        {rows.some(isLeast) && "at least "}
        <strong>{words(known.reduce((sum, each) => sum + each, 0))}</strong>
        {known.length < rows.length && (
          <span class="under">
            of {known.length} of {rows.length}
          </span>
        )}
      </>
    );
  };

const columns: readonly Column<Business>[] = [
  text("Business", ({ name }) => name, {
    shown: ({ crb_id, name }) => <a href={`#/businesses/${crb_id}`}>{name}</a>,
    under: (row) => `${row.state} · ${crbState(row.status)[1]}`,
    total: (rows) => <strong>{counted(rows.length, "business", "businesses")}</strong>,
  }),
  text("Id", ({ crb_id }) => crb_id, inFile),
  text("Dba", ({ dba }) => dba, inFile),
  text("State", (row) => row.state, inFile),
  text("As of", ({ as_of }) => as_of, inFile),
  state("Data", ({ data }) => data && dataState(data.state), {
    under: (row) => [row.data?.data_as_of && formatAge(row.data.data_as_of), <OldFigures key="old" of={row} />],
    none,
  }),
  text("Sales as of", ({ data }) => data?.data_as_of, inFile),
  text("Day of sales", (row) => lastDay(row)?.date, inFile),
  number("Sales", (row) => lastDay(row)?.total_paid, "dollars", {
    under: (row) => [isLeastSales(row) && "at least, ", formatShortDay(lastDay(row)?.date ?? "")],
    none,
    total: totalOf(
      (row) => lastDay(row)?.total_paid,
      (cents) => dollars(cents, 0),
      isLeastSales,
    ),
  }),
  number("Cash sold", (row) => lastDay(row)?.cash_sales_low, "dollars", {
    high: (row) => (isLeastCash(row) ? undefined : lastDay(row)?.cash_sales_high),
    under: (row) => isLeastCash(row) && "at least",
    none,
  }),
  number("Sales without an amount", (row) => lastDay(row)?.unknown_totals, "number", inFile),
  {
    label: "7 days",
    shown: ({ sales_days: days, name }) =>
      days.length > 0 ? <Spark days={days} name={name} /> : <span class="faint">{none}</span>,
  },
  number("Finished days of the last 7", (row) => finishedDays(row).length, "number", inFile),
  number(
    "Sales of these days",
    (row) => lastDay(row) && finishedDays(row).reduce((all, { total_paid }) => all + total_paid, 0),
    "dollars",
    inFile,
  ),
  number("Cash on hand", ({ balance }) => balance?.balance_low, "dollars", {
    high: ({ balance }) => balance?.balance_high,
    under: ({ balance }) =>
      balance && [<State key="is" of={reconciliationState(balance.status)} />, " ", formatShortDay(balance.date)],
    none: "not known",
  }),
  text("Day of cash on hand", ({ balance }) => balance?.date, inFile),
  state("Cash on hand is", ({ balance }) => balance && reconciliationState(balance.status), inFile),
  state(
    "License",
    ({ license }) => license && (license.status ? licenseState(license.status) : ["idle", "None linked"]),
    { under: ({ license }) => license?.next_expiry && `next ends ${formatShortDay(license.next_expiry)}`, none },
  ),
  text("Next license ends", ({ license }) => license?.next_expiry, inFile),
  number("Rule breaks, 30 days", breaksOf, "count", {
    under: ({ flagged_sales: sales }) =>
      sales?.unchecked &&
      `${shareOf(sales.unchecked, sales.red_flag + sales.warning + sales.svc_checked + sales.unchecked)} of sales not checked`,
    none,
    total: totalOf(breaksOf),
  }),
  number("Sales not checked, 30 days", ({ flagged_sales }) => flagged_sales?.unchecked, "number", inFile),
  number("Insights", ({ open_insights }) => open_insights, "count", {
    total: totalOf(({ open_insights }) => open_insights),
  }),
];

const noBusiness =
  "A business appears here as soon as it is invited. Its owner agrees to the terms and connects the point of sale; you do not need the owner’s password.";

/** The way to a new business, for those who may add one. */
function InviteLink() {
  if (useSession().person.role !== "administrator") return null;
  return (
    <>
      {" "}
      <a href="#/invite">Invite a business</a>
    </>
  );
}

/** The number of businesses, and what the screen lacks. */
function leadOf({ data: rows, metadata: { total } }: Output<"getOverview">): string {
  const businesses = (count: number) => counted(count, "business", "businesses");
  const old = rows.filter((row) => isOld(row)).length;
  const parts = [
    `${businesses(total)}.`,
    rows.length < total && `Only ${rows.length.toLocaleString()} could be read: load the page again.`,
    old > 0 && `The figures of ${businesses(old)} are older than 30 minutes.`,
  ];
  return parts.filter(Boolean).join(" ");
}

/** The businesses of the institution: what needs the person, and the figures of all. */
export function Portfolio() {
  const list = useOverview();
  const insights = useRead("listInsights", { query: { status: "open", limit: 100 } });
  const { data, readAt = 0 } = list;
  return (
    <>
      <Head
        title="Portfolio"
        lead={data && [leadOf(data), <InviteLink key="invite" />]}
        readAt={data && oldestTime(data.data)}
      />
      <Loaded of={list} name="The overview" empty={["No business yet", noBusiness]}>
        {({ data: rows }) => (
          <>
            <Needs rows={rows} insights={insights.data?.data ?? []} />
            {insights.problem && <p class="faint">The sentences of insights could not be loaded.</p>}
            <Businesses rows={rows} readAt={readAt} />
          </>
        )}
      </Loaded>
    </>
  );
}

function Businesses({ rows, readAt }: { rows: readonly Business[]; readAt: number }) {
  const [chosen, choose] = useDraft("businesses", firstChoice);
  const shown = chooseBusinesses(rows, chosen);
  const states = [...new Set(rows.map((row) => row.state))].sort();
  const field = (name: keyof typeof chosen) => ({
    value: chosen[name],
    changed: (value: string) => choose({ ...chosen, [name]: value }),
  });
  return (
    <>
      <DataTable
        title="All businesses"
        filters={
          <>
            <Field label="Find a business" type="search" {...field("find")} />
            <Choice label="State" options={[["", "All states"], ...states]} {...field("state")} />
            <Choice label="Order" options={Object.keys(orders)} {...field("order")} />
          </>
        }
        caption={
          <>
            Whole US dollars, net of returns. <em>Sales</em> and <em>cash sold</em> are of the last finished day. Cash
            is a range where the point of sale does not say how a sale was paid, and a sum that lacks amounts is the
            least that it can be. Rule breaks are of the last 30 days; a business’s own page counts unchecked sales of
            28 complete days. Figures are computed every 15 minutes; insights are counted at {formatTime(readAt)}.
          </>
        }
        columns={columns}
        rows={shown}
        firstRows={200}
        operation="getOverview"
      />
      <Legend of={["cash", "other", "missing"]} />
      <p class="faint small" role="status">
        {shown.length === rows.length ? "" : `${shown.length} of ${rows.length} businesses shown.`}
      </p>
    </>
  );
}
