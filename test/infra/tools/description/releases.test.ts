import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";

/** The descriptions of releases, which callers rely on. A new release adds a line; no line changes. */
const frozen: Readonly<Record<string, string>> = {
  "1.0.0.json": "26f8c5ae947535d0253d4589171ba08076e2470a4a5d0a24c4c8a2de6cb5155f",
};

test("the description of a release stays as it was on the day of the release", () => {
  const digests = globSync("docs/releases/*.json").map((file) => {
    const digest = createHash("sha256").update(readFileSync(file)).digest("hex");
    return [basename(file), digest];
  });
  expect(Object.fromEntries(digests)).toEqual(frozen);
});
