import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, inject, test } from "vitest";
import { runCommander } from "../../../infra/cli/program.ts";
import { StageError } from "../../../infra/cli/stageError.ts";
import { startCommand } from "../../../infra/local/startOptions.ts";

// start.long.test.ts has the tests that need an engine and a data directory.

describe("a start that cannot succeed says why in one line", () => {
  test.each([
    [["--port", "65536"], "--port"],
    [["--port", "80x"], "--port"],
    [["--replicate-every", "-1"], "--replicate-every"],
    [["--replicate-every", "x"], "--replicate-every"],
    [["--data", ""], "--data"],
    [["--stage", "prod"], "'prod' is invalid. Allowed choices are local, mock. See npm start -- --help"],
    [["--stage", ""], "--stage"],
  ])("for %j", async (parameters, named) => {
    const started = runCommander(
      startCommand(() => expect.fail("it has started")),
      parameters,
      process,
    );
    const error = await started.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StageError);
    expect((error as StageError).message).toContain(named);
  });
});

test("without packages, --help installs nothing and prints the same text", async () => {
  const project = mkdtempSync(join(inject("temporaryDirectory"), "help-"));
  const local = join(project, "infra", "local");
  for (const file of ["start.mjs", "startHelp.txt", "packages.mjs", "install.mjs"]) {
    cpSync(join("infra", "local", file), join(local, file));
  }
  cpSync("package-lock.json", join(project, "package-lock.json"));
  const { stdout } = await promisify(execFile)(process.execPath, [join(local, "start.mjs"), "--help"]);
  expect(stdout).toBe(startCommand(async () => undefined).helpInformation());
  expect(existsSync(join(project, "node_modules"))).toBe(false);
});
