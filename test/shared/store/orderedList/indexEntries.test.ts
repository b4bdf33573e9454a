import { expect, test } from "vitest";
import { streamEntries } from "../../../../shared/store/orderedList/indexEntries.ts";
import { testTableOf } from "../../../testTable.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { hideFromLaggingReads } from "./laggingReads.ts";
import { TestClock } from "./listUnderTest.ts";
import { SalesUnderTest } from "./salesUnderTest.ts";

const table = useTestTable();

test("a stream of a value's entries has all of them, even if eventually consistent reads lag", async () => {
  const sales = new SalesUnderTest();
  await sales.begin(table());
  const writer = sales.writer(table(), new TestClock("2026-03-01T10:00:00.000Z"));
  await writer.write(["1", "1", "2"].map((customer, name) => ({ name, customer, day: 1, version: 0 })));
  const reader = testTableOf(table());
  hideFromLaggingReads(reader);
  const parts = streamEntries(reader, sales.list, { field: "customer_id", value: sales.customerId("1") });
  expect((await Array.fromAsync(parts)).flat()).toHaveLength(2);
});
