import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { breakingChanges, type Description } from "./breakingChanges.ts";

/**
 * Returns the changes of a description that break callers of the releases of its major version, whose descriptions are in
 * `docs/releases`.
 *
 * @returns the changes by release, such as `1.0.0`; an empty list for a release whose callers do not break
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
