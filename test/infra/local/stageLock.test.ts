import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { identifyProcess } from "../../../infra/local/processIdentity.ts";
import { lockStage } from "../../../infra/local/stageLock.ts";
import { temporaryDirectories } from "./temporaryDirectories.ts";

const temporaryDirectory = temporaryDirectories();

/** A folder with the lock of a killed stage, whose engine still runs and ends slowly. */
async function givenStaleLock(): Promise<string> {
  const directory = temporaryDirectory();
  const ending = "process.on('SIGTERM', () => setTimeout(() => process.exit(), 200)); setInterval(() => {}, 1000);";
  const engine = spawn(process.execPath, ["-e", `${ending} console.log("runs")`]);
  await once(engine.stdout, "data");
  const holder = { stage: { pid: 2 ** 30, identity: "killed" }, engine: identifyProcess(engine.pid ?? 0) };
  writeFileSync(join(directory, "stage.lock"), JSON.stringify(holder));
  return directory;
}

test("of two starts that find the lock of a killed stage, one gets the folder", async () => {
  const directory = await givenStaleLock();
  const starts = await Promise.allSettled([lockStage(directory), lockStage(directory)]);
  expect(starts.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(starts.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { message: expect.stringMatching(/^Another stage \(process \d+\) is running on /) },
  });
});

test("a stage releases its own lock alone", async () => {
  const directory = temporaryDirectory();
  const file = join(directory, "stage.lock");
  const lock = await lockStage(directory);
  const other = JSON.stringify({ stage: { pid: 2 ** 30, identity: "other" } });
  writeFileSync(file, other);
  lock.release();
  expect(readFileSync(file, "utf8")).toBe(other);
});
