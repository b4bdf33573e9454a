import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { unchanged } from "../../../shared/store/client.ts";
import { commitWithEvents } from "../../../shared/store/eventLog/commitWithEvents.ts";
import { readShards } from "../../../shared/store/eventLog/sequenceEvents.ts";
import { shardCount } from "../../../shared/store/eventLog/shards.ts";
import { announcedKey } from "../../../shared/store/keys/replication.ts";
import { retryOnConflict } from "../../../shared/store/retryOnConflict.ts";
import { costOf } from "../../bench/capacity.ts";
import { eventsOf } from "../../shared/store/eventLog/eventsUnderTest.ts";
import { interceptCalls } from "../../shared/store/orderedList/listUnderTest.ts";
import { createTestTable, testTableOf } from "../../testTable.ts";
import { RealRules } from "./realRules.ts";

/** The rate for 5,000 CRBs at prod's intervals, if each run has something to announce. */
const perSecond = 32;
const seconds = 20;

test("5,000 CRBs of a service provider that replicate in parallel cause few rejected transactions and no extra write units", async () => {
  const bare = await createTestTable();
  const world = new RealRules({ seed: 1, stalls: 0 });
  const table = testTableOf(bare, world.clock);
  let [sent, answered] = [0, 0];
  world.attach(table);
  const calls = interceptCalls(table);
  const isTransaction = (command: string) => command === "TransactWriteItemsCommand";
  calls.before = (command) => void (isTransaction(command) && sent++);
  calls.after = (command) => void (isTransaction(command) && answered++);
  const spId = randomUUID();
  const announce = (on: typeof table, crbId: string) => {
    const write = on.putWrite(
      { ...announcedKey(crbId, "sale"), head: "2026-03-10#00000007" },
      unchanged("head", undefined),
    );
    const data = { kind: "sales", cursor_before: "x".repeat(36) } as const;
    return { writes: [write], events: [{ type: "records.changed", spId, crbId, data } as const] };
  };
  let attempts = 0;
  const outcomes = await world.run(
    Array.from({ length: perSecond * seconds }, (_, i) => ({
      name: `run ${i}`,
      work: async () => {
        await world.clock.sleep((i * 1_000) / perSecond);
        const start = world.clock.now().getTime();
        const crbId = randomUUID();
        await retryOnConflict(world.clock, () => {
          attempts++;
          return commitWithEvents(table, announce(table, crbId), world.clock);
        });
        return world.clock.now().getTime() - start;
      },
    })),
  );
  expect(outcomes.filter(({ error }) => error)).toEqual([]);
  const took = outcomes.map(({ value }) => Number(value)).sort((a, b) => a - b);
  const states = await readShards(bare, spId);
  const waiting = states.reduce((sum, state) => sum + state.waiting.length, 0);
  const alone = await costOf(bare.client, () => commitWithEvents(bare, announce(bare, randomUUID()), world.clock));
  // Writes during replication are hardly ever rejected, and no writer waits for others' events.
  expect(attempts - outcomes.length).toBeLessThan(outcomes.length / 20);
  expect(took.at(-1)).toBeLessThan(2_000);
  expect(waiting).toBeLessThan(shardCount * 3);
  // The sequencer's writes, which are retried: one in forty.
  expect(sent - answered).toBeLessThan(outcomes.length / 20);
  // The announced position takes 2 of the write units.
  expect(alone).toMatchObject({ writeUnits: 10, readUnits: 1 });
  expect(await eventsOf(testTableOf(bare, world.clock), spId)).toHaveLength(outcomes.length + 1);
}, 240_000);
