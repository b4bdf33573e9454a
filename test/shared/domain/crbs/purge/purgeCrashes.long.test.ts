import { test } from "vitest";
import { expectDeathsHealed } from "./purgeCrashes.ts";
import { usePurge } from "./usePurge.ts";

const purge = usePurge();

test("a purge that is cut off before or after any of its writes is finished by a second call", async () => {
  await expectDeathsHealed(purge, 1);
}, 600_000);
