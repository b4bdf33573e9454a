import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openApiText } from "../../../../infra/tools/generate/openApiDescription.ts";

test("the committed description is generated from the operation registry", () => {
  const isCurrent = readFileSync("docs/openapi.json", "utf8") === openApiText();
  expect(isCurrent, "docs/openapi.json is stale: npm run generate").toBe(true);
});
