import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";
import description from "../../../../docs/openapi.json" with { type: "json" };

/** The descriptions of releases, which callers rely on. A new release adds a line; no line changes. */
const frozen: Readonly<Record<string, string>> = {
  "1.0.0.json": "887262e1fb5adab2632b37ad5cbd81b3dedd468eaf69215a6666a2bef234e3a0",
};

test("the description of a release stays as it was on the day of the release", () => {
  const digests = globSync("docs/releases/*.json").map((file) => {
    const digest = createHash("sha256").update(readFileSync(file)).digest("hex");
    return [basename(file), digest];
  });
  expect(Object.fromEntries(digests)).toEqual(frozen);
});

test("the present description is that of the release with its version, or has a version that no release has", () => {
  const release = `docs/releases/${description.info.version}.json`;
  if (existsSync(release)) expect(description).toEqual(JSON.parse(readFileSync(release, "utf8")));
});
