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

/** Units of an event that is delivered, where so many wait; without those that stored it. */
async function unitsOf(waiting: number) {
  const one = new WebhooksUnderTest(table());
  await one.listen();
  // Everything that is made once and changed from then on is there.
  await one.tell("crb.updated");
  await one.deliver();
  for (let i = 0; i < waiting; i++) await one.tell("document.added", { document_id: one.crbId });
  const { readUnits, writeUnits, result } = await costOf(one.table.client, () => one.deliver());
  expect(result.delivered).toBe(waiting);
  return { readUnits: readUnits / waiting, writeUnits: writeUnits / waiting };
}

// As docs/bench/notes.md tells them, and costs take them.
test("an event that waits alone costs a unit to write more than one of many", async () => {
  const { readUnits, writeUnits } = measured.delivery;
  expect(await unitsOf(1)).toEqual({ readUnits, writeUnits });
  expect(await unitsOf(20)).toEqual({ readUnits: 1.3, writeUnits: 6.05 });
});

test("a message that finds everything delivered writes nothing", async () => {
  const one = new WebhooksUnderTest(table());
  await one.listen();
  await one.tell("crb.updated");
  await one.deliver();
  const again = await costOf(one.table.client, () => one.deliver());
  expect(again).toMatchObject({ readUnits: 4, writeUnits: 0, result: { outcome: "current", delivered: 0 } });
});
