import * as fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import type { Table } from "../../../../shared/store/client.ts";
import { LeaseLostError } from "../../../../shared/store/orderedList/fence.ts";
import { createTestTable, testTableOf } from "../../../testTable.ts";
import { isThorough } from "../../../thorough.ts";
import {
  expectSoundList,
  interceptCalls,
  newList,
  newWriter,
  pageOf,
  recordToWrite,
  setFence,
  storedRecords,
  TestClock,
} from "./listUnderTest.ts";

const minute = 60_000;
const day = 24 * 60 * minute;

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

/**
 * A batch of records by name, each with a content. Both have a small range, so that changes and repeats are frequent.
 */
const batch = fc.array(fc.tuple(fc.nat(39), fc.nat(3)), { minLength: 1, maxLength: 25 });
/** The time between two batches: none, within the day, some days, over a new year. */
const pause = fc.constantFrom(0, minute, 6 * 60 * minute, day, 3 * day, 40 * day);
const history = fc.array(fc.tuple(pause, batch), { minLength: 1, maxLength: 8 });

const toWrite = (records: [number, number][]) => records.map(([name, content]) => recordToWrite(name, content));

/** The rule of docs/spec.md#order-of-lists: newest change first. */
class Model {
  #places: { name: number; step: number; content: number }[] = [];

  write(records: [number, number][], step: number): void {
    for (const [name, content] of new Map(records)) {
      const known = this.#places.find((place) => place.name === name);
      if (known?.content === content) continue;
      this.#places = [{ name, step, content }, ...this.#places.filter((place) => place !== known)];
    }
  }

  /** Records in order, as sets: the writer chooses the order of one batch within its day. */
  groups(): Set<string>[] {
    return this.groupsOf(this.#places.map(({ name, content }) => ({ name, content })));
  }

  /** The given records in the same groups. */
  groupsOf(records: { name: number; content: number }[]): Set<string>[] {
    const sizes: number[] = [];
    for (const [index, { step }] of this.#places.entries()) {
      const before = this.#places[index - 1];
      if (before?.step === step) sizes.push((sizes.pop() ?? 0) + 1);
      else sizes.push(1);
    }
    let start = 0;
    return sizes.map((size) => {
      const group = records.slice(start, start + size).map(({ name, content }) => `${name}=${content}`);
      start += size;
      return new Set(group);
    });
  }
}

/** The number of random histories of each kind. */
const numRuns = isThorough ? 100 : 8;

test("after any history of writes, order, pages, windows and totals follow the rules", async () => {
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const { list, fence } = await newList(table);
      const clock = new TestClock("2026-11-20T05:00:00.000Z");
      const model = new Model();
      let writer = newWriter(table, list, { fence, clock });
      for (const [index, [wait, records]] of steps.entries()) {
        clock.advance(wait);
        if (index % 3 === 2) writer = newWriter(table, list, { fence, clock });
        await writer.write(toWrite(records));
        model.write(records, index);
      }
      await expectSoundList(table, list);
      const stored = (await storedRecords(table, list)).map(({ record }) => record);
      expect(model.groupsOf(stored)).toEqual(model.groups());
    }),
    { numRuns },
  );
}, 600_000);

test("around midnight, date and position of a record have the same day, and no write starts within 25 s before midnight", async () => {
  await fc.assert(
    fc.asyncProperty(history, fc.array(fc.nat(5_000), { minLength: 1 }), async (steps, jumps) => {
      const own = testTableOf(table);
      const calls = interceptCalls(own);
      const { list, fence } = await newList(table);
      const clock = new TestClock("2026-12-31T23:59:20.000Z");
      let call = 0;
      let stampedAt = 0;
      calls.before = (command) => {
        if (command === "TransactWriteItemsCommand") {
          stampedAt = clock.time;
          expect(day - (stampedAt % day)).toBeGreaterThan(25_000);
        } else clock.advance(jumps[call++ % jumps.length] ?? 0);
      };
      const writer = newWriter(own, list, { fence, clock });
      for (const [, records] of steps) await writer.write(toWrite(records));
      await expectSoundList(table, list);
    }),
    { numRuns },
  );
}, 600_000);

test("after two simultaneous writers, each record is from one of them, and the list is sound", async () => {
  await fc.assert(
    fc.asyncProperty(batch, batch, batch, fc.nat(5), async (first, one, other, lead) => {
      const { list, fence } = await newList(table);
      const clock = new TestClock("2026-03-01T10:00:00.000Z");
      await newWriter(table, list, { fence, clock }).write(toWrite(first));
      clock.advance(day);
      const hookedTable = testTableOf(table);
      const calls = interceptCalls(hookedTable);
      let call = 0;
      calls.before = async () => {
        // The second writer starts during the other's work, at every possible call.
        if (call++ === lead) await newWriter(table, list, { fence, clock }).write(toWrite(one));
      };
      await Promise.all([
        newWriter(hookedTable, list, { fence, clock }).write(toWrite(other)),
        newWriter(table, list, { fence, clock }).write(toWrite(one)),
      ]);
      await expectSoundList(table, list);
      const possible = new Map<number, Set<number>>();
      for (const records of [one, other]) {
        for (const [name, content] of new Map(records)) {
          possible.set(name, (possible.get(name) ?? new Set()).add(content));
        }
      }
      for (const { record } of await storedRecords(table, list)) {
        const contents = possible.get(record.name) ?? new Set([new Map(first).get(record.name)]);
        expect(contents).toContain(record.content);
      }
    }),
    { numRuns },
  );
}, 600_000);

test("after a crash before or after any call and a second run, the list is the same as without the crash", async () => {
  await fc.assert(
    fc.asyncProperty(batch, batch, fc.nat(12), fc.boolean(), async (first, second, killedCall, afterwards) => {
      const { list, fence } = await newList(table);
      const clock = new TestClock("2026-03-01T10:00:00.000Z");
      await newWriter(table, list, { fence, clock }).write(toWrite(first));
      clock.advance(day);
      const crashing = testTableOf(table);
      const calls = interceptCalls(crashing);
      let call = 0;
      const kill = () => {
        if (call++ === killedCall) throw new Error("killed");
      };
      if (afterwards) calls.after = kill;
      else calls.before = kill;
      await newWriter(crashing, list, { fence, clock })
        .write(toWrite(second))
        .catch((error: Error) => expect(error.message).toBe("killed"));
      await expectSoundList(table, list);
      await newWriter(table, list, { fence, clock }).write(toWrite(second));
      await expectSoundList(table, list);
      const stored = await storedRecords(table, list);
      expect(new Map(stored.map(({ record }) => [record.name, record.content]))).toEqual(
        new Map([...first, ...second]),
      );
    }),
    { numRuns },
  );
}, 600_000);

test("a changed record keeps its creation date and moves to the front, even the second time on a day", async () => {
  const { list, fence } = await newList(table);
  const clock = new TestClock("2026-03-01T10:00:00.000Z");
  const writer = newWriter(table, list, { fence, clock });
  await writer.write([1, 2, 3].map((name) => recordToWrite(name, 0)));
  clock.advance(minute);
  const { ranks, ...counts } = await writer.write([recordToWrite(2, 1), recordToWrite(3, 0)]);
  expect(counts).toEqual({ created: 0, changed: 1, unchanged: 1, rejected: [] });
  expect(ranks.sort()).toEqual(["2026-03-01#00000002", "2026-03-01#00000003"]);
  clock.advance(day);
  await writer.write([recordToWrite(1, 1)]);
  const { records } = await pageOf(table, list, { offset: 0, limit: 10 });
  expect(
    records.map(({ name, svc_created_date: created, svc_updated_date: updated }) => [name, created, updated]),
  ).toEqual([
    [1, "2026-03-01T10:00:00.000Z", "2026-03-02T10:01:00.000Z"],
    [2, "2026-03-01T10:00:00.000Z", "2026-03-01T10:01:00.000Z"],
    [3, "2026-03-01T10:00:00.000Z", "2026-03-01T10:00:00.000Z"],
  ]);
});

test("a slow clock puts no record behind listed ones", async () => {
  const { list, fence } = await newList(table);
  const clock = new TestClock("2026-03-02T10:00:00.000Z");
  await newWriter(table, list, { fence, clock }).write([recordToWrite(1, 0)]);
  clock.advance(-day);
  await newWriter(table, list, { fence, clock }).write([recordToWrite(2, 0)]);
  const { records } = await pageOf(table, list, { offset: 0, limit: 10 });
  expect(records.map(({ name }) => name)).toEqual([2, 1]);
  await expectSoundList(table, list);
});

test("a commit between a writer's reads of day indexes and of empty slots is preserved", async () => {
  const { list, fence } = await newList(table);
  const clock = new TestClock("2026-03-01T10:00:00.000Z");
  await newWriter(table, list, { fence, clock }).write([0, 1, 2].map((name) => recordToWrite(name, 0)));
  clock.advance(day);
  const own = testTableOf(table);
  const calls = interceptCalls(own);
  let isCommitted = false;
  calls.before = async (_, input) => {
    if (isCommitted || !JSON.stringify(input).includes(list.orders.rank.slots)) return;
    isCommitted = true;
    await newWriter(table, list, { fence, clock }).write([recordToWrite(1, 1)]);
  };
  await newWriter(own, list, { fence, clock }).write([recordToWrite(0, 1)]);
  expect(isCommitted).toBe(true);
  await expectSoundList(table, list);
});

test("a writer whose lease was taken over stores nothing", async () => {
  const { list, fence } = await newList(table);
  const clock = new TestClock("2026-03-01T10:00:00.000Z");
  const writer = newWriter(table, list, { fence, clock });
  await writer.write([recordToWrite(1, 0)]);
  await setFence(table, fence.key, 2);
  await expect(writer.write([recordToWrite(1, 1), recordToWrite(2, 0)])).rejects.toThrow(LeaseLostError);
  expect((await storedRecords(table, list)).map(({ record }) => [record.name, record.content])).toEqual([[1, 0]]);
});
