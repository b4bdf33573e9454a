import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { withCosts } from "../../infra/costs.ts";

test("the costs in docs/operations.md are those of now; npm run costs writes them", () => {
  const text = readFileSync(new URL("../../docs/operations.md", import.meta.url), "utf8");
  expect(text).toMatch(/^\| a million list pages of 1,000 \|/m);
  expect(withCosts(text)).toBe(text);
});
