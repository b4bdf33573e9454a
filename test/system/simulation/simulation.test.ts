import { expect, test } from "vitest";
import { useTestSealingKey, useTestServiceKey } from "../../testServiceKey.ts";
import { isThorough } from "../../thorough.ts";
import { useQueues } from "../../useQueues.ts";
import { useTestBucket } from "../../useTestBucket.ts";
import { expectNoFaults } from "./expectNoFaults.ts";
import { noDefenses } from "./journal.ts";
import { simulate } from "./simulate.ts";

useTestServiceKey();
useTestSealingKey();
useQueues();
useTestBucket();

test("in any history by DynamoDB's real rules, reads agree with the records, pagination misses none, and the table ends with the records of the POS", async () => {
  const seeds = isThorough ? 200 : 1;
  // The history of seed 17 has most kinds of incidents in half the time of others that do.
  const first = isThorough ? 1 : 17;
  const sums = await expectNoFaults("", first, first + seeds - 1, simulate);
  expect(sums.calls).toBeGreaterThan(80 * seeds);
  // The incidents of a few histories also depend on the engine's time.
  if (!isThorough) return;
  for (const name of Object.keys(noDefenses)) expect(sums[name], name).toBeGreaterThan(0);
  expect(sums.kills).toBeGreaterThan(seeds / 2);
  expect(sums.unchanged).toBeGreaterThan(3 * seeds);
  expect(sums.pastDays).toBeGreaterThanOrEqual(seeds);
  expect(sums.followed).toBeGreaterThan(100 * seeds);
  expect(sums.followedDays).toBeGreaterThan(seeds / 2);
  expect(sums.resets).toBeGreaterThan(seeds / 2);
  expect(sums.falseAnswers).toBeGreaterThan(seeds / 4);
  expect(sums.tornRestores).toBeGreaterThan(seeds / 10);
}, 1_800_000);
