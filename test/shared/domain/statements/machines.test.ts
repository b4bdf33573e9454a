import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { setCashCount } from "../../../../shared/domain/deposits/cashCounts.ts";
import { storeDeposits } from "../../../../shared/domain/deposits/storeDeposits.ts";
import { tableEnvironment } from "../../../testTable.ts";
import { sampleCases } from "../../../thorough.ts";
import { useTestBucket } from "../../../useTestBucket.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { InsightShop, lastDay, saleOf } from "../insights/insightShop.ts";
import { givenStatements, period } from "./givenStatements.ts";

const table = useTestTable();
useTestBucket();

/** The settings of machines, the last two on both sides of UTC, with the hour and the number that each of them shows. */
const machines = [
  [
    { TZ: "Asia/Tokyo", LC_ALL: "de_DE.UTF-8" },
    { hour: 9, locale: "de-DE", number: "1.234,5" },
  ],
  [
    { TZ: "Asia/Kolkata", LC_ALL: "tr_TR.UTF-8" },
    { hour: 5, locale: "tr-TR", number: "1.234,5" },
  ],
  [
    { TZ: "America/Los_Angeles", LC_ALL: "en_US.UTF-8" },
    { hour: 16, locale: "en-US", number: "1,234.5" },
  ],
] as const;

test("machines of other time zones and languages make the same files of an instant", async () => {
  const { shop, crbId, spId, clock, directory } = await givenStatements(table());
  const busy = Array.from({ length: 12 }, (_, i) => saleOf(lastDay, i + 1, { total: 100_000 + i }));
  shop.pos.put("sale", ...InsightShop.usualSales(), ...busy);
  await shop.run();
  const owner = { spId, crbId };
  await setCashCount(table(), owner, { date: "2026-03-31", amount: 50_000 }, clock);
  const deposit = { id: "=İ-1", posted_date: "2026-04-07", amount: 1_234_567, type: "cash" } as const;
  await storeDeposits(table(), owner, [deposit], clock);
  const program = new URL("printDigests.ts", import.meta.url).pathname;
  const args = [program, crbId, clock.now().toISOString(), period.start_date, period.end_date, directory];
  const made = [];
  for (const [settings, shown] of sampleCases(machines, 2)) {
    const env = { ...process.env, ...tableEnvironment(table()), ...settings };
    const { digest, files, ...machine } = JSON.parse(
      (await promisify(execFile)(process.execPath, args, { env })).stdout,
    );
    expect(machine).toEqual(shown);
    expect(files).toBeGreaterThan(5);
    made.push(digest);
  }
  expect(new Set(made).size).toBe(1);
});
