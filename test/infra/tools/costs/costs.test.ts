import { readFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { shown } from "../../../../infra/cli/terminalOutput.ts";
import { costLines, exampleLoad, loadOf, withCosts } from "../../../../infra/tools/costs/costs.ts";
import { drivers, month, tableCopies, totalOf } from "../../../../infra/tools/costs/month.ts";
import { before, present } from "../../../../infra/tools/costs/usageSets.ts";

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

test("the price before it was halved, at 10,000 businesses, is within 10 % of a sum by hand from list prices", () => {
  const million = 1e6;
  const businesses = 10_000;
  // Of one business in 30 days: locations, products, customers, inventory, sales.
  const runs = (businesses * (720 + 1_440 + 2_880 + 2_880 + 8_640)) / million;
  const [pages, records] = [20, 200];
  const dynamodb =
    runs * (8 * 0.625 + 10.8 * 0.125) +
    // Events: at most one for each run or new record.
    ((businesses * (150 + 1_500 + 2_880 + 8_640)) / million) * (10 * 0.625 + 1 * 0.125) +
    ((businesses * (2_880 * 600 + 720 * 4)) / million) * 0.5 * 0.125 +
    ((businesses * 30 * (5 * 5 + 50 * 16.2 + 100 * 12.1 + 300 * 20.9)) / million) * 0.625 +
    ((businesses * 8_640) / million) * (2 * 0.625 + 1 * 0.125) +
    pages * 179.5 * 0.125 +
    records * 1.5 * 0.125 +
    4_000 * (0.25 + 0.36 * 0.2);
  const gigabytesOfDocuments = (2_000 * 4) / 3;
  // Nine copies of the table, and a copy to the other region each night.
  const backup = 4_000 * 0.36 * (9 * 0.1 + 30 * 0.02) + gigabytesOfDocuments * (2 * 0.05 + 0.02);
  const lambda = (runs * 1 + pages * 0.15 + records * 0.02 * 0.5) * 13.3334 + (runs + pages + records) * 0.2;
  const waf = 12 + (pages + records) * 0.6;
  // Lines of 1.5 KB, and a year of them compressed to 15 %.
  const cloudwatch = 15.5 + (runs + pages + records) * 1.5 * (0.5 + 12.2 * 0.15 * 0.03);
  const transfer = (pages * 450 + records * 1.5 + gigabytesOfDocuments) * 0.09;
  const keys = 6.4 + runs * 3;
  const gateway = (pages + records) * 3.5;
  const queues = 1 + runs * 3 * 0.4;
  const s3 = gigabytesOfDocuments * 0.023 + 2 * (5 + 0.4);
  const accessLog = (pages + records) * (5 * 0.029 + 0.9 * (0.00325 + 0.02) + 61 * 0.9 * 0.15 * 0.023);
  const others = 10 + 4;
  const byHand = [
    dynamodb,
    backup,
    lambda,
    waf,
    cloudwatch,
    transfer,
    keys,
    gateway,
    queues,
    s3,
    accessLog,
    others,
  ].reduce((sum, each) => sum + each, 0);
  expect(Math.round(byHand)).toBe(14_452);
  expect(Math.abs(totalOf(month(loadOf(businesses), before)) / byHand - 1)).toBeLessThan(0.1);
});

test("the copies of the table in this release, at 10,000 businesses, are within 10 % of a sum by hand", () => {
  const load = loadOf(10_000);
  const [copies] = drivers(load, present).filter(({ name }) => name === "copies of the table");
  const writeUnits = drivers(load, present).reduce((sum, { writeUnits: each = 0 }) => sum + each, 0);
  const changes = writeUnits * 0.5e-6;
  // Six copies a month, each kept for 2 days here and for 8 days there. Compression leaves 37 % of 4,000 GB.
  const byHand = 1_480 * 0.36 * (6 * (10 / 30) * 0.1 + 6 * 0.02) + changes * (0.1 + 0.02 + 0.9 * (10 / 30) * 0.023);
  expect(Math.abs(totalOf(copies?.parts ?? {}) / byHand - 1)).toBeLessThan(0.1);
});

test("an hour without changes costs as much as an export of 10 MB", () => {
  const plan = { fullCopies: 0, daysKept: { here: 0, there: 0 }, changes: { exports: 720, daysKept: 10 } };
  expect(tableCopies(plan, 0, 0, 1).parts.Backup).toBeCloseTo(7.2 * 0.12);
  expect(tableCopies(plan, 0, 100, 1).parts.Backup).toBeCloseTo(100 * 0.12);
});

test("the costs for a number of CRBs fit 80 columns, and add up to the price of one CRB", () => {
  const lines = costLines(1_000, { isTTY: true, columns: 80 }).map((line) =>
    stripVTControlCharacters(shown(new PassThrough(), line)),
  );
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  const all = totalOf(month(loadOf(1_000)));
  const totals = lines.filter((line) => line.startsWith("all ")).map((line) => line.split(/ +/).slice(1));
  expect(totals).toEqual([1, 2].map(() => [all.toFixed(2), (all / 1_000).toFixed(4)]));
  expect(lines.join()).not.toContain("at most");
  expect(costLines(1_000_000, {}).at(-1)).toMatchObject({ style: "yellow" });
});
