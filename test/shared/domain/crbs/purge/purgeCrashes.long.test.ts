import { test } from "vitest";
import { expectCrashRecovery } from "./purgeCrashes.ts";
import { usePurge } from "./usePurge.ts";

const purge = usePurge();

test("a purge that is killed before or after any of its writes is finished by a second call", async () => {
  await expectCrashRecovery(purge, 1);
}, 600_000);
