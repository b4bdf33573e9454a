import { describe, expect, test } from "vitest";
import { ServiceError } from "../../../../shared/api/errors.ts";
import { openDailySnapshot } from "../../../../shared/domain/inventory/dailySnapshots.ts";
import { inventoryDay } from "../../../../shared/domain/inventory/keepDailySnapshots.ts";
import { replicate } from "../../../../shared/domain/replication/replicate.ts";
import { replicationLeaseMs } from "../../../../shared/domain/replication/replicationLease.ts";
import { PosError } from "../../../../shared/pos/connector.ts";
import { sandboxConnector } from "../../../../shared/pos/sandbox/sandboxConnector.ts";
import type { Table } from "../../../../shared/store/client.ts";
import { streamInventoryInStock } from "../../../../shared/store/inventory.ts";
import { entryPrefix } from "../../../../shared/store/keys/indexEntries.ts";
import { outboxPartition, snapshotPartition } from "../../../../shared/store/keys/inventory.ts";
import { locationInventoryList, type OrderedList, recordList } from "../../../../shared/store/keys/orderedLists.ts";
import { readPage } from "../../../../shared/store/orderedList/readPage.ts";
import { type Clock, systemClock } from "../../../../shared/time/clock.ts";
import { localDay } from "../../../../shared/time/localTime.ts";
import { faultsOfLists, scan } from "../../../tableState.ts";
import { testTableOf } from "../../../testTable.ts";
import { useTestBucket } from "../../../useTestBucket.ts";
import { crashAt, letCallsPass } from "../../store/crashInjection.ts";
import { ScriptedStock, stockOf } from "./scriptedStock.ts";
import { useReplication } from "./useReplication.ts";

useTestBucket();
const one = useReplication(new ScriptedStock(3));
const { table, calls, clock, pos, connection } = one;
const run = (deadline?: Date) => one.run("inventory", deadline && { deadline });
const state = () => one.state("inventory");
const idOf = (posId: string) => one.idOf(posId, "inventory");
const locationOf = (posId: string) => one.idOf(posId, "location");

interface Listed {
  id: string;
  name: string;
  total_quantity: number;
  quantity?: number;
  svc_updated_date: string;
  location_data?: { location_id: string; quantity: number }[];
}

async function listed(list: OrderedList): Promise<Map<string, Listed>> {
  const { total, records } = await readPage(table(), list, { offset: 0, limit: 1000 });
  expect(records).toHaveLength(total);
  return new Map(records.map((record) => JSON.parse(record)).map((record: Listed) => [record.id, record]));
}

const listAll = () => listed(recordList(connection.crbId, "inventory"));
const at = (posId: string) => listed(locationInventoryList(connection.crbId, locationOf(posId)));

/** Compares all packages that the POS ever had: current quantities, and 0 for those that it no longer reports. */
async function expectEqualToPos(ever: readonly string[]): Promise<void> {
  const records = await listAll();
  const byLocation = new Map([
    ["101", await at("101")],
    ["102", await at("102")],
  ]);
  expect([...records.keys()].sort()).toEqual(ever.map(idOf).sort());
  for (const posId of ever) {
    const record = records.get(idOf(posId));
    const stock = pos.stock.get(posId);
    expect(record?.name).toBe(`Package ${posId}`);
    expect(record?.total_quantity).toBe(stock?.total_quantity ?? 0);
    for (const [locationId, list] of byLocation) {
      const expected = stock?.location_data?.find((place) => place.pos_location_id === locationId)?.quantity ?? 0;
      const inWhole = record?.location_data?.find((place) => place.location_id === locationOf(locationId));
      expect(inWhole?.quantity ?? 0).toBe(expected);
      expect(list.get(idOf(posId))?.quantity ?? 0).toBe(expected);
    }
  }
  const present = (await Array.fromAsync(streamInventoryInStock(table(), connection.crbId))).flat().map(([id]) => id);
  const expected = [...pos.stock.values()].filter((stock) => stock.total_quantity > 0);
  expect(present.sort()).toEqual(expected.map((stock) => idOf(stock.pos_inventory_id)).sort());
}

const ids = (count: number) => Array.from({ length: count }, (_, i) => String(i + 1));
const fill = (count: number) => pos.put(...ids(count).map((id) => stockOf(id, { "101": 5, "102": Number(id) })));

describe("stock that a complete pull no longer reports", () => {
  test("goes to quantity 0 at all its locations, and otherwise stays as it was", async () => {
    fill(8);
    expect(await run()).toMatchObject({ outcome: "finished", created: 8 });
    const before = await listAll();
    pos.stock.delete("2");
    pos.stock.delete("7");
    clock.advance(60_000);
    expect(await run()).toMatchObject({ outcome: "finished", changed: 2, unchanged: 6 });
    await expectEqualToPos(ids(8));
    const record = (await listAll()).get(idOf("7"));
    expect(record).toEqual({
      ...before.get(idOf("7")),
      total_quantity: 0,
      location_data: before.get(idOf("7"))?.location_data?.map((place) => ({ ...place, quantity: 0 })),
      svc_updated_date: "2026-03-01T12:01:00.000Z",
    });
    expect((await at("102")).get(idOf("7"))).toMatchObject({ quantity: 0, total_quantity: 0 });
  });

  test("is written once, and comes back if the POS reports it again", async () => {
    fill(4);
    await run();
    pos.stock.delete("2");
    await run();
    clock.advance(60_000);
    expect(await run()).toMatchObject({ changed: 0, unchanged: 3 });
    pos.put(stockOf("2", { "102": 4 }));
    expect(await run()).toMatchObject({ created: 0, changed: 1, unchanged: 3 });
    await expectEqualToPos(ids(4));
  });

  test("goes to 0 by as many workers as necessary, and each of them does a part", async () => {
    fill(620);
    pos.pageSize = 250;
    await run();
    pos.pageSize = 15;
    for (const id of ids(600)) pos.stock.delete(id);
    clock.advance(60_000);
    expect(await run()).toMatchObject({ unconfirmed: { records: 600 } });
    clock.advance(60_000);
    /** The number of records at 0, in the whole list and at one location. */
    const zeros = async () =>
      [await listAll(), await at("101")]
        .flatMap((list) => [...list.values()])
        .filter(({ total_quantity }) => total_quantity === 0).length;
    let workers = 1;
    let result = await run(new Date(clock.time));
    for (let gone = -1; result.outcome === "unfinished"; workers++) {
      const before = gone;
      gone = await zeros();
      expect(gone).toBeGreaterThan(before);
      result = await run(new Date(clock.time));
    }
    expect(result).toMatchObject({ outcome: "finished", created: 0, changed: 600 });
    expect(workers).toBeGreaterThan(3);
    expect(workers).toBeLessThan(8);
    await expectEqualToPos(ids(620));
  });

  test("includes a record whose total is 0 because another location has a negative quantity", async () => {
    pos.put({ ...stockOf("1", { "101": 5 }), total_quantity: 0 }, stockOf("2", { "101": 1 }));
    await run();
    pos.stock.delete("1");
    clock.advance(60_000);
    expect(await run()).toMatchObject({ changed: 1 });
    await expectEqualToPos(ids(2));
  });

  test("does not include records that the connector or the writer rejects", async () => {
    fill(5);
    await run();
    pos.unreadable.add("2");
    pos.put({ ...stockOf("4", { "101": 1 }), name: "x".repeat(500_000) });
    expect(await run()).toMatchObject({ outcome: "finished", changed: 0, rejected: 2 });
    const records = await listAll();
    expect(records.get(idOf("2"))?.total_quantity).toBe(7);
    expect(records.get(idOf("4"))?.total_quantity).toBe(9);
  });
});

test("a location that a record lists several times gets the sum", async () => {
  const stock = stockOf("1", { "101": 0.6, "102": 1 });
  const more = (stock.location_data ?? []).map((place) => ({ ...place, quantity: place.quantity + 0.8 }));
  pos.put({ ...stock, location_data: [...(stock.location_data ?? []), ...more] });
  await run();
  expect([...(await at("101")).values()]).toMatchObject([{ quantity: 2 }]);
  expect([...(await at("102")).values()]).toMatchObject([{ quantity: 3 }]);
  expect([...(await listAll()).values()][0]?.location_data).toMatchObject([{ quantity: 2 }, { quantity: 3 }]);
});

test("a record that becomes too large because of earlier locations is rejected, and the others are written", async () => {
  const places = (from: number) => Object.fromEntries(Array.from({ length: 12 }, (_, i) => [String(from + i), 1]));
  const name = "x".repeat(406_400);
  pos.put({ ...stockOf("1", places(200)), name });
  expect(await run()).toMatchObject({ created: 1, rejected: 0 });
  pos.put({ ...stockOf("1", places(300)), name }, stockOf("2", { "101": 1 }));
  clock.advance(60_000);
  expect(await run()).toMatchObject({ outcome: "finished", created: 1, changed: 0, rejected: 1 });
  expect((await listAll()).get(idOf("1"))?.location_data?.filter(({ quantity }) => quantity > 0)).toHaveLength(12);
});

test("a record that leaves a location goes to quantity 0 there", async () => {
  pos.put(stockOf("1", { "101": 3, "102": 4 }), stockOf("2", { "101": 3 }));
  await run();
  pos.put(stockOf("1", { "102": 7 }), stockOf("2", { "102": 3 }));
  expect(await run()).toMatchObject({ changed: 2 });
  await expectEqualToPos(["1", "2"]);
  expect([...(await at("101")).values()].map(({ quantity }) => quantity)).toEqual([0, 0]);
});

/** Eight packages. A day later, one is gone, one has moved and one is new. */
async function prepareChanges(): Promise<void> {
  fill(8);
  await run();
  clock.advance(86_400_000);
  pos.stock.delete("3");
  pos.put(stockOf("5", { "101": 9 }), stockOf("9", { "102": 2 }));
}

describe("a run that is killed", () => {
  test("starts from the beginning, because the positions that it had seen are lost", async () => {
    await prepareChanges();
    pos.beforePage = ({ position }) => {
      if (position === "6") calls.before = () => Promise.reject(new Error("killed"));
    };
    await expect(run()).rejects.toThrow("killed");
    letCallsPass(calls);
    pos.beforePage = () => undefined;
    expect(await state()).toMatchObject({ position: "6" });
    pos.positions.length = 0;
    clock.advance(replicationLeaseMs);
    expect(await run()).toMatchObject({ outcome: "finished", created: 1, changed: 1, unchanged: 7 });
    expect(pos.positions).toEqual([null, "3", "6"]);
    await expectEqualToPos(ids(9));
  });
});

describe("a run that another worker continues", () => {
  test("after its deadline continues where it stopped, and knows the records seen before", async () => {
    await prepareChanges();
    const createPastDeadline = () => new Date(clock.time);
    pos.positions.length = 0;
    // The first worker has time for only one of two daily snapshots.
    for (let workers = 3; workers > 0; workers--) {
      expect(await run(createPastDeadline())).toMatchObject({ outcome: "unfinished" });
    }
    expect(await run(createPastDeadline())).toMatchObject({
      outcome: "finished",
      created: 1,
      changed: 2,
      unchanged: 6,
    });
    expect(pos.positions).toEqual([null, null, "3", "6"]);
    await expectEqualToPos(ids(9));
  });

  test("after a failure of the POS continues where it stopped", async () => {
    await prepareChanges();
    pos.beforePage = ({ position }) => {
      if (position === "6") throw new PosError("unreachable");
    };
    expect(await run()).toMatchObject({ outcome: "failed" });
    pos.beforePage = () => undefined;
    pos.positions.length = 0;
    expect(await run()).toMatchObject({ outcome: "finished", created: 1, changed: 2 });
    expect(pos.positions).toEqual(["6"]);
    await expectEqualToPos(ids(9));
  });

  test("and that is killed starts from the beginning", async () => {
    await prepareChanges();
    await run(new Date(clock.time));
    pos.beforePage = () => {
      calls.before = () => Promise.reject(new Error("killed"));
    };
    await expect(run()).rejects.toThrow("killed");
    letCallsPass(calls);
    pos.beforePage = () => undefined;
    pos.positions.length = 0;
    clock.advance(replicationLeaseMs);
    expect(await run()).toMatchObject({ outcome: "finished" });
    expect(pos.positions).toEqual([null, "3", "6"]);
    await expectEqualToPos(ids(9));
  });

  test("before its first page was saved starts from the beginning", async () => {
    pos.put(stockOf("1", { "101": 1 }), stockOf("2", { "101": 1 }));
    await run();
    // The records in stock are read at the end.
    calls.before = (command) => (command === "QueryCommand" ? Promise.reject(new PosError("unreachable")) : undefined);
    expect(await run()).toMatchObject({ outcome: "failed" });
    letCallsPass(calls);
    pos.stock.delete("1");
    expect(await run()).toMatchObject({ outcome: "finished", changed: 1 });
    await expectEqualToPos(["1", "2"]);
  });

  test("does not use the positions that an earlier pull saw", async () => {
    fill(8);
    await run(new Date(clock.time));
    await run();
    pos.stock.delete("1");
    expect(await run()).toMatchObject({ changed: 1, unchanged: 7 });
    await expectEqualToPos(ids(8));
  });
});

describe("a record at 50 locations", () => {
  const places = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [String(200 + i), i + 1]));
  const inOutbox = () => table().queryPartition(outboxPartition(connection.crbId), { consistent: true });
  // The table also has index entries of other tests' records.
  const findListFaults = async () =>
    (await faultsOfLists(table(), await scan(table()), connection.crbId)).filter(
      (fault) => !fault.startsWith(entryPrefix),
    );
  const sizeOf = async () => JSON.stringify(await state()).length;
  const expectWhole = async () => {
    expect(await inOutbox()).toEqual([]);
    for (const { pos_location_id, quantity } of pos.stock.get("1")?.location_data ?? []) {
      expect((await at(pos_location_id)).get(idOf("1"))?.quantity).toBe(quantity);
    }
  };

  test("is completed after five killed workers, and their writes do not add up", async () => {
    pos.put(stockOf("1", places));
    await run();
    const size = await sizeOf();
    pos.put(stockOf("1", Object.fromEntries(Object.keys(places).map((place) => [place, 7]))));
    for (let crash = 1; crash <= 5; crash++) {
      crashAt(calls, 8, "before");
      await expect(run()).rejects.toThrow("killed");
      letCallsPass(calls);
      clock.advance(replicationLeaseMs);
      expect(await inOutbox()).toHaveLength(1);
      expect(await sizeOf()).toBeLessThan(size + 100);
    }
    expect(await run()).toMatchObject({ outcome: "finished" });
    await expectWhole();
  });

  test("is right at all other locations while one cannot be written, and there later", async () => {
    pos.put(stockOf("1", places), stockOf("2", places));
    await run();
    const broken = locationInventoryList(connection.crbId, locationOf("225")).pk;
    pos.put(stockOf("1", Object.fromEntries(Object.keys(places).map((place) => [place, 7]))));
    calls.before = (command, input) => {
      if (command !== "TransactWriteItemsCommand" || !JSON.stringify(input).includes(broken)) return undefined;
      throw new ServiceError("unavailable");
    };
    await expect(run()).rejects.toMatchObject({ kind: "unavailable" });
    letCallsPass(calls);
    expect(await findListFaults()).toEqual([]);
    expect(await inOutbox()).toHaveLength(1);
    clock.advance(replicationLeaseMs);
    expect(await run()).toMatchObject({ outcome: "finished" });
    await expectWhole();
    expect(await findListFaults()).toEqual([]);
  });
});

test("before the first write of a new local day, the daily snapshot of the previous day is stored", async () => {
  await replicate(table(), connection, sandboxConnector(15), "location", { clock });
  fill(4);
  // 23:30 and 00:10 in Denver are on the same day in UTC.
  clock.time = Date.parse("2026-03-02T06:30:00.000Z");
  await run();
  expect(await inventoryDay(table(), connection.crbId)).toBe("2026-03-01");
  clock.time = Date.parse("2026-03-02T07:10:00.000Z");
  pos.put(stockOf("1", { "101": 1 }));
  await run();
  expect(await inventoryDay(table(), connection.crbId)).toBe(localDay(clock.now(), connection.timezone));
  const page = { offset: 0, limit: 10 };
  const closing = await openDailySnapshot(table(), connection.crbId, locationOf("101"), "2026-03-01", page);
  const { records } = await closing.read();
  expect(records.map((record) => JSON.parse(record).quantity)).toEqual([5, 5, 5, 5]);
  expect((await at("101")).get(idOf("1"))?.quantity).toBe(1);
});

test("a worker with a wrong clock neither starts a day nor ends one", async () => {
  const at = (on: Table, by: Clock) => replicate(on, connection, pos, "inventory", { clock: by });
  pos.put(stockOf("1", { "101": 5 }));
  await at(table(), systemClock);
  const begun = await inventoryDay(table(), connection.crbId);
  pos.put(stockOf("1", { "101": 4 }));
  const yearAhead: Clock = { now: () => new Date(Date.now() + 365 * 86_400_000), sleep: async () => {} };
  await expect(at(testTableOf(table(), yearAhead), yearAhead)).rejects.toMatchObject({ kind: "unavailable" });
  expect(await inventoryDay(table(), connection.crbId)).toBe(begun);
  expect(await table().queryPartition(snapshotPartition(connection.crbId, locationOf("101")))).toEqual([]);
});
