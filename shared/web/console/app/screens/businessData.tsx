import type { Place } from "../findScreen.ts";
import { formatAge } from "../format.ts";
import type { Output } from "../operations.ts";
import { BusinessFrame } from "../parts/businessFrame.tsx";
import { Reading } from "../parts/layout.tsx";
import { type Column, DataTable, day, number, state, text, time } from "../parts/table.tsx";
import { dataState, dayState, kindName, replicationFailure } from "../texts.ts";

type Replication = Output<"listCrbReplications">["data"][number];
type SalesDay = Output<"listCrbSalesDays">["data"][number];

const needsLook = ({ state, error, rejected_records, awaiting_confirmation }: Replication): boolean =>
  error !== null || rejected_records > 0 || awaiting_confirmation !== null || state === "failing" || state === "late";

/** Whether the data of all kinds is fresh and whole. */
function leadOf(kinds: readonly Replication[]): string {
  if (kinds.some(needsLook)) return "Not everything is fresh and whole.";
  const states = new Set<string>(kinds.map(({ state }) => state));
  if (states.has("paused")) return "This business is paused: its point of sale is not read.";
  if (states.has("not_connected")) return "No point of sale is connected, so nothing is read.";
  if (states.has("waiting") || states.has("initial")) return "The first reading is not finished.";
  return "Nothing failed at the last readings.";
}

/** The next step for a replication. */
function remarkOf({ state, error, awaiting_confirmation, progress, rejected_records }: Replication): string {
  if (error) return replicationFailure(error);
  if (awaiting_confirmation)
    return "The point of sale suddenly returned almost nothing. The records stay as they are until the next readings confirm it.";
  if (progress && state === "initial")
    return `${progress.read.toLocaleString()} ${progress.total === null ? "" : `of ${progress.total.toLocaleString()} `}records are read so far.`;
  if (rejected_records > 0)
    return "Records of the point of sale that cannot be converted are not stored. The business corrects them in its point of sale.";
  return state === "not_connected" ? "The business has to connect its point of sale." : "Nothing";
}

const columns: readonly Column<Replication>[] = [
  text("Records of", ({ kind }) => kindName(kind)),
  state("State", (row) => dataState(row.state)),
  time("Data as of", ({ data_as_of }) => data_as_of, {
    under: ({ data_as_of }) => data_as_of && formatAge(data_as_of),
    none: "not yet",
  }),
  time("Next reading", ({ next_due_date }) => next_due_date, { none: "none" }),
  number("Stored", ({ records }) => records),
  number("Rejected", ({ rejected_records }) => rejected_records, "count"),
  { label: "What to do", kind: "sentence", value: remarkOf },
];

const dayColumns: readonly Column<SalesDay>[] = [
  day("Day", ({ date }) => date),
  number("Sales", ({ sales }) => sales),
  number("Returns", ({ returns }) => returns, "count"),
  number("Adjustments", ({ adjustments }) => adjustments, "count"),
  number("Without an amount", ({ unknown_amounts }) => unknown_amounts, "count"),
  time("Last change", ({ svc_updated_date }) => svc_updated_date),
  state("Day is", dayState),
];

/** The data of a business by kind: is it fresh and whole? */
export function BusinessData({ parameters: { crb_id = "" } }: Place) {
  const path = { crb_id };
  return (
    <BusinessFrame crbId={crb_id} part="/data">
      {({ timezone }) => (
        <>
          <Reading of="listCrbReplications" input={{ path }} name="The state of the data">
            {({ data }) => (
              <>
                <p class="lead">{leadOf(data)}</p>
                <DataTable
                  title="Data by kind"
                  caption="Numbers of records. Figures of this business include the records up to “Data as of”."
                  columns={columns}
                  rows={data}
                  kindOf={(row) => (needsLook(row) ? "look" : undefined)}
                  operation="listCrbReplications"
                />
              </>
            )}
          </Reading>
          <Reading of="listCrbSalesDays" input={{ path, query: { limit: 28 } }} name="The activity by day">
            {({ data }) => (
              <DataTable
                title="Activity by day"
                caption={`Numbers of sales records of the last 28 days with records, newest first, in the time zone ${timezone}. A revised day has changed after it was complete.`}
                columns={dayColumns}
                rows={data}
                operation="listCrbSalesDays"
                narrowRows={14}
              />
            )}
          </Reading>
        </>
      )}
    </BusinessFrame>
  );
}
