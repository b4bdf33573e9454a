import { writeFileSync } from "node:fs";
import { newProgram, parseOrExit } from "../../cli/program.ts";
import type { Description } from "./breakingChanges.ts";
import { generated } from "./generated.ts";
import { changesSinceReleases } from "./releases.ts";

// A test says when one of the files is stale.
parseOrExit(
  newProgram(
    "npm run openapi --",
    "Writes everything that is made of the operation registry for an API client's developer, and says what breaks callers of a release.",
  ),
);
const files = await generated();
for (const [file, text] of Object.entries(files)) {
  writeFileSync(new URL(`../../../${file}`, import.meta.url), text);
}
const description = JSON.parse(files["docs/openapi.json"]) as Description;
for (const [release, changes] of changesSinceReleases(description)) {
  if (changes.length === 0) continue;
  process.stderr.write(`Breaks callers of ${release}:\n${changes.map((change) => `  ${change}\n`).join("")}`);
  process.exitCode = 1;
}
