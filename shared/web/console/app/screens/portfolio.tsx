import { formatDay, formatShortDay } from "../../../browser/formatDay.ts";
import { useDraft } from "../drafts.ts";
import { formatAge, formatTime } from "../formatTime.ts";
import { dollars } from "../money.ts";
import type { Output } from "../operations.ts";
import { Choice } from "../parts/choice.tsx";
import { type Column, DataTable } from "../parts/dataTable.tsx";
import { Empty } from "../parts/empty.tsx";
import { Head } from "../parts/head.tsx";
import { Loaded } from "../parts/loaded.tsx";
import { State } from "../parts/mark.tsx";
import { Needs } from "../parts/needs.tsx";
import { Range } from "../parts/range.tsx";
import { Spark } from "../parts/spark.tsx";
import { crbState, dataState, licenseState, reconciliationState } from "../texts.ts";
import { useRead } from "../useRead.ts";

type Business = Output<"getOverview">["data"][number];

/** The last finished day. */
const lastDay = ({ sales_days }: Business) => sales_days.find(({ complete }) => complete);
const notYet = <span class="faint">not yet</span>;

const columns: readonly Column<Business>[] = [
  {
    label: "Business",
    cell: (row) => (
      <>
        <a href={`#/businesses/${row.crb_id}`}>{row.name}</a>
        <span class="under">
          {row.state} · {crbState(row.status)[1]}
        </span>
      </>
    ),
    csv: ({ name }) => name,
  },
  {
    label: "Data",
    cell: ({ data }) =>
      data ? (
        <>
          <State of={dataState(data.state)} />
          {data.data_as_of && <span class="under">{formatAge(data.data_as_of)}</span>}
        </>
      ) : (
        notYet
      ),
    csv: ({ data }) => data?.state ?? null,
  },
  {
    label: "Sales",
    isNumber: true,
    cell: (row) => {
      const day = lastDay(row);
      if (!day) return notYet;
      return (
        <>
          {dollars(day.total_paid, 0)}
          <span class="under">{formatShortDay(`${day.date}T12:00`)}</span>
        </>
      );
    },
    csv: (row) => (lastDay(row) ? (lastDay(row)?.total_paid ?? 0) / 100 : null),
  },
  {
    label: "Cash sold",
    isNumber: true,
    cell: (row) => {
      const day = lastDay(row);
      return day ? <Range low={day.cash_sales_low} high={day.cash_sales_high} digits={0} /> : notYet;
    },
    csv: (row) => (lastDay(row) ? (lastDay(row)?.cash_sales_low ?? 0) / 100 : null),
  },
  {
    label: "7 days",
    cell: (row) => (row.sales_days.length > 0 ? <Spark days={row.sales_days} name={row.name} /> : notYet),
    csv: ({ sales_days }) => sales_days.reduce((sum, { total_paid }) => sum + total_paid, 0) / 100,
  },
  {
    label: "Cash there",
    isNumber: true,
    cell: ({ balance }) =>
      balance?.balance_low != null && balance.balance_high != null ? (
        <>
          <Range low={balance.balance_low} high={balance.balance_high} digits={0} />
          <span class="under">
            <State of={reconciliationState(balance.status)} />
          </span>
        </>
      ) : (
        <span class="faint">not counted</span>
      ),
    csv: ({ balance }) => (balance?.balance_low == null ? null : balance.balance_low / 100),
  },
  {
    label: "License",
    cell: ({ license }) => {
      if (!license) return notYet;
      return (
        <>
          <State of={license.status ? licenseState(license.status) : ["idle", "None linked"]} />
          {license.next_expiry && <span class="under">until {formatDay(license.next_expiry, "medium")}</span>}
        </>
      );
    },
    csv: ({ license }) => license?.status ?? null,
  },
  {
    label: "Rule breaks",
    isNumber: true,
    cell: ({ flagged_sales }) => (flagged_sales ? <Count of={flagged_sales.red_flag} /> : notYet),
    csv: ({ flagged_sales }) => flagged_sales?.red_flag ?? null,
  },
  {
    label: "Insights",
    isNumber: true,
    cell: ({ open_insights }) => <Count of={open_insights} />,
    csv: ({ open_insights }) => open_insights,
  },
];

function Count({ of }: { of: number }) {
  return of === 0 ? <span class="zero">0</span> : <strong>{of.toLocaleString()}</strong>;
}

const orders: Readonly<Record<string, (one: Business, other: Business) => number>> = {
  "Needs you first": () => 0,
  Name: (one, other) => one.name.localeCompare(other.name),
  Sales: (one, other) => (lastDay(other)?.total_paid ?? -1) - (lastDay(one)?.total_paid ?? -1),
  "License expiry": (one, other) =>
    (one.license?.next_expiry ?? "9999") < (other.license?.next_expiry ?? "9999") ? -1 : 1,
};

/** The businesses of the institution: what needs the person, and the figures of all. */
export function Portfolio() {
  const list = useRead("getOverview", { query: { limit: 1000 } });
  const insights = useRead("listInsights", { query: { status: "open", limit: 100 } });
  const { data, readAt } = list;
  const lead = data && `${data.metadata.total} ${data.metadata.total === 1 ? "business" : "businesses"}.`;
  return (
    <>
      <Head title="Portfolio" lead={lead} asOf={readAt === undefined ? undefined : formatTime(readAt)} />
      <Loaded of={list} name="The overview">
        {({ data: rows, metadata: { total } }) =>
          total === 0 ? (
            <Empty title="No business yet">
              <p>
                A business appears here as soon as you invite it. Its owner agrees to the terms and connects the point
                of sale; you do not need the owner’s password.
              </p>
            </Empty>
          ) : (
            <>
              <Needs rows={rows} insights={insights.data?.data ?? []} />
              {insights.problem && <p class="faint">The sentences of insights could not be loaded.</p>}
              <Businesses rows={rows} total={total} />
            </>
          )
        }
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
            <div class="field">
              <label for="find">Find a business</label>
              <input
                id="find"
                type="search"
                value={wanted}
                onInput={({ currentTarget }) => setWanted(currentTarget.value)}
              />
            </div>
            <Choice
              id="state"
              label="State"
              value={state}
              options={["", ...states]}
              none="All states"
              changed={setState}
            />
            <Choice id="order" label="Order" value={order} options={Object.keys(orders)} changed={setOrder} />
          </>
        }
        caption={
          <>
            Whole US dollars, net of returns. <em>Sales</em> and <em>cash sold</em> are of the last finished day,{" "}
            <em>rule breaks</em> of 30 days. Cash is a range where the point of sale does not say how a sale was paid.
            Figures are computed every 15 minutes.
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
