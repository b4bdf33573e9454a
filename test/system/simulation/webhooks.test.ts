import { test } from "vitest";
import { useTestSealingKey } from "../../testServiceKey.ts";
import { isThorough } from "../../thorough.ts";
import { useQueues } from "../../useQueues.ts";
import { expectDeliveries } from "./expectDeliveries.ts";

useTestSealingKey();
useQueues();

test("in any history by DynamoDB's real rules, every event reaches its endpoints, in its CRB's order, and is counted", async () => {
  await (isThorough ? expectDeliveries(1, 100, true) : expectDeliveries(1, 1, false));
}, 1_800_000);
