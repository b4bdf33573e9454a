import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

/**
 * The name of the release in this checkout: its version and commit, such as `1.0.0+3353537f8a1c`, with `-dirty` if files
 * differ from the commit. The version alone if the checkout is no Git repository. It is a valid value of a tag on AWS.
 */
export function releaseName(directory = root): string {
  const { version } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as { version: string };
  try {
    const commit = execFileSync("git", ["describe", "--always", "--dirty", "--abbrev=12", "--exclude", "*"], {
      cwd: directory,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return `${version}+${commit.trim()}`;
  } catch {
    return version;
  }
}
