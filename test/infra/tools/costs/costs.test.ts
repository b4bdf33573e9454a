import { readFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { shown } from "../../../../infra/cli/terminalOutput.ts";
import { byService, costLines, withCosts } from "../../../../infra/tools/costs/costs.ts";
import { monthRows, total } from "../../../../infra/tools/costs/usage.ts";

const text = readFileSync(new URL("../../../../docs/costs.md", import.meta.url), "utf8");
const dollarsOf = (businesses: number) => total(byService(monthRows(businesses)).map(([, dollars]) => dollars));

test("docs/costs.md has the current costs; npm run costs writes them", () => {
  expect(text).toMatch(/^\| a million list pages of 1,000 \|/m);
  expect(withCosts(text)).toBe(text);
});

/** The cells of a table of the page. */
function rowsOf(name: string): string[][] {
  const [, body = ""] =
    new RegExp(`<!-- npm run costs: ${name} -->\\n.*\\n.*\\n([\\s\\S]*?)\\n<!-- end -->`).exec(text) ?? [];
  return body.split("\n").map((line) => line.slice(2, -2).split(" | "));
}

test("a reader who multiplies the printed numbers, uses and prices gets the printed dollars, and their sum", () => {
  const prices = new Map(
    rowsOf("prices").map(([, unit = "", dollars]) =>
      unit.startsWith("a million ") ? [unit.slice(10), Number(dollars) / 1e6] : [unit, Number(dollars)],
    ),
  );
  let sum = 0;
  for (const [what, number = "", uses = "", dollars] of rowsOf("month")) {
    const each = uses.split("; ").map((use) => {
      const [, amount = "", unit = ""] = /^([\d,.]+) (.+)$/.exec(use) ?? expect.fail(use);
      const price = prices.get(unit) ?? (prices.get(unit.replace(/^KB/, "GB")) ?? Number.NaN) / 1e6;
      return toNumber(amount) * price;
    });
    const product = toNumber(number) * total(each);
    expect(Math.abs(product - Number(dollars)), what).toBeLessThan(Math.max(0.01 * Number(dollars), 0.006));
    sum += product;
  }
  const [all] = rowsOf("services").slice(-1);
  expect(Math.abs(sum / Number(all?.[1]) - 1)).toBeLessThan(0.01);
});

const toNumber = (digits: string) => Number(digits.replaceAll(",", ""));

test("an hour without changes costs as much as an export of 10 MB", () => {
  const [, changed] = monthRows(0).find(([what]) => what === "GB of changes, copied") ?? expect.fail();
  expect(changed).toBeCloseTo(7.2);
});

test("the costs for a number of CRBs fit 80 columns, and add up to the price of one CRB", () => {
  const lines = costLines(1_000, { isTTY: true, columns: 80 }).map((line) =>
    stripVTControlCharacters(shown(new PassThrough(), line)),
  );
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  const all = dollarsOf(1_000);
  const totals = lines.filter((line) => line.startsWith("all ")).map((line) => line.split(/ +/).slice(1));
  expect(totals).toEqual([1, 2].map(() => [all.toFixed(2), (all / 1_000).toFixed(4)]));
  expect(lines.join()).not.toContain("at most");
  expect(costLines(1_000_000, {}).at(-1)).toMatchObject({ style: "yellow" });
});
