import { test } from "vitest";
import { useTestSealingKey, useTestServiceKey } from "../../testServiceKey.ts";
import { isThorough } from "../../thorough.ts";
import { useQueues } from "../../useQueues.ts";
import { useTestBucket } from "../../useTestBucket.ts";
import { expectHistories } from "./expectHistories.ts";

useTestServiceKey();
useTestSealingKey();
useQueues();
useTestBucket();

test("in any history by DynamoDB's real rules, reads agree with the records, pagination misses none, and the table ends with the records of the POS", async () => {
  await (isThorough ? expectHistories(1, 200, true) : expectHistories(3, 3, false));
}, 1_800_000);
