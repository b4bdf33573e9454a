import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Paid, storeSalesDays } from "../../shared/domain/deposits/givenDays.ts";
import { useTestTable } from "../../useTestTable.ts";
import { cash, givenDepositor } from "./callDeposits.ts";

const table = useTestTable();

const [, sheet = ""] = /```csv\n([^`]*)\n *```/.exec(readFileSync("docs/guide/sales-to-deposits.md", "utf8")) ?? [];
const [, ...lines] = sheet.split("\n").map((line) => line.trim());
const rows = lines.map((line) => {
  const [date = "", ...dollars] = line.split(",");
  const cents = dollars.map((amount) => Math.round(Number(amount) * 100));
  return { date, cents };
});

test("the sheet of 30 days in the guide has the balances of the service to the cent", async () => {
  const { crbId, store, count, days } = await givenDepositor(table());
  expect(rows).toHaveLength(30);
  const paid = rows.map(({ date, cents: [ofCash = 0, other = 0] }): [string, Paid] => [date, { cash: ofCash, other }]);
  await storeSalesDays(table(), crbId, Object.fromEntries(paid), "2026-03-30");
  const deposited = rows.filter(({ cents }) => cents[2]);
  await store(...deposited.map(({ date, cents }) => cash(date, date, cents[2] ?? 0)));
  const [first] = rows;
  await count(first?.date ?? "", first?.cents[3] ?? 0);
  const found = (await days()).map(({ date, balance_low, balance_high }) => [date, balance_low, balance_high]);
  expect(found).toEqual(rows.map(({ date, cents }) => [date, cents[3], cents[4]]));
});
