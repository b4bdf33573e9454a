import { randomUUID } from "node:crypto";
import { GetItemCommand } from "@aws-sdk/client-dynamodb";
import { marshall } from "@aws-sdk/util-dynamodb";
import { beforeAll, describe, expect, test } from "vitest";
import type { Table } from "../../../../shared/store/client.ts";
import { commitWithEvents } from "../../../../shared/store/eventLog/commitWithEvents.ts";
import { encodeEventsCursor } from "../../../../shared/store/eventLog/eventsCursor.ts";
import { readEvents } from "../../../../shared/store/eventLog/readEvents.ts";
import { sequenceEvents } from "../../../../shared/store/eventLog/sequenceEvents.ts";
import { shardCount, shardNumbers } from "../../../../shared/store/eventLog/shards.ts";
import {
  eventKey,
  eventsPartition,
  waitingEventsKey,
  webhookListenerKey,
} from "../../../../shared/store/keys/events.ts";
import { costOf } from "../../../bench/capacity.ts";
import { bytesOf as sizeOfItem } from "../../../system/realRules/throughput.ts";
import { createTestTable, testTableOf } from "../../../testTable.ts";
import { interceptCalls, TestClock } from "../orderedList/listUnderTest.ts";
import { crbOfShard, EventReader, eventsOf } from "./eventsUnderTest.ts";

const day = 24 * 3_600_000;

import { numberedEvent } from "./numberedEvent.ts";

let shared: Table;
beforeAll(async () => {
  shared = await createTestTable();
});

/** A service provider's log, with a separate clock. */
function createLog() {
  const clock = new TestClock("2026-03-01T12:00:00.000Z");
  const table = testTableOf(shared, clock);
  const spId = randomUUID();
  const storeEvents = (crbId: string | null, ...numbers: number[]) =>
    commitWithEvents(
      table,
      {
        writes: [],
        events: numbers.map((number) => numberedEvent(spId, crbId, number)),
      },
      clock,
    );
  const numbers = async () => (await eventsOf(table, spId)).map(({ data }) => data.revision);
  return { clock, table, spId, storeEvents, numbers };
}

const rejection = { kind: "invalid", details: { fields: { "query.cursor": expect.anything() } } };

describe("an event", () => {
  test("has an id, a type, a date, a service provider, a CRB and data", async () => {
    const { spId, table, storeEvents } = createLog();
    const crbId = crbOfShard(3);
    await storeEvents(crbId, 1);
    await storeEvents(null, 2);
    const [event, other] = (await eventsOf(table, spId)).toSorted((one) => (one.crb_id ? -1 : 1));
    expect(event).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      type: "sales_day.revised",
      date: "2026-03-01T12:00:00.000Z",
      sp_id: spId,
      crb_id: crbId,
      data: { date: "2026-03-01", revision: 1 },
    });
    expect(other?.crb_id).toBeNull();
  });

  test("is not stored if its transaction is rejected", async () => {
    const { spId, table, clock, numbers, storeEvents } = createLog();
    await storeEvents(null, 1);
    const key = { pk: `THING of ${spId}`, sk: "THING" };
    const writes = [table.putWrite(key, { expression: "attribute_exists(pk)" })];
    const events = [numberedEvent(spId, null, 2)];
    await expect(commitWithEvents(table, { writes, events }, clock)).rejects.toThrow("ConditionalCheckFailed");
    expect(await numbers()).toEqual([1]);
  });

  test("is numbered by the reader if its writer was killed before it had a number", async () => {
    const { spId, table, clock, numbers } = createLog();
    const crashing = testTableOf(shared, clock);
    interceptCalls(crashing).after = () => {
      throw new Error("killed");
    };
    const events = [numberedEvent(spId, null, 1)];
    await expect(commitWithEvents(crashing, { writes: [], events }, clock)).rejects.toThrow("killed");
    const waiting = waitingEventsKey(eventsPartition(spId, 0), null);
    expect((await table.get(waiting))?.waiting).toHaveLength(1);
    expect(await numbers()).toEqual([1]);
    expect(await table.get(waiting)).toBeUndefined();
  });

  test("is stored even if it cannot be numbered", async () => {
    const { spId, clock, numbers } = createLog();
    const table = testTableOf(shared, clock);
    interceptCalls(table).before = (command) => {
      if (command === "QueryCommand") throw new Error("out of reach");
    };
    const events = [numberedEvent(spId, null, 1)];
    await commitWithEvents(table, { writes: [], events }, clock);
    expect(await numbers()).toEqual([1]);
  });
});

describe("waiting events", () => {
  test("take at most 64 KB: further changes first give them places, or fail and store nothing", async () => {
    const { spId, clock, numbers } = createLog();
    const table = testTableOf(shared, clock);
    const calls = interceptCalls(table);
    const key = waitingEventsKey(eventsPartition(spId, 0), null);
    const store = (first: number) => {
      const events = Array.from({ length: 40 }, (_, i) => numberedEvent(spId, null, first + i));
      return commitWithEvents(table, { writes: [], events }, clock);
    };
    calls.before = (command) => {
      if (command === "QueryCommand") throw new Error("out of reach");
    };
    let stored = 0;
    const outcome = await (async () => {
      for (; stored < 1_000; stored += 40) await store(stored);
    })().catch(String);
    const { Item = {} } = await shared.client.send(
      new GetItemCommand({ TableName: shared.name, Key: marshall(key), ConsistentRead: true }),
    );
    expect(outcome).toBe("Error: out of reach");
    expect(sizeOfItem(Item)).toBeGreaterThan(50 * 1_024);
    expect(sizeOfItem(Item)).toBeLessThanOrEqual(64 * 1_024);
    calls.before = () => undefined;
    await store(stored);
    expect(await shared.get(key, { consistent: true })).toBeUndefined();
    expect(await numbers()).toEqual(Array.from({ length: stored + 40 }, (_, i) => i));
  });

  test("are all numbered, however many, in the order of each CRB", async () => {
    const { spId, table, clock } = createLog();
    const [one, other] = [crbOfShard(5), crbOfShard(5)];
    const all = Array.from({ length: 150 }, (_, i) => i);
    const waiting = (crbId: string) => ({
      ...waitingEventsKey(eventsPartition(spId, 5), crbId),
      waiting: all.map((number) => JSON.stringify({ crb_id: crbId, data: { revision: number } })),
    });
    await table.put(waiting(one));
    await table.put(waiting(other));
    let transactions = 0;
    interceptCalls(table).before = (command) => void (command === "TransactWriteItemsCommand" && transactions++);
    await sequenceEvents(table, eventsPartition(spId, 5), clock);
    expect(transactions).toBe(4);
    const events = await eventsOf(table, spId);
    for (const id of [one, other]) {
      expect(events.filter(({ crb_id }) => crb_id === id).map(({ data }) => data.revision)).toEqual(all);
    }
    expect(events).toHaveLength(300);
  });
});

describe("a page", () => {
  test("has events of all shards, and a client that follows the cursors gets each event once", async () => {
    const { table, spId, storeEvents } = createLog();
    const crbs = shardNumbers.map(crbOfShard);
    for (const [i, crbId] of crbs.entries()) await storeEvents(crbId, ...Array.from({ length: i + 1 }, (_, n) => n));
    for (const limit of [1, 3, 16, 50, 1_000]) {
      const reader = new EventReader(spId);
      await reader.turn(table, limit);
      expect(new Set(reader.events.map(({ crb_id }) => crb_id)).size).toBe(Math.min(limit, shardCount));
      const events = await reader.toTheEnd(table, limit);
      expect(events).toHaveLength((shardCount * (shardCount + 1)) / 2);
      for (const [i, crbId] of crbs.entries()) {
        const numbers = events.filter(({ crb_id }) => crb_id === crbId).map(({ data }) => data.revision);
        expect(numbers).toEqual(Array.from({ length: i + 1 }, (_, n) => n));
      }
    }
  });

  test("of one event eventually includes every shard, even if one shard always has more", async () => {
    const { table, spId, storeEvents } = createLog();
    const [busy, other] = [crbOfShard(2), crbOfShard(7)];
    await storeEvents(busy, 0);
    await storeEvents(other, 0, 1, 2);
    const reader = new EventReader(spId);
    for (let i = 1; i < 60; i++) {
      await reader.turn(table, 1);
      await storeEvents(busy, i);
    }
    expect(reader.events.filter(({ crb_id }) => crb_id === other)).toHaveLength(3);
  });

  test("costs two read units for all shards, and one for each shard with events on the page", async () => {
    const { table, spId, storeEvents } = createLog();
    for (let number = 0; number < 20; number++) await storeEvents(crbOfShard(number % 4), number);
    const { cursor } = await readEvents(table, spId, { limit: 8 });
    const page = await costOf(table.client, () => readEvents(table, spId, { cursor, limit: 4 }));
    expect(page).toMatchObject({ readUnits: 6, writeUnits: 0 });
    const { cursor: end } = await readEvents(table, spId, { cursor, limit: 100 });
    const nothing = await costOf(table.client, () => readEvents(table, spId, { cursor: end, limit: 100 }));
    expect(nothing).toMatchObject({ readUnits: 2, writeUnits: 0, roundTrips: 1, result: { events: [] } });
  });

  test("where nothing is new costs two read units if every shard has events, and a webhook endpoint exists", async () => {
    const { table, spId, storeEvents } = createLog();
    for (const shard of shardNumbers) {
      await storeEvents(crbOfShard(shard), shard);
      await table.put({ ...webhookListenerKey(eventsPartition(spId, shard)) });
    }
    const { cursor } = await readEvents(table, spId, { limit: 100 });
    const { readUnits } = await costOf(table.client, () => readEvents(table, spId, { cursor, limit: 100 }));
    expect(readUnits).toBe(2);
  });
});

describe("a cursor", () => {
  test("stays the same while no event is stored, and continues with the next event", async () => {
    const { table, spId, storeEvents, clock } = createLog();
    await storeEvents(null, 1);
    const { cursor } = await readEvents(table, spId, { limit: 10 });
    clock.advance(60_000);
    expect(await readEvents(table, spId, { cursor, limit: 10 })).toEqual({ events: [], cursor, hasMore: false });
    await storeEvents(null, 2);
    const { events } = await readEvents(table, spId, { cursor, limit: 10 });
    expect(events.map((text) => JSON.parse(text).data.revision)).toEqual([2]);
  });

  test("is valid for 30 days, and then rejected", async () => {
    const { table, spId, storeEvents, clock } = createLog();
    const { cursor } = await readEvents(table, spId, { limit: 10 });
    await storeEvents(null, 1);
    clock.advance(30 * day);
    const { events } = await readEvents(table, spId, { cursor, limit: 10 });
    expect(events).toHaveLength(1);
    clock.advance(3_600_000);
    await expect(readEvents(table, spId, { cursor, limit: 10 })).rejects.toMatchObject(rejection);
  });

  test("is rejected if events behind it have expired, even if it is younger", async () => {
    const { table, spId, storeEvents, clock } = createLog();
    await storeEvents(null, 1, 2, 3);
    clock.advance(29 * day);
    const { cursor } = await readEvents(table, spId, { limit: 1 });
    clock.advance(2 * day);
    await expect(readEvents(table, spId, { cursor, limit: 1 })).rejects.toMatchObject(rejection);
    await table.delete(eventKey(eventsPartition(spId, 0), 2));
    await expect(readEvents(table, spId, { cursor, limit: 1 })).rejects.toMatchObject(rejection);
  });

  test.each([
    [
      "of another service provider",
      (table: Table) => encodeEventsCursor(table, randomUUID(), Array(shardCount).fill(0), new Date()),
    ],
    [
      "of another table",
      (table: Table, spId: string) =>
        encodeEventsCursor({ ...table, name: "other" } as Table, spId, Array(shardCount).fill(0), table.clock.now()),
    ],
    [
      "beyond the end",
      (table: Table, spId: string) => encodeEventsCursor(table, spId, Array(shardCount).fill(9), table.clock.now()),
    ],
    ["that is malformed", () => "A".repeat(160)],
  ])("%s is rejected", async (_, make) => {
    const { table, spId, storeEvents } = createLog();
    await storeEvents(null, 1);
    await expect(readEvents(table, spId, { cursor: make(table, spId), limit: 1 })).rejects.toMatchObject(rejection);
  });

  test.each(Array.from({ length: 160 }, (_, at) => at).filter((at) => at % 9 === 0))(
    "is rejected with another character at %i",
    async (at) => {
      const { table, spId } = createLog();
      const { cursor } = await readEvents(table, spId, { limit: 1 });
      const changed = cursor.slice(0, at) + (cursor[at] === "x" ? "y" : "x") + cursor.slice(at + 1);
      await expect(readEvents(table, spId, { cursor: changed, limit: 1 })).rejects.toMatchObject(rejection);
    },
  );
});

describe("without a cursor", () => {
  test("events start with the oldest one kept, whether or not expired ones are removed yet", async () => {
    const { table, spId, storeEvents, clock, numbers } = createLog();
    await storeEvents(null, 1, 2, 3, 4, 5);
    clock.advance(10 * day);
    await storeEvents(null, 6, 7);
    expect(await numbers()).toEqual([1, 2, 3, 4, 5, 6, 7]);
    clock.advance(21 * day);
    expect(await numbers()).toEqual([6, 7]);
    for (const place of [1, 2, 4]) await table.delete(eventKey(eventsPartition(spId, 0), place));
    expect(await numbers()).toEqual([6, 7]);
    clock.advance(10 * day);
    expect(await numbers()).toEqual([]);
    await storeEvents(null, 8);
    expect(await numbers()).toEqual([8]);
  });

  test("a client that reads small pages from the beginning keeps a valid cursor while events expire", async () => {
    const { table, spId, storeEvents, clock } = createLog();
    const crbs = [1, 2].map(crbOfShard);
    for (let number = 1; number <= 20; number++) {
      for (const crbId of crbs) await storeEvents(crbId, number);
      clock.advance(60_000);
    }
    // Half of the events become older than 30 days while the others are read.
    clock.advance(30 * day - 10 * 60_000 - 30_000);
    let cursor: string | undefined;
    const read: string[] = [];
    for (let hasMore = true; hasMore; ) {
      const page = await readEvents(table, spId, { cursor, limit: 1 });
      [cursor, hasMore] = [page.cursor, page.hasMore];
      read.push(...page.events.map((text) => JSON.parse(text).data.revision));
      clock.advance(5_000);
    }
    expect(read.toSorted((one, other) => Number(one) - Number(other))).toEqual(
      Array.from({ length: 20 }, (_, i) => 11 + Math.floor(i / 2)),
    );
  });
});
