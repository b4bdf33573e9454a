import { formatShortDay } from "../../../browser/formatDay.ts";
import type { Place } from "../findScreen.ts";
import { formatAge, formatTime } from "../formatTime.ts";
import type { Output } from "../operations.ts";
import { BusinessFrame } from "../parts/businessFrame.tsx";
import { type Column, DataTable } from "../parts/dataTable.tsx";
import { Loaded } from "../parts/layout.tsx";
import { State } from "../parts/mark.tsx";
import { dataState, dayState, kindName, replicationFailure } from "../texts.ts";
import { useRead } from "../useRead.ts";

type Replication = Output<"listCrbReplications">["data"][number];
type SalesDay = Output<"listCrbSalesDays">["data"][number];

const needsLook = ({ state, error, rejected_records }: Replication): boolean =>
  error !== null || rejected_records > 0 || state === "failing" || state === "late";

/** What a replication has, with what to do about it. */
function remarkOf({ state, error, awaiting_confirmation, progress, rejected_records }: Replication): string {
  if (error) return replicationFailure(error);
  if (awaiting_confirmation)
    return "The point of sale suddenly returned almost nothing. The records stay as they are until the next readings confirm it.";
  if (progress && state === "initial")
    return `${progress.read.toLocaleString()} ${progress.total === null ? "" : `of ${progress.total.toLocaleString()} `}records are read so far.`;
  if (rejected_records > 0)
    return "Records of the point of sale that cannot be converted are not stored. The business corrects them in its point of sale.";
  return "";
}

const timeOf = (date: string | null) => date && formatTime(date);

const columns: readonly Column<Replication>[] = [
  { label: "Records of", value: ({ kind }) => kind, shown: ({ kind }) => kindName(kind) },
  { label: "State", value: ({ state }) => state, shown: ({ state }) => <State of={dataState(state)} /> },
  {
    label: "Data as of",
    value: ({ data_as_of }) => data_as_of,
    shown: ({ data_as_of }) => timeOf(data_as_of),
    under: ({ data_as_of }) => data_as_of && formatAge(data_as_of),
    none: "not yet",
  },
  {
    label: "Next reading",
    value: ({ next_due_date }) => next_due_date,
    shown: ({ next_due_date }) => timeOf(next_due_date),
    none: "none",
  },
  { label: "Stored", kind: "number", value: ({ records }) => records },
  { label: "Rejected", kind: "count", value: ({ rejected_records }) => rejected_records },
  { label: "What to do", kind: "sentence", value: remarkOf, shown: (row) => remarkOf(row) || "Nothing" },
];

const dayColumns: readonly Column<SalesDay>[] = [
  { label: "Day", value: ({ date }) => date, shown: ({ date }) => formatShortDay(date) },
  { label: "Sales", kind: "number", value: ({ sales }) => sales },
  { label: "Returns", kind: "count", value: ({ returns }) => returns },
  { label: "Adjustments", kind: "count", value: ({ adjustments }) => adjustments },
  { label: "Without an amount", kind: "count", value: ({ unknown_amounts }) => unknown_amounts },
  { label: "Last change", value: (day) => day.svc_updated_date, shown: (day) => formatTime(day.svc_updated_date) },
  { label: "Day is", value: (day) => dayState(day)[1], shown: (day) => <State of={dayState(day)} /> },
];

/** The data of a business by kind: is it fresh and whole? */
export function BusinessData({ parameters: { crb_id = "" } }: Place) {
  const path = { crb_id };
  const replications = useRead("listCrbReplications", { path });
  const days = useRead("listCrbSalesDays", { path, query: { limit: 28 } });
  return (
    <BusinessFrame crbId={crb_id} part="data">
      {({ timezone }) => (
        <>
          <Loaded of={replications} name="The state of the data">
            {({ data }) => (
              <>
                <p class="lead">
                  {data.some(needsLook) ? "Not everything is fresh and whole." : "Nothing failed at the last readings."}
                </p>
                <DataTable
                  title="Data by kind"
                  caption="Numbers of records. Figures of this business include the records up to “Data as of”."
                  columns={columns}
                  rows={data}
                  keyOf={({ kind }) => kind}
                  kindOf={(row) => (needsLook(row) ? "look" : undefined)}
                  operation="listCrbReplications"
                  file="data"
                />
              </>
            )}
          </Loaded>
          <Loaded of={days} name="The activity by day">
            {({ data }) => (
              <DataTable
                title="Activity by day"
                caption={`Numbers of sales records of the last 28 days with records, newest first, in the time zone ${timezone}. A revised day has changed after it was complete.`}
                columns={dayColumns}
                rows={data}
                keyOf={({ date }) => date}
                operation="listCrbSalesDays"
                file="activity"
                narrowRows={14}
              />
            )}
          </Loaded>
        </>
      )}
    </BusinessFrame>
  );
}
