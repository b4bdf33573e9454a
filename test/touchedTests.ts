import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { dirname, matchesGlob } from "node:path";
import { longest } from "./longestFirst.ts";

const longTests = "test/**/*.long.test.ts";

/**
 * Sources that long tests use without an import: they run programs, read pages, edit sources in a copy of the project, or
 * open the built page in a browser. The key is a long test's path, or the beginning of several.
 */
export const usedWithoutImport: Readonly<Record<string, readonly string[]>> = {
  "test/api/": ["functions/**", "shared/{api,auth,http}/**"],
  "test/client/generated/": ["docs/openapi.json"],
  "test/clients/": ["clients/**", "infra/codegen/python*.ts", "infra/tools/packClients.ts"],
  "test/docs/guide/": ["docs/guide/**"],
  "test/functions/connect/": ["shared/web/{browser,onboarding}/**", "functions/invitations/**"],
  "test/functions/console/": ["shared/web/{browser,console}/**"],
  "test/docs/contributing/": ["docs/contributing/adding-an-operation.md", "shared/api/operation.ts"],
  "test/functions/description/": ["shared/web/reference/**", "docs/openapi.json"],
  "test/infra/cdk/": ["functions/**"],
  "test/infra/deploy/": ["infra/stacks/**", "infra/stages/**"],
  "test/infra/local/platforms": ["package-lock.json"],
  "test/infra/local/stagePages": ["shared/web/status/**"],
  "test/system/deployed/": ["infra/{stacks,constructs,permissions}/**", "functions/**", "shared/{auth,http}/**"],
};

/**
 * The commit before the change: CI_BASE where it is a commit (the variable that the workflow sets; all zeros for a new
 * branch), else where the branch left origin/main, else the commit before the last one; undefined in a shallow clone.
 */
export function findBase(): string | undefined {
  const [head] = git("rev-parse", "HEAD");
  const commits = [process.env.CI_BASE, ...git("merge-base", "origin/main", "HEAD"), "HEAD~1"];
  return commits.find((commit) => commit && commit !== head && isCommit(commit));
}

/** Whether git has a commit of this name here. */
export const isCommit = (name: string): boolean => git("rev-parse", "--verify", `${name}^{commit}`).length > 0;

/** The tests of `npm test` that take only a few of their cases there, see `thorough.ts`. */
export function findReducedTests(): string[] {
  const files = globSync("test/**/*.test.ts", { exclude: ["**/*.{long,emulated}.test.ts"] });
  return files
    .filter((file) => /\b(isThorough|sampleCases|crashPoints|crashStep)\b/.test(readFileSync(file, "utf8")))
    .sort();
}

/**
 * The long and the reduced tests that a change concerns: those near a changed file, and those that import one, directly or not.
 *
 * @param base the commit before the change
 * @returns their paths from the project's root: the near ones first, those that take minutes last
 */
export function findTouchedTests(base: string): string[] {
  const vitest = [
    "node_modules/vitest/vitest.mjs",
    "list",
    "--filesOnly",
    "--changed",
    base,
    ".long.test.ts",
    ...findReducedTests(),
  ];
  const near = findNearTests(git("diff", "--name-only", base));
  const found = [...new Set([...near, ...lines(process.execPath, vitest)])];
  return [...found.filter((file) => !longest.includes(file)), ...found.filter((file) => longest.includes(file))];
}

/**
 * The long and reduced tests in or below a folder that mirrors the folder of a changed file, and those that use a changed file
 * without an import. Paths are from the project's root.
 */
export function findNearTests(changed: readonly string[]): string[] {
  return [...globSync(longTests), ...findReducedTests()]
    .filter((test) => changed.some((path) => isNear(test, path)))
    .sort();
}

function isNear(test: string, changed: string): boolean {
  const folder = dirname(changed);
  const mirrored = folder.startsWith("test") ? folder : `test/${folder}`;
  if (test === changed || (mirrored !== "test" && test.startsWith(`${mirrored}/`))) return true;
  return Object.entries(usedWithoutImport).some(
    ([start, sources]) => test.startsWith(start) && sources.some((source) => matchesGlob(changed, source)),
  );
}

/** Runs git. Returns no lines if it fails. */
function git(...parameters: string[]): string[] {
  try {
    return lines("git", parameters);
  } catch {
    return [];
  }
}

function lines(program: string, parameters: readonly string[]): string[] {
  const output = execFileSync(program, parameters, { encoding: "utf8", stdio: "pipe", maxBuffer: 2 ** 26 });
  return output.split("\n").filter(Boolean);
}
