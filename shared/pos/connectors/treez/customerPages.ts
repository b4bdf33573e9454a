import type { PullPage } from "../../connector.ts";
import { makeRecords } from "../../framework/makeRecords.ts";
import { posPath } from "../../framework/posPath.ts";
import { customerRecord } from "./customers.ts";
import { type DatedList, nextRows } from "./datedList.ts";
import { customer } from "./responses.ts";
import type { TreezPull } from "./treezPull.ts";

/** By the day of their sign-up; the day at which slices meet is in both. */
const customers: DatedList = {
  sliceDays: 30,
  changes: (since) => posPath`/customer/lastUpdated/after/${since}`,
  history: (from, to) => ({ path: posPath`/customer/signup/from/${from}/to/${to}` }),
  rowsIn: ({ data }) => data,
  idField: "customer_id",
};

/**
 * Customers, page by page: at first by the day of their sign-up, until so long nobody has signed up; then those changed
 * since the last pull. Their order is not documented, so the walk makes sure that pages join.
 */
export async function customerPage(pull: TreezPull<"customer">, quietDays: number): Promise<PullPage<"customer">> {
  const { rows, next } = await nextRows(pull, customers, quietDays);
  const found = await makeRecords(pull.request, rows, {
    schema: customer,
    posIdOf: (field) => field("customer_id"),
    make: (row) => [customerRecord(row)],
  });
  return { ...found, total: null, next, complete: false };
}
