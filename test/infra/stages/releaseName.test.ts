import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { releaseName } from "../../../infra/stages/releaseName.ts";

const git = (directory: string, ...parameters: string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...parameters], { cwd: directory });

test("a release is named by version and commit, and says if files differ from the commit", () => {
  const directory = mkdtempSync(join(inject("temporaryDirectory"), "release-"));
  writeFileSync(join(directory, "package.json"), '{ "version": "1.2.3" }');
  expect(releaseName(directory)).toBe("1.2.3");
  git(directory, "init", "-q");
  git(directory, "add", ".");
  git(directory, "commit", "-qm", "First");
  git(directory, "tag", "v9");
  const commit = git(directory, "rev-parse", "HEAD").toString().slice(0, 12);
  expect(releaseName(directory)).toBe(`1.2.3+${commit}`);
  writeFileSync(join(directory, "package.json"), '{ "version": "1.2.4" }');
  expect(releaseName(directory)).toBe(`1.2.4+${commit}-dirty`);
});
