import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { openFinishedGroups } from "./finishedGroups.ts";

test("a run of the same code and size knows the finished groups of earlier runs, and no other run does", async () => {
  const file = join(mkdtempSync(join(inject("temporaryDirectory"), "finished-")), "finished.json");
  const code = ["./fill.ts"];
  const figure = { name: "Page", value: 1, unit: "units", bar: null, holds: true };
  const measured = { figures: [figure], points: [] };
  (await openFinishedGroups(file, 10_000, code)).note("poll", measured);

  expect((await openFinishedGroups(file, 10_000, code)).groups).toEqual({ poll: measured });
  expect((await openFinishedGroups(file, 20_000, code)).groups).toEqual({});
  expect((await openFinishedGroups(file, 10_000, ["./uploadFile.ts"])).groups).toEqual({});
  // By default, the digest covers the benchmark's own code.
  (await openFinishedGroups(file, 10_000)).note("poll", measured);
  expect((await openFinishedGroups(file, 10_000)).groups).toEqual({ poll: measured });
});
