import { expect, test } from "vitest";
import { peakMemoryOf } from "../../bench/memory/peakMemory.ts";
import { useTestBucket } from "../../useTestBucket.ts";
import { useTestTable } from "../../useTestTable.ts";
import { givenOnboarding } from "./givenOnboarding.ts";

const table = useTestTable();
useTestBucket();

test("adding documents of 5 MB needs less than 256 MB of resident memory", async () => {
  const { spId, crbId, requirementId, secret, template } = await givenOnboarding(table());
  const path = { sp_id: spId, crb_id: crbId, requirement_id: requirementId };
  const program = new URL("./addingProcess.ts", import.meta.url);
  const { statuses, peak } = await peakMemoryOf<{ statuses: number[] }>(program, { path, authorization: secret });
  expect(statuses).toEqual([200, 200, 200]);
  expect((await template()).json.standard_requirements[0].documents).toHaveLength(3);
  expect(peak / 1024 / 1024).toBeLessThan(256);
});
