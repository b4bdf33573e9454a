import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";

/** The descriptions of releases, which callers rely on. A new release adds a line; no line changes. */
const frozen: Readonly<Record<string, string>> = {
  "1.0.0.json": "9dcb4a80ba6805efb0258e1ffa29f905fc631d4d4807258d9c5141b126b152ed",
};

test("the description of a release stays as it was on the day of the release", () => {
  const digests = globSync("docs/releases/*.json").map((file) => {
    const digest = createHash("sha256").update(readFileSync(file)).digest("hex");
    return [basename(file), digest];
  });
  expect(Object.fromEntries(digests)).toEqual(frozen);
});
