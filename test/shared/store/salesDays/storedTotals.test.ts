import { expect, test } from "vitest";
import { useTestTable } from "../../../useTestTable.ts";
import { TestClock } from "../orderedList/listUnderTest.ts";
import { type SaleOf, SalesUnderTest } from "../orderedList/salesUnderTest.ts";
import { faultsOfTotals, storedDays } from "./faultsOfTotals.ts";

const table = useTestTable();

test("a sale that moves to a day of another week leaves the totals of its former day", async () => {
  const sales = new SalesUnderTest();
  await sales.begin(table());
  const { list } = sales;
  const write = (day: string, ...of: SaleOf[]) =>
    sales.writer(table(), new TestClock(`${day}T10:00:00.000Z`)).write(of);
  const sale = { name: 1, customer: "1", day: 5, version: 0 };
  await write("2026-03-01", sale, { ...sale, name: 2 });
  // The second writer knows neither week.
  await write("2026-03-02", { ...sale, day: 20, version: 1 });
  const partitions = [list.pk, list.orders.rank.dayIndexPartition, list.totalsPartition ?? ""];
  const items = (await Promise.all(partitions.map((pk) => table().queryPartition(pk, { consistent: true })))).flat();
  expect(faultsOfTotals(items, list)).toEqual([]);
  const counts = [...storedDays(items, list)].map(([day, { figures }]) => [day, figures.records]);
  expect(Object.fromEntries(counts)).toEqual({ "2026-01-05": 1, "2026-01-20": 1 });
});
