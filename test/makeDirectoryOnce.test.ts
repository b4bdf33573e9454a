import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { makeDirectoryOnce } from "./makeDirectoryOnce.ts";

const newDirectory = () => join(mkdtempSync(join(inject("temporaryDirectory"), "once-")), "made");

test("one process makes the directory, and the others wait for it", async () => {
  const directory = newDirectory();
  let times = 0;
  const make = async (unfinished: string) => {
    times++;
    mkdirSync(unfinished);
  };
  await Promise.all([makeDirectoryOnce(directory, make), makeDirectoryOnce(directory, make)]);
  await makeDirectoryOnce(directory, make);
  expect(existsSync(directory)).toBe(true);
  expect(times).toBe(1);
});

test("waiting ends with an error if the first process fails or is killed", async () => {
  const failing = newDirectory();
  const fail = () => Promise.reject(new Error("no space"));
  const [first, second] = await Promise.allSettled([
    makeDirectoryOnce(failing, fail),
    makeDirectoryOnce(failing, fail),
  ]);
  expect([first, second]).toMatchObject([{ reason: { message: "no space" } }, { status: "rejected" }]);

  const abandoned = newDirectory();
  const { pid } = spawnSync(process.execPath, ["--version"]);
  writeFileSync(`${abandoned}.begun`, String(pid));
  await expect(makeDirectoryOnce(abandoned, fail)).rejects.toThrow("has failed");
});
