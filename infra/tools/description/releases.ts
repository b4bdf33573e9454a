import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { breakingChanges, type Description } from "./breakingChanges.ts";

/**
 * What in a description breaks callers of the releases that it promises to be compatible with: those of its major version,
 * of which `docs/releases` keeps the descriptions.
 *
 * @returns the changes by release, such as `1.0.0`; an empty list for a release whose callers can all go on
 */
export function changesSinceReleases(description: Description): Map<string, string[]> {
  const [major] = description.info.version.split(".");
  const files = globSync(join(import.meta.dirname, "..", "..", "..", "docs", "releases", `${major}.*.json`)).sort();
  return new Map(
    files.map((file) => [
      basename(file, ".json"),
      breakingChanges(JSON.parse(readFileSync(file, "utf8")), description),
    ]),
  );
}
