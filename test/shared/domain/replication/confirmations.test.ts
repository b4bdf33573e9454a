import { describe, expect, test } from "vitest";
import { kindsByName, type RecordKind } from "../../../../shared/api/kinds.ts";
import { readReplications } from "../../../../shared/domain/replication/readReplications.ts";
import { type ReplicateOptions, replicate } from "../../../../shared/domain/replication/replicate.ts";
import { restartWrites } from "../../../../shared/domain/replication/restartWrites.ts";
import { SeenPositions } from "../../../../shared/domain/replication/seenPositions.ts";
import { findVanished } from "../../../../shared/domain/replication/vanishedInventory.ts";
import { type Connector, noRecords } from "../../../../shared/pos/connector.ts";
import { locationInventoryList, recordList } from "../../../../shared/store/keys/orderedLists.ts";
import { fenceKey } from "../../../../shared/store/keys/replication.ts";
import { readPage } from "../../../../shared/store/orderedList/readPage.ts";
import { storedEvents } from "../../../storedEvents.ts";
import { RealRules } from "../../../system/realRules/realRules.ts";
import { testTableOf } from "../../../testTable.ts";
import { isThorough } from "../../../thorough.ts";
import { plainCustomer, plainSale, ScriptedPos } from "./scriptedPos.ts";
import { ScriptedStock, stockOf } from "./scriptedStock.ts";
import { useReplication } from "./useReplication.ts";

const one = useReplication(new ScriptedStock(3));
const { table, clock, pos, connection, owner, reset, idOf } = one;

/** A run that starts a minute after the last one. */
const run = (connector: Connector = pos, kind: RecordKind = "inventory", options: ReplicateOptions = {}) => {
  clock.advance(60_000);
  return replicate(table(), connection, connector, kind, { clock, ...options });
};
const state = (kind: RecordKind = "inventory") => one.state(kind);
const replication = async (kind: RecordKind) => {
  const intervals = { location: 600, product: 600, customer: 600, inventory: 600, sale: 600 };
  const found = await readReplications(table(), connection.crbId, intervals, clock.now());
  return found.find(({ kind: name }) => kindsByName[name] === kind);
};
const instant = () => clock.now().toISOString();

/** The POS ids of the packages with a quantity above 0. */
async function inStock(list = recordList(connection.crbId, "inventory")): Promise<string[]> {
  const { records } = await readPage(table(), list, { offset: 0, limit: 1_000 });
  const found = records.map((record) => JSON.parse(record));
  return found
    .flatMap(({ name, total_quantity }) => (total_quantity > 0 ? [name.slice("Package ".length)] : []))
    .sort();
}
const atLocation = (posId: string) => inStock(locationInventoryList(connection.crbId, idOf(posId, "location")));

const ids = (count: number, from = 1) => Array.from({ length: count }, (_, i) => String(from + i)).sort();
const put = (...some: string[]) => pos.put(...some.map((id) => stockOf(id, { "101": 5, "102": Number(id) })));
const only = (...some: string[]) => {
  pos.stock.clear();
  put(...some);
};

describe("stock that a pull leaves out", () => {
  test.each([[[]], [["1"]], [["1", "2", "3"]]])(
    "stays if only %j of 8 is reported, until another pull confirms it",
    async (named) => {
      put(...ids(8));
      await run();
      const { data_as_of } = await state();
      only(...named);
      const first = run();
      const since = instant();
      const records = 8 - named.length;
      expect(await first).toMatchObject({ outcome: "finished", changed: 0, unconfirmed: { since, records } });
      expect(await inStock()).toEqual(ids(8));
      expect(await atLocation("101")).toEqual(ids(8));
      expect(await state()).toMatchObject({ since: null, data_as_of, in_stock: 8, succeeded_at: since });
      expect(await replication("inventory")).toMatchObject({
        state: "current",
        awaiting_confirmation: { since_date: since, records },
      });
      const second = await run();
      expect(second).toMatchObject({ outcome: "finished", changed: records });
      expect(second).not.toHaveProperty("unconfirmed");
      expect([await inStock(), await atLocation("101"), await atLocation("102")]).toEqual([named, named, named]);
      const applied = await state();
      // If nothing was reported, the next run reads everything again.
      const next = named.length > 0 ? instant() : null;
      expect(applied).toMatchObject({ since: next, unconfirmed: null, in_stock: named.length });
      expect(Date.parse(applied.data_as_of ?? "")).toBeGreaterThan(Date.parse(data_as_of ?? ""));
      expect(await replication("inventory")).toMatchObject({ awaiting_confirmation: null });
    },
  );

  test("keeps earlier rejected records until a pull without them is confirmed", async () => {
    put(...ids(8));
    pos.unreadable.add("8");
    await run();
    only();
    await run();
    expect(await replication("inventory")).toMatchObject({ rejected_records: 1 });
    await run();
    expect(await replication("inventory")).toMatchObject({ rejected_records: 0 });
  });

  test("is not confirmed by a run that was interrupted and continued", async () => {
    put(...ids(20));
    await run();
    only(...ids(9));
    const begun = run(pos, "inventory", { deadline: clock.now() });
    const since = instant();
    expect(await begun).toMatchObject({ outcome: "unfinished" });
    for (let workers = 2; workers > 0; workers--) {
      expect((await state()).unconfirmed).toBeNull();
      await run(pos, "inventory", { deadline: clock.now() });
    }
    expect(await state()).toMatchObject({ unconfirmed: { since, records: 11 }, started_at: since });
    expect(await inStock()).toEqual(ids(20));
    expect(await run()).toMatchObject({ changed: 11 });
  });

  test("starts from the beginning with a new connection: neither the wait nor the count is kept", async () => {
    put(...ids(8));
    await run();
    only();
    await run();
    await table().transact(await restartWrites(table(), connection.crbId, { isNewSource: true }));
    expect(await state()).toMatchObject({ unconfirmed: null, empty_since: null, in_stock: null });
    expect(await run()).toMatchObject({ changed: 0, unconfirmed: { since: instant(), records: 8 } });
    expect(await inStock()).toEqual(ids(8));
  });

  test("stays if the next pull leaves out other stock, of the same number or more", async () => {
    put(...ids(100));
    await run();
    only(...ids(40));
    expect(await run()).toMatchObject({ changed: 0, unconfirmed: { records: 60 } });
    // 15 of the 60 are missing again.
    only(...ids(45, 41));
    expect(await run()).toMatchObject({ changed: 0, unconfirmed: { records: 55 } });
    expect(await inStock()).toEqual(ids(100));
    only(...ids(44, 41));
    expect(await run()).toMatchObject({ changed: 56 });
    expect(await inStock()).toEqual(ids(44, 41));
  });

  test("keeps waiting if the same connection reads everything again", async () => {
    put(...ids(8));
    await run();
    only();
    await run();
    await table().transact(await restartWrites(table(), connection.crbId, { isFullRead: true }));
    expect(await run()).toMatchObject({ changed: 8 });
  });

  test("goes to 0 at once if the POS type has no inventory", async () => {
    put(...ids(8));
    await run();
    connection.posType = "Sage Intacct";
    const lacking: Connector = { ...pos, verify: async () => [], pull: async () => noRecords({ watermark: "1" }) };
    expect(await run(lacking)).toMatchObject({ changed: 8 });
    expect(await state()).toMatchObject({ since: "1", unconfirmed: null });
  });
});

test("each vanished record is set to 0 once, even if there are more than fit in memory, and no reported record is", async () => {
  put(...ids(8));
  await run();
  const seen = new SeenPositions();
  const items = await table().queryPartition(recordList(connection.crbId, "inventory").pk, { consistent: true });
  for (const { rank } of items.slice(0, 2)) seen.add(rank as string);
  const fence = { key: fenceKey(connection.crbId, "inventory"), number: 1 };
  const context = { table: table(), connection, fence, clock, deadline: undefined, cutOff: undefined };
  for (const maxKeptIds of [0, 3, 6, 7]) {
    const zeroed: string[] = [];
    const found = await findVanished(context, seen, [], maxKeptIds);
    expect(found).toMatchObject({ inStock: 8, vanished: 6 });
    await found.setToZero(async (records) => {
      zeroed.push(...records.map(({ id }) => id));
      return { created: 0, changed: records.length, unchanged: 0, rejected: [], ranks: [] };
    });
    expect(zeroed.sort()).toEqual(items.slice(2).map(({ sk }) => sk));
  }
});

test("nothing waits and nothing goes to 0 if all records change in a run, however stale reads are", async () => {
  for (let seed = 1; seed <= (isThorough ? 5 : 1); seed++) {
    await reset();
    const world = new RealRules({ ...{ seed, start: instant(), tableLag: 1_000, usualLag: 900, stalls: 0, skew: 0 } });
    const ruled = testTableOf(table(), world.clock);
    world.attach(ruled);
    const replicateRuled = () => replicate(ruled, connection, pos, "inventory", { clock: world.clock });
    for (let version = 1; version <= 4; version++) {
      pos.put(...ids(12).map((id) => stockOf(id, { "101": version })));
      const result = await replicateRuled();
      expect(result).toMatchObject({ outcome: "finished", [version === 1 ? "created" : "changed"]: 12 });
      expect(result).not.toHaveProperty("unconfirmed");
    }
    expect(await inStock()).toEqual(ids(12));
  }
});

describe("a first pull without records", () => {
  const kinds = ["customer", "sale"] as const;
  const filled = new ScriptedPos(3);
  filled.put("customer", ...ids(5).map((id) => plainCustomer(id)));
  filled.put("sale", ...ids(5).map((id) => plainSale(id, 0, "2026-02-01T12:00:00.000Z", id)));
  /** The same POS while its pages are empty. A run that continues from its watermark misses all records. */
  const emptied = new ScriptedPos(3);
  emptied.afterPage = (page) => ({ ...page, next: { watermark: "5" } });

  const stored = async (kind: RecordKind) => (await one.records(kind)).length;
  const initialEvents = async () =>
    (await storedEvents(table(), owner)).filter(({ type }) => type === "replication.initial_sync.completed").length;

  test.each(kinds)("skips no %s: the next one reads everything", async (kind) => {
    expect(await run(emptied, kind)).toMatchObject({ read: 0, unconfirmed: { since: instant(), records: 0 } });
    expect(await state(kind)).toMatchObject({ since: null, succeeded_at: instant() });
    expect(await replication(kind)).toMatchObject({
      ...{ state: "initial", data_as_of: null, initial_sync_completed_date: null },
      awaiting_confirmation: { since_date: instant(), records: 0 },
    });
    expect(await initialEvents()).toBe(0);
    expect(await run(filled, kind)).toMatchObject({ created: 5 });
    expect(await stored(kind)).toBe(5);
    expect(await replication(kind)).toMatchObject({ state: "current", awaiting_confirmation: null });
    expect(await state(kind)).toMatchObject({ since: "5", empty_since: null });
    expect(await initialEvents()).toBe(1);
  });

  test.each(kinds)("is confirmed once, by a second pull, and a %s that is added later is not missed", async (kind) => {
    await run(emptied, kind);
    for (let times = 3; times > 0; times--) {
      expect(await run(emptied, kind)).not.toHaveProperty("unconfirmed");
      expect(await replication(kind)).toMatchObject({ state: "current", awaiting_confirmation: null });
      const { since, data_as_of } = await state(kind);
      expect([since, Date.parse(data_as_of ?? "")]).toEqual([null, clock.time - 5_000]);
      expect(await initialEvents()).toBe(1);
    }
    expect(await run(filled, kind)).toMatchObject({ created: 5 });
    expect(await initialEvents()).toBe(1);
  });

  test("changes no stored record if everything is read again, and the next pull reads everything", async () => {
    await run(filled, "customer");
    const { data_as_of } = await state("customer");
    clock.advance(60_000);
    await replicate(table(), connection, emptied, "customer", { clock, isFullRead: true });
    expect(await state("customer")).toMatchObject({ since: null, data_as_of });
    expect(await stored("customer")).toBe(5);
    expect(await run(filled, "customer")).toMatchObject({ read: 5, unchanged: 5 });
  });

  test("needs no confirmation for a kind that the POS type does not have", async () => {
    connection.posType = "Sage Intacct";
    const lacking: Connector = { verify: async () => [], pull: async () => noRecords({ watermark: "1" }) };
    expect(await run(lacking)).not.toHaveProperty("unconfirmed");
    expect(await initialEvents()).toBe(1);
  });
});
