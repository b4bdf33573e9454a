import type { PullPage } from "../../connector.ts";
import { makeRecords } from "../../framework/makeRecords.ts";
import { posPath } from "../../framework/posPath.ts";
import { customerRecord } from "./customers.ts";
import { type DatedList, nextRows } from "./datedList.ts";
import { customer } from "./responses.ts";
import type { TreezPull } from "./treezPull.ts";

/** By day of sign-up. Adjacent slices share a day. */
const customers: DatedList = {
  sliceDays: 30,
  changes: (since) => posPath`/customer/lastUpdated/after/${since}`,
  history: (from, to) => ({ path: posPath`/customer/signup/from/${from}/to/${to}` }),
  rowsIn: ({ data }) => data,
  idField: "customer_id",
};

/**
 * Reads a page of customers. The first pull reads by day of sign-up, back to a long time without sign-ups; later pulls read the
 * changes. The order is not documented, so the traversal checks that pages join.
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
