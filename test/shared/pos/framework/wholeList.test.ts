import { beforeEach, describe, expect, test } from "vitest";
import type { PullPage, RejectedPosRecord } from "../../../../shared/pos/connector.ts";
import { NextRecords } from "../../../../shared/pos/framework/nextRecords.ts";
import { type WholeList, WholeLists } from "../../../../shared/pos/framework/wholeList.ts";
import { type PosLocation, posLocation } from "../../../../shared/pos/posRecords.ts";
import { connectionTo } from "../fakes/pulls.ts";

const connection = connectionTo("Dutchie", {});
const now = new Date("2026-03-10T12:00:00.000Z");
const place = (number: number) => posLocation(String(number).padStart(4, "0"), "x");
const places = (count: number) => Array.from({ length: count }, (_, at) => place(at));

let readCount: number;
let list: WholeList<"location">;
beforeEach(() => {
  readCount = 0;
  list = {
    records: places(600).reverse(),
    rejected: [],
    complete: true,
    watermark: "first",
    asOf: "2026-03-10T11:59:00.000Z",
    readAll: true,
  };
});

async function read() {
  readCount++;
  return { ...list, records: [...list.records] };
}

function pageOf(lists: WholeLists, position: string | null): Promise<PullPage<"location">> {
  return lists.page(connection, { kind: "location", since: null, position, now }, read);
}

/** Reads all pages. `between` two pages it may change the list, or return the lists of another process. */
async function readAllPages(between: () => WholeLists | undefined = () => undefined) {
  let lists = new WholeLists();
  const ids: string[] = [];
  const sizes: number[] = [];
  const rejected: RejectedPosRecord[] = [];
  let position: string | null = null;
  for (;;) {
    const page: PullPage<"location"> = await pageOf(lists, position);
    ids.push(...page.records.map(({ pos_location_id }) => pos_location_id));
    sizes.push(page.records.length);
    rejected.push(...page.rejected);
    if ("watermark" in page.next) return { ids, sizes, rejected, complete: page.complete, ...page.next };
    position = page.next.position;
    lists = between() ?? lists;
  }
}

/** What another process does between two pages, after a change of the list. */
const elsewhere = (change: Partial<WholeList<"location">>) => () => {
  Object.assign(list, change);
  return new WholeLists();
};

test("a list is read once and returned in pages, in the order of its keys", async () => {
  const found = await readAllPages();
  expect(found).toMatchObject({ sizes: [250, 250, 100], complete: true, watermark: "first" });
  expect(found.ids).toEqual(places(600).map(({ pos_location_id }) => pos_location_id));
  expect(readCount).toBe(1);
});

test("another process reads the list again, and continues after the same key", async () => {
  // A record before that key was removed, and another was added.
  const changed = { records: [...places(600).slice(10), place(700)], watermark: "second" };
  const found = await readAllPages(elsewhere(changed));
  expect(found.ids).toEqual([...places(600), place(700)].map(({ pos_location_id }) => pos_location_id));
  expect(found).toMatchObject({ complete: true, watermark: "first", asOf: "2026-03-10T11:59:00.000Z" });
  expect(readCount).toBe(3);
});

test("a rejected record is reported with the page in which its key is, whatever another reading finds", async () => {
  const rejection = (posId: string) => ({ posId, field: "name", reason: "invalid_type" });
  list.rejected = ["0000x", "0249x", "0599x", ""].map(rejection);
  const found = await readAllPages(elsewhere({ rejected: ["0100x", "0599x"].map(rejection) }));
  expect(found.rejected.map(({ posId }) => posId)).toEqual(["0000x", "0599x"]);
  expect(found.complete).toBe(false);
  list.rejected = ["0000x", "0249x", "0599x", ""].map(rejection);
  expect((await readAllPages()).rejected.map(({ posId }) => posId)).toEqual(["0000x", "0249x", "0599x", ""]);
});

test("one incomplete reading makes the pull incomplete", async () => {
  list.complete = false;
  const found = await readAllPages(elsewhere({ complete: true }));
  expect(found.complete).toBe(false);
});

test("one reading that may have missed records leaves the end time of the pull unknown", async () => {
  for (const [first, second] of [
    [null, list.asOf],
    [list.asOf, null],
  ] as const) {
    list.asOf = first;
    const { asOf } = await readAllPages(elsewhere({ asOf: second }));
    expect(asOf).toBeNull();
  }
});

test("the next pull starts where a reading may have missed records", async () => {
  const { asOf } = list;
  for (const lacking of ["first", "second"]) {
    const reading = (watermark: string) => ({ watermark, asOf: watermark === lacking ? null : asOf });
    Object.assign(list, reading("first"));
    const { watermark } = await readAllPages(elsewhere(reading("second")));
    expect(watermark).toBe(lacking);
  }
});

test("a pull has read everything only if each reading has", async () => {
  list.readAll = false;
  const { readAll } = await readAllPages(elsewhere({ readAll: true }));
  expect(readAll).toBe(false);
  expect((await readAllPages()).readAll).toBe(true);
});

test("rejected records are reported once, with the last page", async () => {
  const rejected = { posId: "0007", field: "name", reason: "invalid_type" };
  list.rejected = [rejected];
  expect(await readAllPages()).toMatchObject({ rejected: [rejected], complete: true });
});

test("if a rejected record has no id, nothing counts as vanished", async () => {
  list.rejected = [{ posId: "", field: "roomId", reason: "invalid_type" }];
  expect((await readAllPages()).complete).toBe(false);
});

describe("a list too long for memory", () => {
  /** The part of the list that is kept from one reading. */
  const slice = async (behind: string | null) => {
    const kept = new NextRecords<PosLocation>(behind, 100);
    for (const record of (await read()).records) kept.add(record.pos_location_id, record);
    return { ...list, ...kept.take() };
  };
  const page = (lists: WholeLists, position: string | null) =>
    lists.page(connection, { kind: "location", since: null, position, now }, slice);
  const idsOf = ({ records }: PullPage<"location">) => records.map(({ pos_location_id }) => pos_location_id);

  test.each(["one process", "several"])("is read several times and returned completely, by %s", async (processes) => {
    let lists = new WholeLists(30);
    const ids: string[] = [];
    for (let position: string | null = null; ; ) {
      const found: PullPage<"location"> = await page(lists, position);
      ids.push(...idsOf(found));
      expect(found.total).toBe(null);
      if ("watermark" in found.next) {
        expect(found).toMatchObject({ complete: true, next: { watermark: "first", readAll: true } });
        break;
      }
      position = found.next.position;
      if (processes === "several") lists = new WholeLists(30);
    }
    expect(ids).toEqual(places(600).map(({ pos_location_id }) => pos_location_id));
    expect(readCount).toBe(processes === "several" ? 20 : 6);
  });

  test("is read again from a page that was not saved", async () => {
    const lists = new WholeLists(100);
    const first = await page(lists, null);
    const { position } = first.next as { position: string };
    const second = await page(lists, position);
    expect(idsOf(await page(lists, position))).toEqual(idsOf(second));
    expect(idsOf(await page(lists, null))).toEqual(idsOf(first));
  });
});

test("an empty list and one that shrank before the position are read", async () => {
  list.records = [];
  expect(await readAllPages()).toMatchObject({ ids: [], sizes: [0], complete: true });
  list.records = places(260);
  const found = await readAllPages(elsewhere({ records: places(100) }));
  expect(found.sizes).toEqual([250, 0]);
});
