import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { openKeptData } from "./keptData.ts";

test("kept lists belong to one benchmark at a time, and are removed once the code that stores them has changed", async () => {
  const folder = mkdtempSync(join(inject("temporaryDirectory"), "kept-"));
  const { lock, ...kept } = await openKeptData(folder);
  await expect(openKeptData(folder)).rejects.toThrow(`Another benchmark (process ${process.pid}) is running`);
  writeFileSync(kept.dataFile, "");
  const older = join(folder, "lists-of-older-code");
  mkdirSync(older);
  lock.release();

  expect(await openKeptData(folder)).toMatchObject(kept);
  expect(existsSync(kept.dataFile)).toBe(true);
  expect(existsSync(older)).toBe(false);
});
