import { globSync } from "node:fs";
import { expect, test } from "vitest";
import { findNearTests, usedWithoutImport } from "./touchedTests.ts";

test.each([
  ["shared/web/onboarding/app/app.tsx", "test/functions/connect/connectPageInBrowser.long.test.ts"],
  ["docs/guide/events.md", "test/docs/guide/samples.long.test.ts"],
  ["shared/auth/checkAccess.ts", "test/api/rejections.long.test.ts"],
  ["functions/customers/getCustomer.ts", "test/infra/cdk/stages.long.test.ts"],
  ["package-lock.json", "test/infra/local/platforms.long.test.ts"],
  ["shared/web/status/page.html", "test/infra/local/stagePagesInBrowser.long.test.ts"],
  ["infra/local/start.ts", "test/infra/local/start.long.test.ts"],
  ["test/shared/pos/longLists.long.test.ts", "test/shared/pos/longLists.long.test.ts"],
])("a change of %s touches %s", (changed, expected) => {
  expect(findNearTests([changed])).toContain(expected);
});

test("a page that no test uses touches no long test", () => {
  expect(findNearTests(["SECURITY.md", "docs/decisions/node.md"])).toEqual([]);
});

test.each(Object.entries(usedWithoutImport))(
  "%s is the beginning of a long test, and its sources exist",
  (start, sources) => {
    expect(globSync("test/**/*.long.test.ts").some((path) => path.startsWith(start))).toBe(true);
    for (const source of sources) expect(globSync(source), source).not.toEqual([]);
  },
);
