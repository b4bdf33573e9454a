import { beforeAll, expect, test } from "vitest";
import { dice } from "../../../../shared/pos/sandbox/dice.ts";
import type { Table } from "../../../../shared/store/client.ts";
import { readPage } from "../../../../shared/store/orderedList/readPage.ts";
import { RealRules } from "../../../system/realRules/realRules.ts";
import { overSeeds } from "../../../system/realRules/worldUnderTest.ts";
import { createTestTable, testTableOf } from "../../../testTable.ts";
import { useTestBucket } from "../../../useTestBucket.ts";
import { TestClock } from "../../store/orderedList/listUnderTest.ts";
import { givenLocation } from "./snapshotsUnderTest.ts";

const hour = 60 * 60_000;
const histories = 2;
const days = 20;

useTestBucket();

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

test("every daily snapshot shows the list as it was, permanently, on pages of any size, whatever changes later", async () => {
  for (let seed = 1; seed <= histories; seed++) {
    const chance = dice("daily snapshots", seed);
    const { list, clock, write, keep, page, today } = await givenLocation(
      table,
      new TestClock("2025-12-25T20:00:00.000Z"),
    );
    const states = new Map<string, string[]>();
    let known = 0;
    for (let day = 0; day < days; day++) {
      for (let times = chance.between(0, 2); times > 0; times--) {
        const fresh = Array.from({ length: chance.pick([0, 1, 3, 90]) }, () => known++);
        const changed = Array.from({ length: chance.pick([0, 1, 5, 60]) }, () =>
          chance.between(0, Math.max(0, known - 1)),
        );
        await write([...fresh, ...(known > 0 ? changed : [])], day * 10 + times);
        clock.advance(chance.pick([0, hour, 5 * hour]));
      }
      const date = today();
      const { total, records } = await readPage(table, list, { offset: 0, limit: 10_000 });
      expect(records).toHaveLength(total);
      // Local days end during a UTC day, which continues after the daily snapshot.
      await keep(chance.pick([0, hour, 24 * hour, 72 * hour]));
      states.set(date, records);
    }
    for (const [date, records] of states) {
      const limit = chance.between(1, 200);
      const found: string[] = [];
      for (let offset = 0; offset < records.length + limit; offset += limit) {
        const part = await page(date, { offset, limit });
        expect(part.total, `seed ${seed}, ${date}`).toBe(records.length);
        found.push(...part.records);
      }
      expect(found, `seed ${seed}, ${date}`).toEqual(records);
    }
  }
});

test("a daily snapshot includes the last changes, even if the index does not show them yet", async () => {
  await overSeeds(20, async (seed) => {
    const world = new RealRules({
      seed,
      start: "2026-03-01T10:00:00.000Z",
      // Nearly twice the lag observed under load.
      indexLag: 55_000,
      usualLag: 55_000,
      stalls: 0,
    });
    const bare = testTableOf(table, world.clock);
    const ruled = testTableOf(table, world.clock);
    world.attach(ruled);
    const { list, write, keep, page, today } = await givenLocation(
      ruled,
      Object.assign(world.clock, { advance: () => undefined }),
    );
    await write([1, 2, 3, 4, 5, 6], 5);
    await world.clock.sleep(60_000);
    await write([2, 4], 0);
    const date = today();
    await keep();
    const stored = await readPage(bare, list, { offset: 0, limit: 10 });
    expect(await page(date, { offset: 0, limit: 10 })).toEqual(stored);
  });
});
