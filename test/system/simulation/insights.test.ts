import { expect, test } from "vitest";
import { useTestSealingKey, useTestServiceKey } from "../../testServiceKey.ts";
import { isThorough } from "../../thorough.ts";
import { useQueues } from "../../useQueues.ts";
import { expectNoFaults } from "./expectNoFaults.ts";
import { simulateInsights } from "./simulateInsights.ts";

useTestServiceKey();
useTestSealingKey();
useQueues();

test("in any history by DynamoDB's real rules, no insight is lost, stored twice or deleted, each change has one event, and a statement as of an instant always has the same files", async () => {
  const seeds = isThorough ? 100 : 2;
  const sums = await expectNoFaults(" --insights", 1, seeds, simulateInsights);
  expect(sums.raised).toBeGreaterThan(5 * seeds);
  if (!isThorough) return;
  expect(sums.withdrawn).toBeGreaterThan(seeds);
  expect(sums.decided).toBeGreaterThan(seeds);
  expect(sums.updated).toBeGreaterThan(seeds);
  expect(sums.kills).toBeGreaterThan(seeds / 2);
  expect(sums.tornRestores).toBeGreaterThan(seeds / 4);
}, 1_800_000);
