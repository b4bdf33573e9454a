import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createTestTable, testTableOf } from "../../../testTable.ts";
import { isThorough } from "../../../thorough.ts";
import { expectSoundList, interceptCalls, newList, recordToWrite, storedRecords } from "./listUnderTest.ts";

const minute = 60_000;
const day = 24 * 60 * minute;
const table = await createTestTable();

/** A batch of records by name, each with a content. Both ranges are small, so that changes and repeats are frequent. */
const batch = fc.array(fc.tuple(fc.nat(39), fc.nat(3)), { minLength: 1, maxLength: 25 });
/** The time between two batches: none, within the day, some days, over a new year. */
const pause = fc.constantFrom(0, minute, 6 * 60 * minute, day, 3 * day, 40 * day);
const history = fc.array(fc.tuple(pause, batch), { minLength: 1, maxLength: 8 });

const toWrite = (records: [number, number][]) => records.map(([name, content]) => recordToWrite(name, content));

/** The rule of docs/spec.md#order-of-lists: newest change first. */
class Model {
  #places: { name: number; step: number; content: number }[] = [];
  /** When each record was stored first. */
  readonly created = new Map<number, string>();

  write(records: [number, number][], step: number, now: Date) {
    const counts = { created: 0, changed: 0, unchanged: 0, rejected: [] };
    for (const [name, content] of new Map(records)) {
      const known = this.#places.find((place) => place.name === name);
      counts[!known ? "created" : known.content === content ? "unchanged" : "changed"]++;
      if (known?.content === content) continue;
      if (!known) this.created.set(name, now.toISOString());
      this.#places = [{ name, step, content }, ...this.#places.filter((place) => place !== known)];
    }
    return counts;
  }

  /**
   * Records that are given in order, as sets with the sizes of the batches: the writer chooses the order of one batch
   * within its day.
   */
  groupsOf(records: readonly { name: number; content: number }[] = this.#places): Set<string>[] {
    const texts = records.map(({ name, content }) => `${name}=${content}`);
    return [...Map.groupBy(this.#places, ({ step }) => step).values()].map(
      ({ length }) => new Set(texts.splice(0, length)),
    );
  }
}

/** The number of random histories of each kind. */
const numRuns = isThorough ? 100 : 8;

test("after any history of writes, order, dates, pages, windows and totals follow the rules", async () => {
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const { list, clock, ...given } = await newList(table, { start: "2026-11-20T05:00:00.000Z" });
      const model = new Model();
      let writer = given.writer();
      for (const [index, [wait, records]] of steps.entries()) {
        clock.advance(wait);
        if (index % 3 === 2) writer = given.writer();
        const expected = model.write(records, index, clock.now());
        const { ranks, ...counts } = await writer.write(toWrite(records));
        expect(counts).toEqual(expected);
        const written = (await storedRecords(table, list)).filter(({ rank }) => ranks.includes(rank));
        expect(new Set(written.map(({ record }) => record.name))).toEqual(new Set(new Map(records).keys()));
      }
      await expectSoundList(table, list);
      const stored = (await storedRecords(table, list)).map(({ record }) => record);
      expect(model.groupsOf(stored)).toEqual(model.groupsOf());
      expect(new Map(stored.map(({ name, svc_created_date: at }) => [name, at]))).toEqual(model.created);
    }),
    { numRuns },
  );
}, 600_000);

test("around midnight, date and position of a record have the same day, and no write starts within 25 s before midnight", async () => {
  await fc.assert(
    fc.asyncProperty(history, fc.array(fc.nat(5_000), { minLength: 1 }), async (steps, jumps) => {
      const own = testTableOf(table);
      const { list, clock, ...given } = await newList(table, { start: "2026-12-31T23:59:20.000Z" });
      let call = 0;
      interceptCalls(own).before = (command) => {
        if (command === "TransactWriteItemsCommand") expect(day - (clock.time % day)).toBeGreaterThan(25_000);
        else clock.advance(jumps[call++ % jumps.length] ?? 0);
      };
      const writer = given.writer({}, own);
      for (const [, records] of steps) await writer.write(toWrite(records));
      await expectSoundList(table, list);
    }),
    { numRuns },
  );
}, 600_000);

test("after two simultaneous writers, each record is from one of them, and the list is sound", async () => {
  await fc.assert(
    fc.asyncProperty(batch, batch, batch, fc.nat(5), async (first, one, other, lead) => {
      const { list, clock, writer } = await newList(table);
      await writer().write(toWrite(first));
      clock.advance(day);
      const hooked = testTableOf(table);
      let call = 0;
      interceptCalls(hooked).before = async () => {
        // The second writer starts during the other's work, at every possible call.
        if (call++ === lead) await writer().write(toWrite(one));
      };
      await Promise.all([writer({}, hooked).write(toWrite(other)), writer().write(toWrite(one))]);
      await expectSoundList(table, list);
      const [before, ...after] = [first, one, other].map((records) => new Map(records));
      for (const { record } of await storedRecords(table, list)) {
        const written = after.flatMap((contents) => contents.get(record.name) ?? []);
        expect(written.length > 0 ? written : [before?.get(record.name)]).toContain(record.content);
      }
    }),
    { numRuns },
  );
}, 600_000);

test("after a crash before or after any call and a second run, the list is the same as without the crash", async () => {
  await fc.assert(
    fc.asyncProperty(batch, batch, fc.nat(12), fc.boolean(), async (first, second, killedCall, afterwards) => {
      const { list, clock, writer } = await newList(table);
      await writer().write(toWrite(first));
      clock.advance(day);
      const crashing = testTableOf(table);
      let call = 0;
      interceptCalls(crashing)[afterwards ? "after" : "before"] = () => {
        if (call++ === killedCall) throw new Error("killed");
      };
      await writer({}, crashing)
        .write(toWrite(second))
        .catch((error: Error) => expect(error.message).toBe("killed"));
      await expectSoundList(table, list);
      await writer().write(toWrite(second));
      await expectSoundList(table, list);
      const stored = await storedRecords(table, list);
      const contents = new Map(stored.map(({ record }) => [record.name, record.content]));
      expect(contents).toEqual(new Map([...first, ...second]));
    }),
    { numRuns },
  );
}, 600_000);

test("a writer with a slow clock puts no record behind the listed ones", async () => {
  const { list, clock, write } = await newList(table, { start: "2026-03-02T10:00:00.000Z" });
  await write([1]);
  clock.advance(-day);
  await write([2]);
  expect((await storedRecords(table, list)).map(({ record }) => record.name)).toEqual([2, 1]);
  await expectSoundList(table, list);
});
