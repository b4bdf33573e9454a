import { test } from "vitest";
import { useTestSealingKey, useTestServiceKey } from "../../testServiceKey.ts";
import { useQueues } from "../../useQueues.ts";
import { expectHistories } from "./expectHistories.ts";

useTestServiceKey();
useTestSealingKey();
useQueues();

test("whatever happens by DynamoDB's real rules, reads agree with the records, walks miss none, and all comes to what the POS holds", async () => {
  await expectHistories(9, 12, false);
}, 300_000);
