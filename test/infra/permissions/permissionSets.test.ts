import { expect, test } from "vitest";
import { type Permissions, permissionSets, type TableAccess } from "../../../infra/permissions/permissionSets.ts";
import { documentList } from "../../../shared/store/keys/orderedLists.ts";
import { replicationDuePartition } from "../../../shared/store/keys/replication.ts";

/** The orders of a list, by the index that holds their pages. */
const orders: Readonly<Record<string, string>> = { byRank: "#", bySaleRank: "#SALE_" };

// Documents never change their position, and due times have no pages.
const { pk: documents } = documentList("????????-????-????-????-????????????");
const unpaged = [documents, replicationDuePartition("*")];

/** Whether an action on a partition of the table is permitted. */
function permits(table: readonly TableAccess[], action: TableAccess["action"], pk: string): boolean {
  const patterns = table.filter((one) => one.action === action && !one.index).flatMap(({ partitions }) => partitions);
  return patterns.some((pattern) => pattern === pk || (pattern.endsWith("*") && pk.startsWith(pattern.slice(0, -1))));
}

const reads = Object.entries<Permissions>(permissionSets).flatMap(([name, { table = [] }]) =>
  table
    .filter(({ action, index = "" }) => action === "Query" && index in orders)
    .flatMap(({ index = "", partitions }) =>
      partitions.map((pk) => ({ name, table, pk, places: `${pk}${orders[index]}` })),
    )
    .filter(({ pk, places }) => !unpaged.includes(pk) && permits(table, "Query", `${places}DAYS`)),
);

test("some permission sets read pages of lists", () => {
  expect(new Set(reads.map(({ name }) => name)).size).toBeGreaterThan(8);
});

test.each(reads)("$name, which reads pages of $pk, may also read empty sequence numbers and day indexes", (one) => {
  for (const action of ["BatchGetItem", "Query"] as const) {
    expect(permits(one.table, action, `${one.places}SLOTS`), action).toBe(true);
  }
});
