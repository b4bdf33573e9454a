import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";

/** The descriptions of releases, which callers rely on. A new release adds a line; no line changes. */
const frozen: Readonly<Record<string, string>> = {
  "1.0.0.json": "048eeaac2b4cf8036385dfba4cfe76c6a1d7b6148aaa04f4fa97c2cff9e0da57",
};

test("the description of a release stays as it was on the day of the release", () => {
  const digests = globSync("docs/releases/*.json").map((file) => {
    const digest = createHash("sha256").update(readFileSync(file)).digest("hex");
    return [basename(file), digest];
  });
  expect(Object.fromEntries(digests)).toEqual(frozen);
});
