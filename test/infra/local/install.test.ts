import { execFile } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryDirectories } from "./temporaryDirectories.ts";

const temporaryDirectory = temporaryDirectories();
const lock = {
  packages: { "": {}, "node_modules/a": { version: "1.0.0" }, "node_modules/b": { version: "1.0.0", optional: true } },
};
const installed = { packages: { "node_modules/a": { version: "1.0.0" } } };
let project: string;

/** A project of its own, with an npm that only notes that it was called. */
beforeEach(() => {
  project = temporaryDirectory();
  mkdirSync(join(project, "infra", "local"), { recursive: true });
  mkdirSync(join(project, "node_modules", ".bin"), { recursive: true });
  cpSync("infra/local/install.mjs", join(project, "infra", "local", "install.mjs"));
  copyFileSync(process.execPath, join(project, "node_modules", ".bin", "node"));
  writeFileSync(join(project, "package-lock.json"), JSON.stringify(lock));
  writeFileSync(join(project, "node_modules", ".package-lock.json"), JSON.stringify(installed));
  npm("exit 0");
});

function npm(then: string): void {
  writeFileSync(join(project, "npm"), `#!/bin/sh\necho "$@" > called\n${then}\n`);
  chmodSync(join(project, "npm"), 0o755);
}

const called = () => existsSync(join(project, "called")) && readFileSync(join(project, "called"), "utf8").trim();

function install(): Promise<{ code: number; err: string }> {
  const env = { ...process.env, PATH: project + delimiter + process.env.PATH };
  return new Promise((resolve) =>
    execFile(process.execPath, [join(project, "infra", "local", "install.mjs")], { env }, (error, _out, err) =>
      resolve({ code: Number(error?.code ?? 0), err }),
    ),
  );
}

test("nothing is installed when everything is there", async () => {
  expect(await install()).toEqual({ code: 0, err: "" });
  expect(called()).toBe(false);
});

test.each([
  ["nothing is installed", undefined],
  ["a version differs", { packages: { "node_modules/a": { version: "0.9.0" } } }],
  ["a package is missing", { packages: {} }],
  ["there is one too many", { packages: { ...installed.packages, "node_modules/c": { version: "1.0.0" } } }],
])("npm installs when %s", async (_case, present) => {
  writeFileSync(join(project, "node_modules", ".package-lock.json"), present ? JSON.stringify(present) : "");
  expect(await install()).toEqual({ code: 0, err: "" });
  expect(called()).toMatch(/^install --no-save /);
});

test("a failing npm is told in one line", async () => {
  writeFileSync(join(project, "node_modules", ".package-lock.json"), "");
  npm("exit 3");
  const { code, err } = await install();
  expect(code).toBe(1);
  expect(err).toMatch(/^npm install failed[^\n]*\n$/);
});

test("a Node that its package did not bring is told in one line", async () => {
  writeFileSync(join(project, "node_modules", ".package-lock.json"), "");
  npm("printf '#!/bin/sh\\necho v20.11.0\\n' > node_modules/.bin/node");
  const { code, err } = await install();
  expect(code).toBe(1);
  expect(err).toMatch(/^Node 24 is missing[^\n]*npm rebuild node[^\n]*\n$/);
});
