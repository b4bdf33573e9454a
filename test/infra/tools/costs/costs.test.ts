import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { exampleLoad, withCosts } from "../../../../infra/tools/costs/costs.ts";
import { month, totalOf } from "../../../../infra/tools/costs/month.ts";

const text = readFileSync(new URL("../../../../docs/costs.md", import.meta.url), "utf8");

test("docs/costs.md has the current costs; npm run costs writes them", () => {
  expect(text).toMatch(/^\| a million list pages of 1,000 \|/m);
  expect(withCosts(text)).toBe(text);
});

describe("a month as the program calculates it", () => {
  const byHand = Object.fromEntries(
    [...text.matchAll(/^\| ([\w -]+?) \| [^|]* \| (\d+\.\d\d) \|$/gm)].map(([, name = "", sum]) => [name, Number(sum)]),
  );
  const { all, ...services } = byHand;
  const parts = month(exampleLoad);

  test("is within 10 % of the manual calculation", () => {
    expect(Object.values(services).reduce((sum, each) => sum + each, 0)).toBeCloseTo(all ?? 0, 1);
    expect(Math.abs(totalOf(parts) / (all ?? 0) - 1)).toBeLessThan(0.1);
  });

  test("has the same services, each within 10 % or a few cents", () => {
    expect(Object.keys(parts).sort()).toEqual(Object.keys(services).sort());
    for (const [name, sum] of Object.entries(services)) {
      expect(Math.abs((parts[name] ?? 0) - sum), name).toBeLessThan(Math.max(0.1 * sum, 0.05));
    }
  });
});
