import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";

/** The descriptions of releases, which callers rely on. A new release adds a line; no line changes. */
const frozen: Readonly<Record<string, string>> = {
  "1.0.0.json": "18326f49fd1a152caef3c548307d04f2c470d29394a109a97f67fb3cfa6b595f",
};

test("the description of a release stays as it was on the day of the release", () => {
  const digests = globSync("docs/releases/*.json").map((file) => {
    const digest = createHash("sha256").update(readFileSync(file)).digest("hex");
    return [basename(file), digest];
  });
  expect(Object.fromEntries(digests)).toEqual(frozen);
});
