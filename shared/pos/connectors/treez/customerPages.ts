import type { PullPage } from "../../connector.ts";
import { makeRecords } from "../../framework/makeRecords.ts";
import { posPath } from "../../framework/posPath.ts";
import { customerRecord } from "./customers.ts";
import { type DatedList, nextRows } from "./datedList.ts";
import { customer } from "./responses.ts";
import type { TreezPull } from "./treezPull.ts";

/** The list of customers, by day of sign-up. Adjacent slices have one day in common. */
const customers: DatedList = {
  sliceDays: 30,
  changes: (since) => posPath`/customer/lastUpdated/after/${since}`,
  history: (from, to) => ({ path: posPath`/customer/signup/from/${from}/to/${to}` }),
  rowsIn: ({ data }) => data,
  idField: "customer_id",
};

/**
 * Reads a page of customers. The first pull reads by day of sign-up, newest first, until `quietDays` days have no sign-ups.
 * Later pulls read changed customers. Treez does not document the order of customers, so the traversal checks that each
 * page continues the previous one.
 */
export async function customerPage(pull: TreezPull<"customer">): Promise<PullPage<"customer">> {
  const { rows, next } = await nextRows(pull, customers);
  const found = await makeRecords(pull.request, rows, {
    schema: customer,
    posIdOf: customers.idField,
    make: (row) => [customerRecord(row)],
  });
  return { ...found, total: null, next, complete: false };
}
