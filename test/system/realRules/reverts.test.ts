import { beforeAll, expect, test } from "vitest";
import type { Table } from "../../../shared/store/client.ts";
import { newList, newWriter, recordToWrite, storedRecords } from "../../shared/store/orderedList/listUnderTest.ts";
import { createTestTable, testTableOf } from "../../testTable.ts";
import { RealRules } from "./realRules.ts";
import { overSeeds } from "./worldUnderTest.ts";

let shared: Table;
beforeAll(async () => {
  shared = await createTestTable();
});

test.each(["the same writer", "another writer"])(
  "a change of a record and its immediate reversal by %s are both stored, however old a read is",
  async (by) => {
    const contents = await overSeeds(20, async (seed) => {
      // Most eventually consistent reads lag.
      const figures = { tableLag: 1_000, usualLag: 900, stalls: 0 };
      const world = new RealRules({ seed, start: "2026-03-01T10:00:00.000Z", ...figures });
      const table = testTableOf(shared, world.clock);
      const { list, fence } = await newList(shared);
      world.attach(table);
      const writer = newWriter(table, list, { fence, clock: world.clock });
      await writer.write([recordToWrite(1, 1)]);
      await world.clock.sleep(300_000);
      await writer.write([recordToWrite(1, 2)]);
      const next = by === "the same writer" ? writer : newWriter(table, list, { fence, clock: world.clock });
      await next.write([recordToWrite(1, 1)]);
      return (await storedRecords(shared, list)).map(({ record }) => record.content);
    });
    expect(contents.flat()).toEqual(Array.from({ length: 20 }, () => 1));
  },
);
