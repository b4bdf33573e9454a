import { test } from "vitest";
import { useTestSealingKey } from "../../testServiceKey.ts";
import { useQueues } from "../../useQueues.ts";
import { expectDeliveries } from "./expectDeliveries.ts";

useTestSealingKey();
useQueues();

test("in any history by DynamoDB's real rules, every event reaches its endpoints, in its CRB's order, and is counted", async () => {
  await expectDeliveries(1, 3, false);
}, 600_000);
