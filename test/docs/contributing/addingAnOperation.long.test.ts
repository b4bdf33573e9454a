import { execFile } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

const run = promisify(execFile);

/** The files of the example by path, each named in the line before its sample. */
function exampleFiles(): Map<string, string> {
  const guide = readFileSync("docs/contributing/adding-an-operation.md", "utf8");
  const samples = guide.matchAll(/^`((?:functions|shared|test)\/[\w./]+)`[^\n]*:\n\n```ts\n([\s\S]*?)^```$/gm);
  return new Map([...samples].map(([, path = "", text = ""]) => [path, text]));
}

/** Writes files into a copy of the project that has links to all other files. */
function writeCopy(folder: string, files: ReadonlyMap<string, string>): void {
  for (const [path, text] of files) {
    const parents = path.split("/").map((_, depth, parts) => parts.slice(0, depth).join("/"));
    for (const parent of parents) {
      mkdirSync(join(folder, parent), { recursive: true });
      for (const name of readdirSync(resolve(parent))) {
        const entry = join(parent, name);
        const isOwn = [...files.keys()].some((file) => `${file}/`.startsWith(`${entry}/`));
        if (!isOwn && !existsSync(join(folder, entry))) symlinkSync(resolve(entry), join(folder, entry));
      }
    }
    // Fails if the file exists, so that nothing is written through a link.
    writeFileSync(join(folder, path), text, { flag: "wx" });
  }
}

test("the example of the guide compiles, and its test passes", async () => {
  const files = exampleFiles();
  expect([...files.keys()]).toEqual([
    "shared/api/schemas/crbStaff.ts",
    "shared/api/operations/getStaff.ts",
    "functions/crbs/getStaff.ts",
    "test/functions/crbs/getStaff.test.ts",
  ]);
  mkdirSync("node_modules/.cache", { recursive: true });
  const folder = mkdtempSync(resolve("node_modules/.cache/example-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { include: _, ...config } = JSON.parse(readFileSync("tsconfig.json", "utf8"));
  // The last three extend types of Zod, of Vitest and of the global object.
  const extending = ["shared/api/openapi/openApi.ts", "test/globalSetup.ts", "test/freshModules.ts"];
  const compiled = [...files.keys(), ...extending];
  const project = JSON.stringify({ ...config, files: compiled });
  writeCopy(folder, new Map([...files, ["tsconfig.json", project]]));
  const programs = {
    tsc: ["node_modules/@typescript/native/bin/tsc", "--noEmit"],
    vitest: ["node_modules/vitest/vitest.mjs", "run", "test/functions/crbs/getStaff.test.ts"],
  };
  for (const parameters of Object.values(programs)) {
    await run(process.execPath, parameters, { cwd: folder }).catch(({ stdout, stderr }) =>
      expect.fail(stdout + stderr),
    );
  }
}, 300_000);
