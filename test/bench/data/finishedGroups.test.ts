import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { openFinishedGroups } from "./finishedGroups.ts";

test("groups that are finished are known to the next run of the same code and size, and to no other", async () => {
  const file = join(mkdtempSync(join(inject("temporaryDirectory"), "finished-")), "finished.json");
  const code = ["./fill.ts"];
  const figure = { name: "Page", value: 1, unit: "units", bar: null, holds: true };
  const measured = { figures: [figure], points: [] };
  (await openFinishedGroups(file, 10_000, code)).note("poll", measured);

  expect((await openFinishedGroups(file, 10_000, code)).groups).toEqual({ poll: measured });
  expect((await openFinishedGroups(file, 20_000, code)).groups).toEqual({});
  expect((await openFinishedGroups(file, 10_000, ["./uploadFile.ts"])).groups).toEqual({});
  // The benchmark's own code can be told apart too.
  (await openFinishedGroups(file, 10_000)).note("poll", measured);
  expect((await openFinishedGroups(file, 10_000)).groups).toEqual({ poll: measured });
});
