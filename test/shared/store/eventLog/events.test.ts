import { randomUUID } from "node:crypto";
import { GetItemCommand } from "@aws-sdk/client-dynamodb";
import { marshall } from "@aws-sdk/util-dynamodb";
import { describe, expect, test } from "vitest";
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
import { numberedEvent } from "./numberedEvent.ts";

const day = 24 * 3_600_000;
const shared = await createTestTable();
const upTo = (count: number) => Array.from({ length: count }, (_, number) => number);
const rejection = { kind: "invalid", details: { fields: { "query.cursor": expect.anything() } } };

/** A service provider's log, with a separate clock, and a client of its own for each caller. */
function createLog() {
  const clock = new TestClock("2026-03-01T12:00:00.000Z");
  const table = testTableOf(shared, clock);
  const spId = randomUUID();
  const store = (through: Table, crbId: string | null, ...numbers: number[]) => {
    const events = numbers.map((number) => numberedEvent(spId, crbId, number));
    return commitWithEvents(through, { writes: [], events }, clock);
  };
  const read = async (cursor: string | undefined, limit = 100) => {
    const page = await readEvents(table, spId, { cursor, limit });
    return { ...page, numbers: page.events.map((text): number => JSON.parse(text).data.revision) };
  };
  return {
    ...{ clock, table, spId, read },
    newCaller: () => testTableOf(shared, clock),
    storeThrough: store,
    storeEvents: (crbId: string | null, ...numbers: number[]) => store(table, crbId, ...numbers),
    /** The numbers of all stored events, or of those of a CRB. */
    numbers: async (crbId?: string) =>
      (await eventsOf(table, spId))
        .filter(({ crb_id }) => !crbId || crb_id === crbId)
        .map(({ data }) => data.revision as number),
    expectRejected: (cursor: string) => expect(read(cursor, 1)).rejects.toMatchObject(rejection),
    waitingKey: waitingEventsKey(eventsPartition(spId, 0), null),
  };
}

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
    const { table, newCaller, storeThrough, numbers, waitingKey } = createLog();
    const crashing = newCaller();
    interceptCalls(crashing).after = () => {
      throw new Error("killed");
    };
    await expect(storeThrough(crashing, null, 1)).rejects.toThrow("killed");
    expect((await table.get(waitingKey))?.waiting).toHaveLength(1);
    expect(await numbers()).toEqual([1]);
    expect(await table.get(waitingKey)).toBeUndefined();
  });
});

describe("waiting events", () => {
  test("take at most 64 KB: further changes first give them places, or fail and store nothing", async () => {
    const { newCaller, storeThrough, numbers, waitingKey } = createLog();
    const caller = newCaller();
    const calls = interceptCalls(caller);
    // Events are stored although they cannot be numbered.
    calls.before = (command) => {
      if (command === "QueryCommand") throw new Error("out of reach");
    };
    let stored = 0;
    const store = () => storeThrough(caller, null, ...upTo(40).map((i) => stored + i));
    const outcome = await (async () => {
      for (; stored < 1_000; stored += 40) await store();
    })().catch(String);
    const { Item = {} } = await shared.client.send(
      new GetItemCommand({ TableName: shared.name, Key: marshall(waitingKey), ConsistentRead: true }),
    );
    expect(outcome).toBe("Error: out of reach");
    expect(sizeOfItem(Item)).toBeGreaterThan(50 * 1_024);
    expect(sizeOfItem(Item)).toBeLessThanOrEqual(64 * 1_024);
    calls.before = () => undefined;
    await store();
    expect(await shared.get(waitingKey, { consistent: true })).toBeUndefined();
    expect(await numbers()).toEqual(upTo(stored + 40));
  });

  test("are all numbered, however many, in the order of each CRB", async () => {
    const { spId, table, clock, numbers } = createLog();
    const crbs = [crbOfShard(5), crbOfShard(5)];
    for (const crbId of crbs) {
      const waiting = upTo(150).map((revision) => JSON.stringify({ crb_id: crbId, data: { revision } }));
      await table.put({ ...waitingEventsKey(eventsPartition(spId, 5), crbId), waiting });
    }
    let transactions = 0;
    interceptCalls(table).before = (command) => void (command === "TransactWriteItemsCommand" && transactions++);
    await sequenceEvents(table, eventsPartition(spId, 5), clock);
    expect(transactions).toBe(4);
    for (const crbId of crbs) expect(await numbers(crbId)).toEqual(upTo(150));
    expect(await numbers()).toHaveLength(300);
  });
});

describe("a page", () => {
  test("has events of all shards, and a client that follows the cursors gets each event once", async () => {
    const { table, spId, storeEvents } = createLog();
    const crbs = shardNumbers.map(crbOfShard);
    for (const [i, crbId] of crbs.entries()) await storeEvents(crbId, ...upTo(i + 1));
    for (const limit of [1, 3, 16, 50, 1_000]) {
      const reader = new EventReader(spId);
      await reader.turn(table, limit);
      expect(new Set(reader.events.map(({ crb_id }) => crb_id)).size).toBe(Math.min(limit, shardCount));
      const events = await reader.toTheEnd(table, limit);
      expect(events).toHaveLength((shardCount * (shardCount + 1)) / 2);
      for (const [i, crbId] of crbs.entries()) {
        const numbers = events.filter(({ crb_id }) => crb_id === crbId).map(({ data }) => data.revision);
        expect(numbers).toEqual(upTo(i + 1));
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

  test("costs two read units for all shards, with any endpoints, and one for each shard with events on the page", async () => {
    const { table, spId, storeEvents, read } = createLog();
    for (const shard of shardNumbers) {
      await storeEvents(crbOfShard(shard), shard);
      await table.put({ ...webhookListenerKey(eventsPartition(spId, shard)) });
    }
    const { cursor } = await read(undefined, shardCount - 4);
    const page = await costOf(table.client, () => read(cursor, 4));
    expect(page).toMatchObject({ readUnits: 6, writeUnits: 0 });
    const nothing = await costOf(table.client, () => read(page.result.cursor));
    expect(nothing).toMatchObject({ readUnits: 2, writeUnits: 0, roundTrips: 1, result: { events: [] } });
  });
});

describe("a cursor", () => {
  test("stays the same while no event is stored, and continues with the next event", async () => {
    const { storeEvents, clock, read } = createLog();
    await storeEvents(null, 1);
    const { cursor } = await read(undefined);
    clock.advance(60_000);
    expect(await read(cursor)).toEqual({ events: [], numbers: [], cursor, hasMore: false });
    await storeEvents(null, 2);
    expect((await read(cursor)).numbers).toEqual([2]);
  });

  test("is valid for 30 days, and then rejected", async () => {
    const { storeEvents, clock, read, expectRejected } = createLog();
    const { cursor } = await read(undefined);
    await storeEvents(null, 1);
    clock.advance(30 * day);
    expect((await read(cursor)).numbers).toEqual([1]);
    clock.advance(3_600_000);
    await expectRejected(cursor);
  });

  test("is rejected if events behind it have expired, even if it is younger", async () => {
    const { table, spId, storeEvents, clock, read, expectRejected } = createLog();
    await storeEvents(null, 1, 2, 3);
    clock.advance(29 * day);
    const { cursor } = await read(undefined, 1);
    clock.advance(2 * day);
    await expectRejected(cursor);
    await table.delete(eventKey(eventsPartition(spId, 0), 2));
    await expectRejected(cursor);
  });

  const allAt = (place: number) => Array(shardCount).fill(place);
  test.each<[string, (table: Table, spId: string) => string]>([
    ["of another service provider", (table) => encodeEventsCursor(table, randomUUID(), allAt(0), new Date())],
    [
      "of another table",
      (table, spId) => encodeEventsCursor({ ...table, name: "other" } as Table, spId, allAt(0), table.clock.now()),
    ],
    ["beyond the end", (table, spId) => encodeEventsCursor(table, spId, allAt(9), table.clock.now())],
    ["that is malformed", () => "A".repeat(160)],
  ])("%s is rejected", async (_, make) => {
    const { table, spId, storeEvents, expectRejected } = createLog();
    await storeEvents(null, 1);
    await expectRejected(make(table, spId));
  });

  test("is rejected with another character at any place", async () => {
    const { read, expectRejected } = createLog();
    const { cursor } = await read(undefined, 1);
    for (let at = 0; at < 160; at += 9) {
      await expectRejected(cursor.slice(0, at) + (cursor[at] === "x" ? "y" : "x") + cursor.slice(at + 1));
    }
  });
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
    const { storeEvents, clock, read } = createLog();
    const crbs = [1, 2].map(crbOfShard);
    for (let number = 1; number <= 20; number++) {
      for (const crbId of crbs) await storeEvents(crbId, number);
      clock.advance(60_000);
    }
    // Half of the events become older than 30 days while the others are read.
    clock.advance(30 * day - 10 * 60_000 - 30_000);
    const found: number[] = [];
    for (let [cursor, hasMore]: [string | undefined, boolean] = [undefined, true]; hasMore; clock.advance(5_000)) {
      const page = await read(cursor, 1);
      ({ cursor, hasMore } = page);
      found.push(...page.numbers);
    }
    expect(found.toSorted((one, other) => one - other)).toEqual(upTo(20).map((i) => 11 + Math.floor(i / 2)));
  });
});

test("events that a restore has lost are left out, with and without a cursor, and reject none", async () => {
  const { table, spId, storeEvents, clock, read, numbers } = createLog();
  const lose = (...places: number[]) =>
    table.batchDelete(places.map((place) => eventKey(eventsPartition(spId, 0), place)));
  await storeEvents(null, 1, 2, 3, 4, 5, 6);
  const { cursor } = await read(undefined, 1);
  await lose(2, 3, 6);
  expect(await numbers()).toEqual([1, 4, 5]);
  // A cursor may point into a gap, and a page may be empty.
  const pages: number[][] = [];
  for (let [next, hasMore] = [cursor, true]; hasMore; ) {
    const page = await read(next, 1);
    [next, hasMore] = [page.cursor, page.hasMore];
    pages.push(page.numbers);
  }
  expect(pages).toEqual([[], [], [4], [5], []]);
  clock.advance(10 * day);
  await storeEvents(null, 7, 8, 9, 10, 11);
  // The binary search for the first retained event meets both gaps.
  await lose(9);
  clock.advance(21 * day);
  expect(await numbers()).toEqual([7, 8, 10, 11]);
  await lose(7, 8, 10, 11);
  expect(await numbers()).toEqual([]);
});
