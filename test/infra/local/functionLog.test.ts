import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openFunctionLog } from "../../../infra/local/functionLog.ts";
import { temporaryDirectories } from "./temporaryDirectories.ts";

const temporaryDirectory = temporaryDirectories();

test.skipIf(!existsSync("/dev/full"))("a log that does not fit on the disk says what to do in one line", async () => {
  const directory = temporaryDirectory();
  symlinkSync("/dev/full", join(directory, "log.jsonl"));
  const log = openFunctionLog(directory);
  log.stream.write("{}\n");
  expect(await log.failed).toBe(
    `The log in the data directory ${directory} cannot be written (ENOSPC): free disk space, then start again.`,
  );
  log.stream.write("{}\n");
  await log.close();
});
