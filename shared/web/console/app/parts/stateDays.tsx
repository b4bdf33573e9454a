import { formatShortDay } from "../../../browser/formatDay.ts";
import type { Output } from "../operations.ts";
import { useRead } from "../useRead.ts";
import { type Column, DataTable } from "./dataTable.tsx";

type StateDay = Output<"listStateDays">["data"][number];

const none = "not compared";

const columns: readonly Column<StateDay>[] = [
  { label: "Day", value: ({ date }) => date, shown: ({ date }) => formatShortDay(date) },
  { label: "License", value: ({ license_number: number }) => number },
  { label: "Receipts", kind: "number", value: ({ receipts }) => receipts },
  { label: "State", kind: "cents", value: ({ total }) => total },
  { label: "Paid", kind: "cents", value: ({ pos_total: total }) => total, none },
  { label: "Before taxes", kind: "cents", value: ({ pos_subtotal: subtotal }) => subtotal, none },
  { label: "Variance", kind: "cents", value: ({ variance }) => variance, none },
  { label: "%", kind: "number", value: ({ variance_percent: percent }) => percent, none: "–" },
];

/** The totals of the state's system next to the sales days; nothing without a connection. */
export function StateDays({ path, query }: { path: { crb_id: string }; query: { limit: number } }) {
  const { data } = useRead("listStateDays", { path, query });
  return data?.data.length ? (
    <DataTable
      title="What the state has"
      caption="US dollars. The variance compares all connected licenses with the nearer figure of the point of sale. Experimental."
      columns={columns}
      rows={data.data}
      keyOf={({ date, license_number: number }) => `${date} ${number}`}
      operation="listStateDays"
      file="state-days"
      narrowRows={14}
    />
  ) : null;
}
