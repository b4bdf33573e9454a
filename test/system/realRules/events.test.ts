import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { ServiceError } from "../../../shared/api/errors.ts";
import { type Dice, dice } from "../../../shared/pos/sandbox/dice.ts";
import { type Table, unchanged } from "../../../shared/store/client.ts";
import { commitWithEvents } from "../../../shared/store/eventLog/commitWithEvents.ts";
import { sequenceEvents } from "../../../shared/store/eventLog/sequenceEvents.ts";
import { eventsPartition } from "../../../shared/store/keys/events.ts";
import { retryOnConflict } from "../../../shared/store/retryOnConflict.ts";
import { crbOfShard, EventReader } from "../../shared/store/eventLog/eventsUnderTest.ts";
import { numberedEvent } from "../../shared/store/eventLog/numberedEvent.ts";
import { createTestTable, testTableOf } from "../../testTable.ts";
import { isThorough } from "../../thorough.ts";
import { accidents, type Figures } from "./figures.ts";
import { RealRules } from "./realRules.ts";

let shared: Table;
beforeAll(async () => {
  shared = await createTestTable();
});

const counterKey = (crbId: string) => ({ pk: `COUNTER of ${crbId}`, sk: "COUNTER" });

/** Increments a CRB's counter and writes an event with it. */
async function count(table: Table, world: RealRules, spId: string, crbId: string): Promise<void> {
  await retryOnConflict(world.clock, async () => {
    const stored = (await table.get(counterKey(crbId), { consistent: true }))?.number as number | undefined;
    const number = (stored ?? 0) + 1;
    const write = table.putWrite({ ...counterKey(crbId), number }, unchanged("number", stored));
    const events = [numberedEvent(spId, crbId, number)];
    await commitWithEvents(table, { writes: [write], events }, world.clock);
  });
}

/** Under these rules any call may report that the table is unavailable. */
const isOutage = (error: unknown) => error instanceof ServiceError && error.kind === "unavailable";

/**
 * Runs writers of several CRBs, sequencers and readers concurrently and kills many of them; then each reader reads to
 * the end.
 *
 * @returns the number of events, and of the pages in which they were read
 */
async function history(seed: number, figures: Partial<Figures>) {
  const chance: Dice = dice("events", seed);
  const world = new RealRules({ seed, ...figures });
  const table = testTableOf(shared, world.clock);
  world.attach(table);
  const spId = randomUUID();
  // Two are in one shard.
  const crbs = [3, 3, 9].map(crbOfShard);
  const readers = Array.from({ length: 3 }, () => new EventReader(spId));
  const mayDie = (most: number) => (chance.percent(50) ? { crashAfterCalls: chance.between(1, most) } : {});
  const writers = [...crbs, ...crbs].map((crbId, i) => ({
    name: `writer ${i}`,
    ...mayDie(40),
    work: async () => {
      for (let n = 0; n < 6; n++) {
        await count(table, world, spId, crbId).catch((error) => {
          if (!isOutage(error)) throw error;
        });
        await world.clock.sleep(chance.between(0, chance.pick([0, 50, 1_000])));
      }
    },
  }));
  const sequencers = [3, 3, 9].map((shard, i) => ({
    name: `sequencer ${i}`,
    ...mayDie(20),
    work: async () => {
      for (let n = 0; n < 6; n++) {
        await sequenceEvents(table, eventsPartition(spId, shard), world.clock).catch(() => undefined);
        await world.clock.sleep(chance.between(0, 200));
      }
    },
  }));
  const following = readers.map((reader, i) => ({
    name: `reader ${i}`,
    ...mayDie(100),
    work: async () => {
      for (let n = 0; n < 6; n++) {
        await reader.turn(table, chance.between(1, 9)).catch((error) => {
          if (!isOutage(error)) throw error;
        });
        await world.clock.sleep(chance.between(0, 500));
      }
    },
  }));
  const outcomes = await world.run([...writers, ...sequencers, ...following]);
  const log = `seed ${seed}\n${world.history()}`;
  const failed = outcomes.filter(({ error }) => error);
  expect(failed, log).toEqual([]);
  // All delayed requests have arrived.
  const bare = testTableOf(shared, world.clock);
  let announced = 0;
  for (const reader of readers) {
    await reader.toTheEnd(bare, chance.pick([1, 4, 1_000]));
    for (const crbId of crbs) {
      const counted = Number((await shared.get(counterKey(crbId), { consistent: true }))?.number ?? 0);
      const numbers = reader.events.flatMap(({ crb_id, data }) => (crb_id === crbId ? [data.revision] : []));
      expect(numbers, log).toEqual(Array.from({ length: counted }, (_, i) => i + 1));
      announced += counted;
    }
    expect(new Set(reader.events.map(({ id }) => id)).size, log).toBe(reader.events.length);
  }
  return { announced, pages: readers.reduce((sum, { pages }) => sum + pages, 0) };
}

test.each([
  ["by DynamoDB's real rules", {}],
  ["with accidents", { ...accidents, throttled: 2, lostAnswers: 3, lateWrites: 2 }],
  // Long enough for reads during commits.
  ["with commits that take long", { commitWindow: 100 }],
])(
  "a caller who follows the cursors while writers and sequencers are killed gets every event once, in its CRB's order, %s",
  async (_, figures) => {
    const seeds = isThorough ? 5 : 1;
    let [announced, pages] = [0, 0];
    for (let seed = 1; seed <= seeds; seed++) {
      const found = await history(seed, figures);
      announced += found.announced;
      pages += found.pages;
    }
    expect(announced).toBeGreaterThan(12 * seeds);
    expect(pages).toBeGreaterThan(8 * seeds);
  },
  240_000,
);
