import { test } from "vitest";
import { useTestSealingKey, useTestServiceKey } from "../../testServiceKey.ts";
import { useQueues } from "../../useQueues.ts";
import { expectHistories } from "./expectHistories.ts";

useTestServiceKey();
useTestSealingKey();
useQueues();

test("in many histories by DynamoDB's real rules, reads agree with the records, walks miss none, and all comes to what the POS holds", async () => {
  await expectHistories(1, 200, true);
}, 1_800_000);
