import { test } from "vitest";
import { useTestSealingKey, useTestServiceKey } from "../../testServiceKey.ts";
import { useQueues } from "../../useQueues.ts";
import { expectHistories } from "./expectHistories.ts";

useTestServiceKey();
useTestSealingKey();
useQueues();

test("in any history by DynamoDB's real rules, reads agree with the records, pagination misses none, and the table ends with the records of the POS", async () => {
  await expectHistories(9, 12, false);
}, 300_000);
