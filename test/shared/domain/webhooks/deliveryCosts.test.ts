import { expect, test } from "vitest";
import { measured } from "../../../../infra/constructs/measuredUsage.ts";
import { costOf } from "../../../bench/capacity.ts";
import { useTestSealingKey } from "../../../testServiceKey.ts";
import { useQueues } from "../../../useQueues.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { WebhooksUnderTest } from "./webhooksUnderTest.ts";

useTestSealingKey();
useQueues();
const table = useTestTable();

/** Units per delivered event if several wait, without those for storing the events. */
async function measureUnits(waiting: number) {
  const one = new WebhooksUnderTest(table());
  await one.listen();
  // Items that are created once and then only changed exist.
  await one.storeEvent("crb.updated");
  await one.deliver();
  for (let i = 0; i < waiting; i++) await one.storeEvent("document.added", { document_id: one.crbId });
  const { readUnits, writeUnits, result } = await costOf(one.table.client, () => one.deliver());
  expect(result.delivered).toBe(waiting);
  return { readUnits: readUnits / waiting, writeUnits: writeUnits / waiting };
}

// As in docs/bench/notes.md and in the cost estimate.
test("the delivery of a single event costs one write unit more than that of one among many", async () => {
  const { readUnits, writeUnits } = measured.delivery;
  expect(await measureUnits(1)).toEqual({ readUnits, writeUnits });
  expect(await measureUnits(20)).toEqual({ readUnits: 1.3, writeUnits: 6.05 });
});

test("a message without undelivered events writes nothing", async () => {
  const one = new WebhooksUnderTest(table());
  await one.listen();
  await one.storeEvent("crb.updated");
  await one.deliver();
  const again = await costOf(one.table.client, () => one.deliver());
  expect(again).toMatchObject({ readUnits: 4, writeUnits: 0, result: { outcome: "current", delivered: 0 } });
});
