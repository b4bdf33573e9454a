import { beforeAll, describe, expect, test } from "vitest";
import type { Table } from "../../../../shared/store/client.ts";
import { readPage } from "../../../../shared/store/orderedList/readPage.ts";
import { costOf } from "../../../bench/capacity.ts";
import { createTestTable } from "../../../testTable.ts";
import { givenLocation } from "./snapshotsUnderTest.ts";

const records = 4_000;
const numbers = Array.from({ length: records }, (_, number) => number);
const gigabyte = 1024 ** 3;

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

test("4,000 records with one change a day cost at most 12 write units a day", async () => {
  const { write, keep } = await givenLocation(table);
  await write(numbers, 0);
  await keep();
  const daily: number[] = [];
  for (let i = 0; i < 60; i++) {
    await write([(i * 1_237) % records], i + 1);
    daily.push((await keep()).writeUnits);
  }
  expect(Math.max(...daily), daily.join(" ")).toBeLessThanOrEqual(12);
}, 240_000);

describe("a page of a past day costs at most 1.3 times the units of a present one", () => {
  test.each([0, 1, 60])(
    "when %i records a day have changed",
    async (changes) => {
      const { list, write, keep, page, today } = await givenLocation(table);
      await write(numbers, 0);
      let chance = 1;
      for (let i = 0; i < 150; i++) {
        const changed = Array.from({ length: changes }, () => {
          chance = (chance * 48271) % 2147483647;
          return chance % records;
        });
        await write(changed, i + 1);
        await keep();
      }
      const past = today();
      await write([7], 9_999);
      await keep();
      for (const limit of [10, 100, 1000]) {
        for (const offset of [0, 1_500, 3_000]) {
          const present = await costOf(table.client, () => readPage(table, list, { offset, limit }));
          const then = await costOf(table.client, () => page(past, { offset, limit }));
          expect(then.result.records).toHaveLength(limit);
          expect(then.result.total).toBe(records);
          expect(then.readUnits, `${limit} from ${offset}`).toBeLessThanOrEqual(1.3 * present.readUnits);
        }
      }
    },
    600_000,
  );
});

test("ten years of 50 locations with 300 new packages a day, sold out a month later, stay below 20 GB", async () => {
  const { write, keep, partition } = await givenLocation(table);
  /** Bytes as DynamoDB counts them: names and values. */
  const sizeOf = (item: Record<string, unknown>) =>
    Object.entries(item).reduce((sum, [name, value]) => {
      const bytes = value instanceof Uint8Array ? value.byteLength : Buffer.byteLength(String(value));
      return sum + name.length + bytes;
    }, 100);
  const stored = async () => {
    const items = await table.queryPartition(partition);
    const states = items.filter(({ sk }) => sk.startsWith("DAY#"));
    const parts = items.filter(({ sk }) => !sk.startsWith("DAY#"));
    return { parts: parts.reduce((sum, item) => sum + sizeOf(item), 0), state: sizeOf(states.at(-1) ?? {}) };
  };
  const sizes: { parts: number; state: number }[] = [];
  for (let day = 0; day < 90; day++) {
    const packages = (of: number) => Array.from({ length: 300 }, (_, i) => of * 300 + i);
    await write(packages(day), 10);
    if (day >= 30) await write(packages(day - 30), 0);
    await keep();
    if (day % 30 === 29) sizes.push(await stored());
  }
  const [, middle, last] = sizes;
  const [partsADay, stateGrowth] = (["parts", "state"] as const).map(
    (name) => ((last?.[name] ?? 0) - (middle?.[name] ?? 0)) / 30,
  ) as [number, number];
  // Parts are added day by day. A state names all nodes, so that it grows every day.
  const days = 3_650;
  const bytes = 50 * (days * partsADay + (stateGrowth * days ** 2) / 2);
  const line = `${Math.round(partsADay)} bytes of parts a day, states that grow by ${stateGrowth.toFixed(1)}`;
  console.info(`${line}: ${(bytes / gigabyte).toFixed(1)} GB in ten years (extrapolated)`);
  expect(bytes).toBeLessThan(20 * gigabyte);
  expect(stateGrowth).toBeGreaterThan(0);
}, 600_000);
