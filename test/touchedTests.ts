import { execFileSync } from "node:child_process";
import { globSync } from "node:fs";
import { dirname, matchesGlob } from "node:path";

const longTests = "test/**/*.long.test.ts";

/**
 * Sources that long tests use without an import: they run programs, read pages or open the built page in a browser. The
 * key is a long test's path, or the beginning of several.
 */
const usedWithoutImport: Readonly<Record<string, readonly string[]>> = {
  "test/api/oauthPython": ["functions/authentication/**", "shared/auth/**"],
  "test/client/generated/": ["docs/openapi.json"],
  "test/docs/guide/": ["docs/guide/**"],
  "test/functions/connect/": ["shared/web/onboarding/**", "functions/invitations/**"],
  "test/functions/description/": ["shared/web/reference/**", "docs/openapi.json"],
  "test/infra/deploy/": ["infra/stacks/**", "infra/stages/**"],
  "test/system/deployed/": ["infra/{stacks,constructs,permissions}/**", "functions/**"],
};

/**
 * The long tests that a change concerns: those that import a changed file, directly or not, those in or below the folder
 * that mirrors the changed file's, and those that use it without an import.
 * @param base - the commit before the change
 * @returns their paths from the project's root; those that are not found by imports alone come first, as the nearest
 */
export function findTouchedTests(base: string): string[] {
  const changed = lines("git", ["diff", "--name-only", base]);
  const vitest = ["node_modules/vitest/vitest.mjs", "list", "--filesOnly", "--changed", base, ".long.test.ts"];
  const importing = lines(process.execPath, vitest);
  const near = globSync(longTests).filter((test) => changed.some((path) => isNear(test, path)));
  return [...new Set([...near.sort(), ...importing])];
}

/** Whether a test lies where a changed file's tests lie, or uses the file without an import. */
function isNear(test: string, changed: string): boolean {
  if (test === changed) return true;
  const mirrored = changed.startsWith("test/") ? dirname(changed) : `test/${dirname(changed)}`;
  if (mirrored !== "test" && test.startsWith(`${mirrored}/`)) return true;
  return Object.entries(usedWithoutImport).some(
    ([start, sources]) => test.startsWith(start) && sources.some((source) => matchesGlob(changed, source)),
  );
}

function lines(program: string, parameters: readonly string[]): string[] {
  const output = execFileSync(program, parameters, { encoding: "utf8", maxBuffer: 2 ** 26 });
  return output.split("\n").filter(Boolean);
}
