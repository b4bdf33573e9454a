import * as fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { dayOutboxPrefix, flaggedDayKey, revisedDayKey } from "../../../../shared/store/keys/orderedLists.ts";
import { hasDifferences } from "../../../../shared/store/listRebuild/rebuildList.ts";
import { readSalesWeeks, setDay, weekWrite } from "../../../../shared/store/salesDays/salesWeek.ts";
import { tableOf } from "../../../tableCopy.ts";
import { isThorough, sampleCases } from "../../../thorough.ts";
import {
  afterWrites,
  checkSales,
  expectSound,
  partOf,
  parts,
  rebuildSales,
  type TornSales,
  tornSales,
  versions,
} from "./tornSales.ts";

let torn: TornSales;

beforeAll(async () => {
  torn = await tornSales();
});

/** Every subset of the five parts except none and all. */
const cuts = Array.from({ length: 2 ** parts.length - 2 }, (_, i) =>
  parts.filter((_, part) => (((i + 1) >> part) & 1) === 1).join(" and "),
);

async function expectRebuilt(kept: TornSales["writes"]): Promise<void> {
  const { sales, clock, current } = torn;
  const table = await tableOf(afterWrites(torn.before, kept));
  expect(hasDifferences(await checkSales(table, torn))).toBe(true);
  expect(hasDifferences(await rebuildSales(table, torn))).toBe(true);
  expect(hasDifferences(await checkSales(table, torn))).toBe(false);
  await expectSound(table, torn);
  // Another process replicates three times. The lost records return, and nothing else changes.
  for (let run = 0; run < 3; run++) {
    clock.advance(60_000);
    await sales.writer(table, clock).write(current);
  }
  expect(hasDifferences(await checkSales(table, torn))).toBe(false);
  await expectSound(table, torn);
  expect(await versions(table, torn)).toEqual(current.map(({ name, version }) => `${name} of ${version}`).sort());
}

test("the cuts cover writes of each part", () => {
  expect(cuts).toHaveLength(30);
  expect(new Set(torn.writes.map(partOf))).toEqual(new Set(parts));
});

test("a complete transaction, and a missing one, leave nothing to rebuild", async () => {
  for (const kept of [torn.writes, []]) {
    const table = await tableOf(afterWrites(torn.before, kept));
    expect(hasDifferences(await checkSales(table, torn))).toBe(false);
  }
});

test.for(sampleCases(cuts, 4))("a list with only %s of a transaction is right after a rebuild", async (kept) => {
  await expectRebuilt(torn.writes.filter((write) => kept.split(" and ").includes(partOf(write))));
});

test("a list restored with any of a transaction's writes is right after a rebuild", async () => {
  const choice = fc.shuffledSubarray([...torn.writes], { minLength: 1, maxLength: torn.writes.length - 1 });
  await fc.assert(fc.asyncProperty(choice, expectRebuilt), { numRuns: isThorough ? 6 : 2 });
});

test("after a rebuild no outbox item names a change that its day lacks", async () => {
  const table = await tableOf(torn.before);
  const partition = torn.sales.list.totalsPartition ?? expect.fail("no totals");
  const [week] = await readSalesWeeks(table, partition);
  const [[day = "", totals] = []] = week?.days ?? [];
  const [other = ""] = [...(week?.days.keys() ?? [])].filter((one) => one !== day);
  if (!week || !totals || !other) expect.fail("no days");
  const revised = setDay(week, day, { ...totals, completedAt: "2025-06-02T00:00:00.000Z", revision: 2 });
  await table.transact([weekWrite(table, partition, { ...revised, version: week.version + 1 })]);
  await table.put({ ...revisedDayKey(partition, day), revision: 1 });
  await table.put({ ...revisedDayKey(partition, other), revision: 1 });
  await table.put({ ...revisedDayKey(partition, "2031-01-01"), revision: 1 });
  await table.put({ ...flaggedDayKey(partition, day), red_flag: 2, warning: 0 });
  expect((await checkSales(table, torn)).differences.salesDays).toBe(2);
  await rebuildSales(table, torn);
  const outbox = await table.queryPartition(partition, { prefix: dayOutboxPrefix, consistent: true });
  expect(outbox).toEqual([{ ...revisedDayKey(partition, day), revision: 2 }]);
  expect(hasDifferences(await checkSales(table, torn))).toBe(false);
});
