import { expect, test } from "vitest";
import { useTestSealingKey } from "../../testServiceKey.ts";
import { isThorough } from "../../thorough.ts";
import { useQueues } from "../../useQueues.ts";
import { expectNoFaults } from "./expectNoFaults.ts";
import { simulateWebhooks } from "./simulateWebhooks.ts";

useTestSealingKey();
useQueues();

test("in any history by DynamoDB's real rules, every event reaches its endpoints, in its CRB's order, and is counted", async () => {
  const seeds = isThorough ? 100 : 1;
  const sums = await expectNoFaults(" --webhooks", 1, seeds, simulateWebhooks);
  expect(sums.attempts).toBeGreaterThan(0);
  // The incidents of a few histories also depend on the engine's time.
  if (!isThorough) return;
  expect(sums.events).toBeGreaterThan(15 * seeds);
  expect(sums.failed).toBeGreaterThan(3 * seeds);
  expect(sums.merged).toBeGreaterThan(5 * seeds);
  expect(sums.kills).toBeGreaterThan(2 * seeds);
  expect(sums.replays).toBeGreaterThan(seeds / 4);
}, 1_800_000);
