import { formatDay, formatShortDay } from "../../../browser/formatDay.ts";
import { Choice, Field } from "../../../browser/parts.tsx";
import { useDraft } from "../drafts.ts";
import { formatAge } from "../formatTime.ts";
import { type Business, useOverview } from "../overview.ts";
import { type Column, DataTable } from "../parts/dataTable.tsx";
import { Head, Loaded } from "../parts/layout.tsx";
import { State } from "../parts/mark.tsx";
import { Needs } from "../parts/needs.tsx";
import { Spark } from "../parts/spark.tsx";
import { counted } from "../queue.ts";
import { crbState, dataState, licenseState, reconciliationState } from "../texts.ts";
import { useRead } from "../useRead.ts";

/** The last finished day. */
const lastDay = ({ sales_days }: Business) => sales_days.find(({ complete }) => complete);
const none = "not yet";

const columns: readonly Column<Business>[] = [
  {
    label: "Business",
    value: ({ name }) => name,
    shown: ({ crb_id, name }) => <a href={`#/businesses/${crb_id}`}>{name}</a>,
    under: ({ state, status }) => `${state} · ${crbState(status)[1]}`,
  },
  {
    label: "Data",
    value: ({ data }) => data?.state,
    shown: ({ data }) => data && <State of={dataState(data.state)} />,
    under: ({ data }) => data?.data_as_of && formatAge(data.data_as_of),
    none,
  },
  {
    label: "Sales",
    kind: "dollars",
    value: (row) => lastDay(row)?.total_paid,
    under: (row) => formatShortDay(lastDay(row)?.date ?? ""),
    none,
  },
  {
    label: "Cash sold",
    kind: "dollars",
    value: (row) => lastDay(row)?.cash_sales_low,
    high: (row) => lastDay(row)?.cash_sales_high,
    none,
  },
  {
    label: "7 days",
    value: ({ sales_days: days }) => days.reduce((sum, { total_paid }) => sum + total_paid, 0) / 100,
    shown: ({ sales_days: days, name }) =>
      days.length > 0 ? <Spark days={days} name={name} /> : <span class="faint">{none}</span>,
  },
  {
    label: "Cash on hand",
    kind: "dollars",
    value: ({ balance }) => balance?.balance_low,
    high: ({ balance }) => balance?.balance_high,
    under: ({ balance }) => balance && <State of={reconciliationState(balance.status)} />,
    none: "not counted",
  },
  {
    label: "License",
    value: ({ license }) => license?.status,
    shown: ({ license }) =>
      license ? (
        <State of={license.status ? licenseState(license.status) : ["idle", "None linked"]} />
      ) : (
        <span class="faint">{none}</span>
      ),
    under: ({ license }) => license?.next_expiry && `until ${formatDay(license.next_expiry, "medium")}`,
  },
  {
    label: "Rule breaks",
    kind: "count",
    value: ({ data, flagged_sales }) => (data?.data_as_of ? flagged_sales?.red_flag : undefined),
    none,
  },
  { label: "Insights", kind: "count", value: ({ open_insights }) => open_insights },
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
        {({ data: rows, metadata: { total } }) => (
          <>
            <Needs rows={rows} insights={insights.data?.data ?? []} />
            {insights.problem && <p class="faint">The sentences of insights could not be loaded.</p>}
            <Businesses rows={rows} total={total} />
          </>
        )}
      </Loaded>
    </>
  );
}

function Businesses({ rows, total }: { rows: readonly Business[]; total: number }) {
  const [wanted, setWanted] = useDraft("find", "");
  const [state, setState] = useDraft("state", "");
  const [order, setOrder] = useDraft("order", "Needs you first");
  const words = wanted.trim().toLowerCase();
  const shown = rows
    .filter((row) => `${row.name} ${row.dba ?? ""}`.toLowerCase().includes(words))
    .filter((row) => state === "" || row.state === state)
    .sort(orders[order]);
  const states = [...new Set(rows.map((row) => row.state))].sort();
  return (
    <>
      <DataTable
        title="All businesses"
        filters={
          <>
            <Field id="find" label="Find a business" type="search" value={wanted} changed={setWanted} />
            <Choice
              id="state"
              label="State"
              value={state}
              options={[["", "All states"], ...states]}
              changed={setState}
            />
            <Choice id="order" label="Order" value={order} options={Object.keys(orders)} changed={setOrder} />
          </>
        }
        caption={
          <>
            Whole US dollars, net of returns. <em>Sales</em> and <em>cash sold</em> are of the last finished day,{" "}
            <em>rule breaks</em> of 30 days. Cash is a range where the point of sale does not say how a sale was paid,
            and the colored part of <em>7 days</em>. Figures are computed every 15 minutes.
            {rows.length < total && ` The first ${rows.length} of ${total}.`}
          </>
        }
        columns={columns}
        rows={shown}
        keyOf={({ crb_id }) => crb_id}
        operation="getOverview"
        file="businesses"
      />
      <p class="faint small" role="status">
        {shown.length === rows.length ? "" : `${shown.length} of ${rows.length} businesses shown.`}
      </p>
    </>
  );
}
