import { formatShortDay } from "../../../browser/formatDay.ts";
import { Choice, Field } from "../../../browser/parts.tsx";
import { counted, dollars, formatAge, shareOf } from "../format.ts";
import { Head, Loaded } from "../parts/layout.tsx";
import { Legend, Spark, State } from "../parts/marks.tsx";
import { Needs } from "../parts/needs.tsx";
import { type Column, DataTable, number, state, text } from "../parts/table.tsx";
import { type Business, useOverview, useRead } from "../session.tsx";
import { useDraft } from "../storage.ts";
import { crbState, dataState, licenseState, reconciliationState } from "../texts.ts";

/** The last finished day. */
const lastDay = ({ sales_days }: Business) => sales_days.find(({ complete }) => complete);
const none = "not yet";

const breaksOf = ({ data, flagged_sales }: Business) => (data?.data_as_of ? flagged_sales?.red_flag : undefined);

/** The sum of a figure, with the number of businesses that have it unless all do. */
const totalOf =
  (figure: (row: Business) => number | undefined, words: (sum: number) => string = String) =>
  (rows: readonly Business[]) => {
    const known = rows.flatMap((row) => figure(row) ?? []);
    if (known.length === 0) return <span class="faint">{none}</span>;
    return (
      <>
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
  state("Data", ({ data }) => data && dataState(data.state), {
    under: ({ data }) => data?.data_as_of && formatAge(data.data_as_of),
    none,
  }),
  number("Sales", (row) => lastDay(row)?.total_paid, "dollars", {
    under: (row) => formatShortDay(lastDay(row)?.date ?? ""),
    none,
    total: totalOf(
      (row) => lastDay(row)?.total_paid,
      (cents) => dollars(cents, 0),
    ),
  }),
  number("Cash sold", (row) => lastDay(row)?.cash_sales_low, "dollars", {
    high: (row) => lastDay(row)?.cash_sales_high,
    none,
  }),
  {
    label: "7 days",
    value: ({ sales_days: days }) => days.reduce((all, { total_paid }) => all + total_paid, 0) / 100,
    shown: ({ sales_days: days, name }) =>
      days.length > 0 ? <Spark days={days} name={name} /> : <span class="faint">{none}</span>,
  },
  number("Cash on hand", ({ balance }) => balance?.balance_low, "dollars", {
    high: ({ balance }) => balance?.balance_high,
    under: ({ balance }) => balance && <State of={reconciliationState(balance.status)} />,
    none: "not counted",
  }),
  state(
    "License",
    ({ license }) => license && (license.status ? licenseState(license.status) : ["idle", "None linked"]),
    { under: ({ license }) => license?.next_expiry && `until ${formatShortDay(license.next_expiry)}`, none },
  ),
  number("Rule breaks, 30 days", breaksOf, "count", {
    under: ({ flagged_sales: sales }) =>
      sales?.unchecked &&
      `${shareOf(sales.unchecked, sales.red_flag + sales.warning + sales.svc_checked + sales.unchecked)} of sales not checked`,
    none,
    total: totalOf(breaksOf),
  }),
  number("Insights", ({ open_insights }) => open_insights, "count", {
    total: totalOf(({ open_insights }) => open_insights),
  }),
];

const orders: Readonly<Record<string, (one: Business, other: Business) => number>> = {
  "Needs you first": () => 0,
  Name: (one, other) => one.name.localeCompare(other.name),
  Sales: (one, other) => (lastDay(other)?.total_paid ?? -1) - (lastDay(one)?.total_paid ?? -1),
  "Oldest data": (one, other) => (one.data?.data_as_of ?? "").localeCompare(other.data?.data_as_of ?? ""),
  "License expiry": (one, other) =>
    (one.license?.next_expiry ?? "9999") < (other.license?.next_expiry ?? "9999") ? -1 : 1,
};

const noBusiness =
  "A business appears here as soon as you invite it. Its owner agrees to the terms and connects the point of sale; you do not need the owner’s password.";

/** The businesses of the institution: what needs the person, and the figures of all. */
export function Portfolio() {
  const list = useOverview();
  const insights = useRead("listInsights", { query: { status: "open", limit: 100 } });
  const { data, readAt } = list;
  return (
    <>
      <Head
        title="Portfolio"
        lead={data && `${counted(data.metadata.total, "business", "businesses")}.`}
        readAt={readAt}
      />
      <Loaded of={list} name="The overview" empty={["No business yet", noBusiness]}>
        {({ data: rows }) => (
          <>
            <Needs rows={rows} insights={insights.data?.data ?? []} />
            {insights.problem && <p class="faint">The sentences of insights could not be loaded.</p>}
            <Businesses rows={rows} />
          </>
        )}
      </Loaded>
    </>
  );
}

function Businesses({ rows }: { rows: readonly Business[] }) {
  const [wanted, setWanted] = useDraft("find", "");
  const [usState, setUsState] = useDraft("state", "");
  const [order, setOrder] = useDraft("order", "Needs you first");
  const words = wanted.trim().toLowerCase();
  const shown = rows
    .filter((row) => `${row.name} ${row.dba ?? ""}`.toLowerCase().includes(words))
    .filter((row) => usState === "" || row.state === usState)
    .sort(orders[order]);
  const states = [...new Set(rows.map((row) => row.state))].sort();
  return (
    <>
      <DataTable
        title="All businesses"
        filters={
          <>
            <Field label="Find a business" type="search" value={wanted} changed={setWanted} />
            <Choice label="State" value={usState} options={[["", "All states"], ...states]} changed={setUsState} />
            <Choice label="Order" value={order} options={Object.keys(orders)} changed={setOrder} />
          </>
        }
        caption={
          <>
            Whole US dollars, net of returns. <em>Sales</em> and <em>cash sold</em> are of the last finished day. Cash
            is a range where the point of sale does not say how a sale was paid. Rule breaks are of the last 30 days; a
            business’s own page counts unchecked sales of 28 complete days. Figures are computed every 15 minutes.
          </>
        }
        columns={columns}
        rows={shown}
        operation="getOverview"
      />
      <Legend of={["cash", "other", "missing"]} />
      <p class="faint small" role="status">
        {shown.length === rows.length ? "" : `${shown.length} of ${rows.length} businesses shown.`}
      </p>
    </>
  );
}
