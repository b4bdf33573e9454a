import { beforeAll, describe, expect, test } from "vitest";
import type { OrderedList } from "../../../../shared/store/keys/orderedLists.ts";
import { loadDayIndexes } from "../../../../shared/store/orderedList/dayIndex.ts";
import { planPage } from "../../../../shared/store/orderedList/planPage.ts";
import { type Reading, readSlots } from "../../../../shared/store/orderedList/readSlots.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { newList, newWriter, recordToWrite, storedRecords, TestClock } from "./listUnderTest.ts";

const table = useTestTable();
const first = "2026-03-01";

describe("the records of a page", () => {
  let list: OrderedList;
  beforeAll(async () => {
    const given = await newList(table());
    list = given.list;
    const clock = new TestClock(`${first}T10:00:00.000Z`);
    const writer = newWriter(table(), list, { fence: given.fence, clock });
    await writer.write(Array.from({ length: 20 }, (_, name) => recordToWrite(name, 0)));
    clock.advance(24 * 3_600_000);
    await writer.write([3, 4, 5].map((name) => recordToWrite(name, 1)));
  });

  /** Reads all records except the newest, with this number per query. */
  async function read(perQuery: number, more: Partial<Reading> = {}) {
    const order = list.orders.rank;
    const { parts } = planPage(await loadDayIndexes(table(), order), { offset: 1, limit: 1_000 });
    const ranks = (await storedRecords(table(), list)).map(({ rank }) => rank).slice(1);
    const slots = ranks.filter((rank) => rank.startsWith(first)).map((rank) => Number(rank.slice(11)));
    const reading = { table: table(), list, order, attributes: ["body"], perQuery, ...more };
    return { ranks, found: await readSlots(reading, parts, new Map([[first, slots]])) };
  }

  test.each([250, 10, 8])("are all read, in the order of the list, with %i per query at most", async (perQuery) => {
    const { ranks, found } = await read(perQuery);
    expect(found.map(({ rank }) => rank)).toEqual(ranks);
  });

  test("have the requested attributes and the position", async () => {
    const { found } = await read(250, { attributes: ["sk", "hash"] });
    expect(new Set(found.map(({ item }) => Object.keys(item).sort().join()))).toEqual(new Set(["hash,rank,sk"]));
  });

  test("are only those at the requested positions", async () => {
    const order = list.orders.rank;
    const { parts } = planPage(await loadDayIndexes(table(), order), { offset: 3, limit: 1_000 });
    const reading = { table: table(), list, order, attributes: ["body"] };
    const found = await readSlots(reading, parts, new Map([[first, [12, 7]]]));
    expect(found.map(({ rank }) => rank)).toEqual([`${first}#00000012`, `${first}#00000007`]);
  });
});

describe("twelve records of 300 kB, with room for three or four per response", () => {
  let list: OrderedList;
  beforeAll(async () => {
    const given = await newList(table());
    list = given.list;
    const writer = newWriter(table(), list, { fence: given.fence, clock: new TestClock(`${first}T10:00:00.000Z`) });
    for (let name = 0; name < 12; name++) {
      const record = recordToWrite(name, 0);
      await writer.write([{ ...record, content: { ...record.content, text: "x".repeat(300_000) } }]);
    }
  });

  const read = async (perQuery: number, enoughBytes: number) => {
    const order = list.orders.rank;
    const { parts } = planPage(await loadDayIndexes(table(), order), { offset: 0, limit: 1_000 });
    const reading = { table: table(), list, order, attributes: ["body"], perQuery, targetBytes: enoughBytes };
    return (await readSlots(reading, parts, new Map())).map(({ rank }) => Number(rank.slice(11))).reverse();
  };

  test("the oldest are read until they are enough", async () => {
    const found = await read(250, 1_500_000);
    expect(found).toEqual(Array.from({ length: found.length }, (_, slot) => slot));
    expect([6, 7, 8]).toContain(found.length);
  });

  test("surplus newer records do not keep the oldest from being read", async () => {
    expect((await read(4, 1_500_000)).slice(0, 4)).toEqual([0, 1, 2, 3]);
  });
});
