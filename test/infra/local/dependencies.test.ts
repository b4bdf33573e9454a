import { globSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { pages } from "../../../shared/web/pageRoutes.ts";

const { scripts, dependencies, optionalDependencies } = JSON.parse(readFileSync("package.json", "utf8"));

const scriptNames = Object.keys(scripts);

/** The programs that run with `dependencies` alone. */
const names = scriptNames.filter((name) => /requireDependencies/.test(scripts[name]));
const programs = [
  "infra/local/start.ts",
  ...names.map((name) => /^node (?:--\S+ )*(\S+\.ts)$/.exec(scripts[name])?.[1] ?? expect.fail(scripts[name])),
];

const packageOf = (path: string) => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? "";

/** The packages that source files import, directly or through other files of the project. */
async function importedBy(files: readonly string[]): Promise<Set<string>> {
  const { metafile } = await build({
    entryPoints: [...files],
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    // Shared files are printed once.
    splitting: true,
    outdir: "unused",
    write: false,
    metafile: true,
    logLevel: "error",
  });
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
  return new Set(imports.flatMap(({ external, path }) => (external && !isBuiltin(path) ? [packageOf(path)] : [])));
}

test("`dependencies` are exactly the packages of `npm start` and of the programs that need no others", async () => {
  expect(programs).toContain("infra/local/start.ts");
  const functions = globSync("functions/**/*.ts");
  const apps = globSync("shared/web/*/app/main.tsx");
  const imported = await importedBy([...programs, "infra/local/functionThread.ts", ...apps, ...functions]);
  const read = pages.flatMap(({ files = [] }) => files.filter((file) => file.startsWith("node_modules/")));
  // Powertools requires the client from users of its secrets, and commander's typings require commander.
  const needed = ["@aws-sdk/client-secrets-manager", "commander", ...read.map((file) => packageOf(file.slice(13)))];
  expect([...imported.union(new Set(needed))].sort()).toEqual(Object.keys(dependencies).sort());
  // The machine may have its own Node 24 or Java, for which there is no package here.
  expect(Object.keys(optionalDependencies).filter((name) => !name.startsWith("@dynoxide/"))).toEqual(["node"]);
});

/** The scripts that npm runs before or after others, or with an installation. */
const lifecycle = /^(pre|post)?(install|pack|prepare|publish|version|uninstall|shrinkwrap)(Only)?$|^dependencies$/;
const hooks = scriptNames.filter(
  (name) => lifecycle.test(name) || scriptNames.some((other) => name === `pre${other}` || name === `post${other}`),
);

test("package.json has at most 33 scripts, and only those after an installation and before test are hooks", () => {
  expect(scriptNames.length).toBeLessThanOrEqual(33);
  expect(hooks).toEqual(["prepare", "pretest"]);
});

test("start and test install packages; every other script first checks that they are installed", () => {
  expect([scripts.start, scripts.pretest]).toEqual(["node infra/local/start.mjs", "node infra/local/install.mjs"]);
  const check = /^node (--max-\S+ )*(--import=\.\/)?infra\/local\/require(Dev)?Dependencies\.mjs /;
  const others = scriptNames.filter((name) => !["start", "test", ...hooks].includes(name));
  expect(others.filter((name) => !check.test(scripts[name] ?? ""))).toEqual([]);
});
