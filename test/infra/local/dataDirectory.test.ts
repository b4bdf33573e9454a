import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { openDataDirectory } from "../../../infra/local/dataDirectory.ts";

test("data of an older version is rejected, and --fresh replaces it", async () => {
  const directory = mkdtempSync(join(inject("temporaryDirectory"), "data-"));
  const open = async (fresh: boolean) => (await openDataDirectory(directory, fresh)).lock.release();
  const demo = join(directory, "demo.json");
  await open(false);
  writeFileSync(demo, "{}");
  await open(false);

  for (const age of [() => rmSync(join(directory, "format")), () => writeFileSync(join(directory, "format"), "1")]) {
    age();
    await expect(open(false)).rejects.toThrow(/from an older version: start with --fresh/);
    expect(readFileSync(demo, "utf8")).toBe("{}");
    await open(true);
    writeFileSync(demo, "{}");
    await open(false);
  }
});

test("data of a newer version is called newer, and stays", async () => {
  const directory = mkdtempSync(join(inject("temporaryDirectory"), "data-"));
  writeFileSync(join(directory, "demo.json"), "{}");
  writeFileSync(join(directory, "format"), "1000");
  await expect(openDataDirectory(directory, false)).rejects.toThrow(/from a newer version: update this program/);
  expect(readFileSync(join(directory, "format"), "utf8")).toBe("1000");
});
