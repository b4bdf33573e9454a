import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { recordList } from "../../../shared/store/keys/orderedLists.ts";
import { loadOrderState } from "../../../shared/store/orderedList/orderState.ts";
import { readPage } from "../../../shared/store/orderedList/readPage.ts";
import { useTestTable } from "../../useTestTable.ts";
import { standingFence } from "./business.ts";
import { passBusyDays } from "./busyYear.ts";
import { daysAgo, indexes, noonOf, writeAll } from "./fill.ts";

const table = useTestTable();

test("a list that only the planner has carried through busy days is paged like any other and can be written to", async () => {
  const crbId = randomUUID();
  const list = recordList(crbId, "product", 8);
  const fence = await standingFence(table(), crbId, "product");
  const recordOf = (version: number) => (index: number) => {
    const id = `record ${index}`;
    return { id, content: { id, version } };
  };
  const write = (ago: number, version: number, numbers: Iterable<number>) =>
    writeAll(table(), list, { fence, clock: noonOf(daysAgo(ago)) }, numbers, recordOf(version));
  await write(1, 0, indexes(20));
  await write(0, 1, indexes(5));
  await passBusyDays(table(), list, 2, () => undefined);

  const stored = await table().queryPartition(list.pk);
  const { dayIndexes } = await loadOrderState(
    table(),
    list.orders.rank,
    stored.map(({ rank }) => rank as string),
  );
  expect([...dayIndexes.values()].flatMap(({ days }) => [...days])).toEqual([
    [daysAgo(-2), { allocated: 20 * 50, active: 20 }],
  ]);
  await write(-3, 2, indexes(7));
  const { total, records } = await readPage(table(), list, { offset: 0, limit: 20 });
  expect({ total, found: new Set(records.map((record) => JSON.parse(record).id)).size }).toEqual({
    total: 20,
    found: 20,
  });
});
