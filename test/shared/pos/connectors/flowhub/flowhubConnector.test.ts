import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { RecordKind } from "../../../../../shared/api/kinds.ts";
import type { Connection, PullPage } from "../../../../../shared/pos/connector.ts";
import { flowhubConnector } from "../../../../../shared/pos/connectors/flowhub/flowhubConnector.ts";
import type { ConnectorOptions } from "../../../../../shared/pos/framework/connectorOptions.ts";
import { systemClock } from "../../../../../shared/time/clock.ts";
import { unplannedRejections } from "../../fakes/expectedRecords.ts";
import { FakeFlowhub, type FlowhubDays } from "../../fakes/fakeFlowhub.ts";
import { connectionTo, PulledRecords } from "../../fakes/pulls.ts";
import { amountsOf, rooms, type ShopSale, smallSize } from "../../fakes/shop.ts";

const day = 24 * 60 * 60_000;
let now: Date;
let pos: FakeFlowhub;
let connection: Connection;
beforeEach(async () => {
  now = new Date("2026-03-10T12:00:00.000Z");
  pos = new FakeFlowhub(1, smallSize, () => now);
  await pos.start();
  connection = connectionTo("Flowhub", pos.credentials, { locationId: "loc-1" });
});
afterEach(() => pos.close());

const connector = (more: Partial<ConnectorOptions> = {}) =>
  flowhubConnector({
    url: pos.url,
    requestsPerSecond: Number.POSITIVE_INFINITY,
    firstPauseMs: 1,
    quietDays: 10,
    clock: { ...systemClock, now: () => now },
    ...more,
  });
const puller = <Kind extends RecordKind>(kind: Kind, store = connection) => new PulledRecords(connector(), store, kind);
const later = (milliseconds: number) => {
  now = new Date(now.getTime() + milliseconds);
  return now;
};

test("a verification returns all stores of the client, each with both ids", async () => {
  expect(await connector().verify(connection)).toEqual([
    { id: "loc-1", otherId: "imp-1", name: "Boulder", address: "412 Pearl Street, Boulder, Colorado 80302" },
    { id: "loc-2", otherId: "imp-2", name: "Denver", address: "412 Pearl Street, Denver, Colorado 80302" },
  ]);
  const byImportId = await puller("sale", { ...connection, locationId: "imp-1" }).pull(now);
  expect(byImportId.records).toEqual((await puller("sale").pull(now)).records);
});

test.each([
  ["bare", (data: unknown) => data],
  ["locations", (data: unknown) => ({ locations: data })],
])("stores may be in another envelope: %s", async (_, envelope) => {
  pos.rewrite = (body, { path }) =>
    path === "/v0/clientsLocations" ? envelope((body as { data: unknown }).data) : body;
  expect(await connector().verify(connection)).toHaveLength(2);
});

test("a pull needs a location", async () => {
  const pull = puller("location", { ...connection, locationId: null }).pull(now);
  await expect(pull).rejects.toMatchObject({ failure: "locationGone" });
});

describe("a store with an unreadable row", () => {
  /** Removes fields from the rows of the stores. */
  const without = (...fields: string[]) => {
    pos.rewrite = (body, { path }) =>
      path === "/v0/clientsLocations"
        ? JSON.parse(JSON.stringify(body, (key, value) => (fields.includes(key) ? undefined : value)))
        : body;
  };

  test.each([["importId"], ["locationId"]])("without %s is not understood, instead of gone", async (field) => {
    without(field);
    const failure = { failure: "notUnderstood", code: "store" };
    await expect(puller("sale").pull(now)).rejects.toMatchObject(failure);
    const named = { ...connection, locationId: field === "importId" ? "loc-1" : "imp-1" };
    await expect(connector().verify(named)).rejects.toMatchObject(failure);
    expect(await connector().verify({ ...connection, locationId: "mistyped" })).toEqual([]);
    await expect(puller("sale", { ...connection, locationId: "imp-1" }).pull(now)).rejects.toMatchObject(failure);
  });

  test("does not affect the other stores", async () => {
    pos.rewrite = (body, { path }) => {
      const [, other] = path === "/v0/clientsLocations" ? (body as { data: [object, object] }).data : [];
      if (other) Object.assign(other, { address: "none" });
      return body;
    };
    expect(await connector().verify(connection)).toMatchObject([{ id: "loc-1" }]);
    expect((await puller("sale").pull(now)).records.size).toBeGreaterThan(0);
    await expect(puller("sale", { ...connection, locationId: "loc-2" }).pull(now)).rejects.toMatchObject({
      failure: "notUnderstood",
    });
    await expect(puller("sale", { ...connection, locationId: "loc-3" }).pull(now)).rejects.toMatchObject({
      failure: "locationGone",
    });
  });
});

describe("a response without a list", () => {
  const empty = (store: RegExp, body: unknown) => {
    pos.rewrite = (good, { path }) => (store.test(path) ? body : good);
  };

  test.each([
    ["no body", undefined],
    ["null", null],
    ["null in its place", { status: 200, data: null, orders: null, locations: null }],
    ["an object", { id: "x" }],
  ])("is not an empty list: %s", async (_, body) => {
    for (const [kind, path, code] of [
      ["inventory", /^\/v0\/locations/, "no_json"],
      ["product", /^\/v0\/locations/, "no_json"],
      ["sale", /^\/v1\/orders/, "envelope"],
      ["customer", /^\/v1\/orders/, "envelope"],
      ["location", /clientsLocations/, "envelope"],
    ] as const) {
      empty(path, body);
      await expect(puller(kind).pull(now)).rejects.toMatchObject({ failure: "notUnderstood", code });
    }
  });

  test.each([
    ["no body", undefined],
    ["null", { customers: null }],
  ])("is an empty list of customers: %s", async (_, body) => {
    empty(/^\/v1\/customers/, body);
    expect((await puller("customer").pull(now)).ids).toEqual([]);
  });
});

test("a store without orders is gone", async () => {
  pos.closed.set("imp-1", 404);
  await expect(puller("sale").pull(now)).rejects.toMatchObject({ failure: "locationGone" });
});

describe("stock", () => {
  const variants = ["InventoryAnalyticsByRooms", "AnalyticsByRooms", "inventoryByRoomsNonZero", "inventoryByRooms"];

  test.each([
    [1, 403],
    [2, 404],
    [3, 401],
  ] as const)("is read from the next source if the first %i are closed (%i)", async (count, status) => {
    const before = await puller("inventory").pull(now);
    for (const name of variants.slice(0, count)) pos.closed.set(name, status);
    const after = await puller("inventory").pull(now);
    expect(after.records).toEqual(before.records);
    expect(after.complete).toBe(true);
  });

  test("has no locations if no source has rooms", async () => {
    for (const name of variants) pos.closed.set(name, 403);
    const { records } = await puller("inventory").pull(now);
    expect(new Set([...records.values()].map(({ location_data }) => location_data))).toEqual(new Set([null]));
    const locations = await puller("location").pull(now);
    expect([...locations.records.values()]).toMatchObject([{ pos_location_id: "loc-1", name: "Boulder" }]);
    pos.closed.set("inventoryNonZero", 403);
    await expect(puller("inventory").pull(now)).rejects.toMatchObject({ failure: "notPermitted" });
  });

  test("is read at once from the source that worked last time", async () => {
    pos.closed.set("InventoryAnalyticsByRooms", 403);
    const pulled = puller("inventory");
    await pulled.pull(now);
    await pulled.pull(later(1));
    expect(pos.requestsFor(/InventoryAnalyticsByRooms/)).toHaveLength(1);
    expect(pos.requestsFor(/\/AnalyticsByRooms/)).toHaveLength(2);
  });

  test("includes products without stock, from a list that may be closed", async () => {
    const all = await puller("product").pull(now);
    expect(all.records.size).toBe(smallSize.products);
    pos.closed.set("inventory", 403);
    const stocked = new Set(pos.shop.packages.map(({ product }) => product));
    expect((await puller("product").pull(now)).records.size).toBe(stocked.size);
  });

  test.each([
    ["is unreadable", "sku", {}, undefined],
    ["has no amount", "quantity", null, "no_quantity"],
  ])("of a package stays as it is if one of its rooms %s", async (_, field, broken, reason) => {
    const pulled = puller("inventory");
    const before = new Map((await pulled.pull(now)).records);
    const [one, other] = pos.shop.packages;
    if (!one || !other) throw new Error("an empty shop");
    for (const { quantities } of [one, other]) for (const room of quantities.keys()) quantities.set(room, 77);
    pos.rewrite = (body, { path }) => {
      if (!path.endsWith("ByRooms")) return body;
      const { data } = body as { data: Record<string, unknown>[] };
      Object.assign(data.find(({ productId }) => productId === one.uuid) ?? {}, { [field]: broken });
      return body;
    };
    await pulled.pull(later(1));
    const [key, otherKey] = [one, other].map(({ uuid, tag }) => `${uuid}:${tag}`);
    expect(pulled.rejected).toMatchObject([{ posId: key, field, ...(reason && { reason }) }]);
    expect(pulled.complete).toBe(true);
    expect(pulled.records.get(key ?? "")).toEqual(before.get(key ?? ""));
    expect(pulled.records.get(otherKey ?? "")).toMatchObject({ total_quantity: 154 });
  });

  test.each([
    ["regulatoryId", {}],
    ["sku", {}],
    ["productId", null],
  ])("with a row that has an unreadable %s may be of any package, so nothing has vanished", async (field, broken) => {
    pos.rewrite = (body, { path }) => {
      if (!path.endsWith("ByRooms")) return body;
      const [row] = (body as { data: Record<string, unknown>[] }).data;
      Object.assign(row ?? {}, { regulatoryId: "N/A", [field]: broken });
      return body;
    };
    const pulled = puller("inventory");
    await pulled.pull(now);
    expect(pulled.rejected).toMatchObject([{ posId: "", field }]);
    expect(pulled.complete).toBe(false);
  });

  test("of an unreadable package without a tag has its SKU as id", async () => {
    let sku: unknown;
    pos.rewrite = (body, { path }) => {
      if (!path.endsWith("ByRooms")) return body;
      const [row] = (body as { data: Record<string, unknown>[] }).data;
      sku = `${row?.productId}:${row?.sku}`;
      Object.assign(row ?? {}, { regulatoryId: "N/A", category: {} });
      return body;
    };
    const pulled = puller("inventory");
    await pulled.pull(now);
    expect(pulled.rejected).toMatchObject([{ posId: sku, field: "category" }]);
  });

  test("is unreachable if one source has an outage, and no other source is tried", async () => {
    pos.faults = ({ path }) => (path.endsWith("InventoryAnalyticsByRooms") ? { kind: "cut" } : undefined);
    await expect(puller("inventory").pull(now)).rejects.toMatchObject({ failure: "unreachable" });
  });
});

describe("rows of other stores", () => {
  const other = () => pos.stores[1] as FakeFlowhub["stores"][number];

  /** Gives the other store a package with the product and the tag of one in the connection's store. */
  const shareProduct = () => {
    const [own] = pos.shop.packages;
    if (!own) throw new Error("an empty shop");
    const product = { ...own.product, name: "Of another store", changedAt: now.getTime() + 1000 };
    other().shop.packages.push({
      ...own,
      product,
      quantities: new Map([...own.quantities].map(([room]) => [room, 900])),
    });
    return own;
  };

  test("are dropped and counted in lists of stock", async () => {
    const shared = shareProduct();
    const foreignRows = other().shop.packages.length * rooms.length;
    const inventory = await puller("inventory").pull(now);
    expect(inventory.ids).toEqual(pos.shop.packages.map(({ uuid, tag }) => `${uuid}:${tag}`).sort());
    const total_quantity = [...shared.quantities.values()].reduce((sum, quantity) => sum + quantity, 0);
    expect(inventory.records.get(`${shared.uuid}:${shared.tag}`)).toMatchObject({ total_quantity });
    expect([inventory.foreign, inventory.complete]).toEqual([foreignRows, true]);
    const locations = await puller("location").pull(now);
    expect(locations.ids).toEqual(rooms.map(({ uuid }) => uuid));
    expect(locations.foreign).toBe(foreignRows);
    const products = await puller("product").pull(now);
    expect(products.ids).toEqual(pos.shop.products.map(({ uuid }) => uuid).sort());
    expect(products.records.get(shared.product.uuid)?.name).toBe(shared.product.name);
    expect(products.foreign).toBeGreaterThan(0);
  });

  test("are counted once if several processes read the list, or a response is interrupted", async () => {
    const foreignRows = other().shop.packages.length * rooms.length;
    let hasFailed = false;
    pos.faults = ({ path }) => {
      if (hasFailed || !path.endsWith("ByRooms")) return undefined;
      hasFailed = true;
      return { kind: "cutHalfway" };
    };
    let [position, foreign, pages]: [string | null, number, number] = [null, 0, 0];
    do {
      const request = { kind: "inventory", since: null, position, now } as const;
      const page: PullPage<"inventory"> = await connector({ listPageSize: 7 }).pull(connection, request);
      foreign += page.foreign ?? 0;
      pages++;
      position = "position" in page.next ? page.next.position : null;
    } while (position !== null);
    expect([foreign, pages]).toEqual([foreignRows, Math.ceil(smallSize.packages / 7)]);
  });

  test("may be the whole list: then the store has nothing", async () => {
    pos.shop.packages.length = 0;
    pos.shop.products.length = 0;
    for (const kind of ["inventory", "product"] as const) {
      const pulled = await puller<RecordKind>(kind).pull(now);
      expect([pulled.ids, pulled.readAll]).toEqual([[], true]);
      expect(pulled.foreign).toBeGreaterThan(0);
    }
    expect((await puller("inventory").pull(now)).complete).toBe(true);
    expect((await puller("location").pull(now)).ids).toEqual(["loc-1"]);
  });

  test("are not rejected if they are unreadable", async () => {
    pos.rewrite = (body) =>
      JSON.parse(JSON.stringify(body), (_, value) =>
        [other().locationId, other().importId].includes(value?.locationId)
          ? { locationId: value.locationId, id: {}, productId: {} }
          : value,
      );
    for (const kind of ["location", "product", "inventory", "sale"] as const) {
      const pulled = await puller<RecordKind>(kind).pull(now);
      expect(unplannedRejections(pulled.rejected)).toEqual([]);
      expect(pulled.foreign).toBeGreaterThan(0);
    }
  });

  test("are rejected if their store is unreadable", async () => {
    const [stock, sale] = [pos.shop.packages[0], pos.shop.sell(now.getTime() - 60_000)];
    const ids = [stock?.uuid, sale.uuid];
    pos.rewrite = (body) =>
      JSON.parse(JSON.stringify(body), (_, value) =>
        ids.includes(value?.productId) || ids.includes(value?.id) ? { ...value, locationId: {} } : value,
      );
    for (const kind of ["inventory", "sale"] as const) {
      const { rejected } = await puller<RecordKind>(kind).pull(now);
      expect(unplannedRejections(rejected)).toContainEqual(expect.objectContaining({ field: "locationId" }));
    }
  });

  test("are dropped and counted among orders", async () => {
    const pulled = await puller("sale").pull(now);
    const foreign = other().shop.sales.filter(({ kind }) => kind === "retail");
    for (const { uuid } of foreign) expect(pulled.records.has(uuid)).toBe(false);
    expect(pulled.foreign).toBeGreaterThanOrEqual(foreign.length);
    const { uuid } = other().shop.sell(later(60_000).getTime() - 1000);
    await pulled.pull(now);
    expect(pulled.records.has(uuid)).toBe(false);
    expect(pulled.foreign).toBeGreaterThan(0);
  });

  test("do not lead to customers of this store, at first or later", async () => {
    const pulled = await puller("customer").pull(now);
    expect(pulled.foreign).toBeGreaterThan(0);
    const otherCustomers = other().shop.sales.flatMap(({ customer }) => customer?.uuid ?? []);
    const newcomer = other().shop.addCustomer(later(60_000).getTime());
    other().shop.sell(now.getTime()).customer = newcomer;
    await pulled.pull(later(60_000));
    for (const uuid of [...otherCustomers, newcomer.uuid]) expect(pulled.records.has(uuid)).toBe(false);
    expect(pos.requestsFor(/^\/v1\/customers\/./)).toEqual([]);
  });
});

describe("customers", () => {
  const buyers = () =>
    new Set(pos.shop.sales.flatMap(({ customer, kind }) => (customer && kind === "retail" ? [customer.uuid] : [])));

  test("who never bought anything, or are of other stores, are not stored", async () => {
    pos.shop.addCustomer();
    const pulled = await puller("customer").pull(now);
    expect(new Set(pulled.ids)).toEqual(buyers());
    for (const { uuid } of pos.stores[1]?.shop.customers ?? []) expect(pulled.records.has(uuid)).toBe(false);
  });

  test("are stored with their first order, and with each change from then on", async () => {
    const pulled = await puller("customer").pull(now);
    const newcomer = pos.shop.addCustomer(later(day).getTime() - 90 * day);
    await pulled.pull(later(1));
    expect(pulled.records.has(newcomer.uuid)).toBe(false);
    pos.shop.sell(later(60_000).getTime()).customer = newcomer;
    await pulled.pull(later(1));
    expect(pulled.records.get(newcomer.uuid)).toMatchObject({ address_1: newcomer.street });
    pos.shop.changeCustomer(newcomer);
    await pulled.pull(later(10 * day));
    expect(pulled.records.get(newcomer.uuid)).toMatchObject({ address_1: newcomer.street });
  });

  test("who are stored are not read by id again", async () => {
    const pulled = await puller("customer").pull(now);
    await pulled.pull(later(60_000));
    expect(pos.requestsFor(/^\/v1\/customers\/./)).toEqual([]);
  });

  test.each(["data", "customers", "none"] as const)("may be listed in the envelope: %s", async (envelope) => {
    pos.customerEnvelope = envelope;
    expect(new Set((await puller("customer").pull(now)).ids)).toEqual(buyers());
  });

  test("not found by id are left out, and those with an id that is not a path segment are rejected", async () => {
    const pulled = await puller("customer").pull(now);
    later(day);
    const [one, other] = [pos.shop.sell(), pos.shop.sell()].map((sale) =>
      Object.assign(sale, { customer: pos.shop.addCustomer() }),
    );
    if (!one?.customer || !other?.customer) throw new Error("no customer");
    const gone = one.customer.uuid;
    pos.closed.set(gone, 404);
    pos.rewrite = (body, { path }) =>
      path.startsWith("/v1/orders")
        ? JSON.parse(JSON.stringify(body).replaceAll(other.customer?.uuid ?? "", "../whoami"))
        : body;
    await pulled.pull(later(1));
    expect(pulled.records.has(gone)).toBe(false);
    expect(pulled.rejected).toContainEqual({ posId: "../whoami", field: "customerId", reason: "invalid_id" });
    expect(pos.requests.some(({ path }) => path.includes("whoami"))).toBe(false);
  });

  test("who were rejected are stored once they are fixed", async () => {
    const pulled = await puller("customer").pull(now);
    const [fixed] = pos.shop.customers.filter(({ uuid }) => pulled.records.has(uuid));
    if (!fixed) throw new Error("no customer");
    pulled.records.delete(fixed.uuid);
    later(20 * day);
    pos.shop.changeCustomer(fixed);
    const request = { kind: "customer", since: pulled.watermark, position: null, now } as const;
    const others = {
      known: async () => new Set<string>(),
      isRejected: (id: string) => id === fixed.uuid,
    };
    const one = connector();
    const orders = await one.pull(connection, { ...request, ...others });
    if (!("position" in orders.next)) throw new Error("no changes");
    const { records } = await one.pull(connection, { ...request, ...others, position: orders.next.position });
    expect(records).toMatchObject([{ pos_customer_id: fixed.uuid, address_1: fixed.street }]);
  });

  test("are read by id until the deadline, at least one per page, and by the next process", async () => {
    const pulled = await puller("customer").pull(now);
    const newcomers = Array.from({ length: 5 }, () => pos.shop.addCustomer());
    for (const customer of newcomers) pos.shop.sell(later(1000).getTime()).customer = customer;
    const single = /^\/v1\/customers\/./;
    const deadline = new Date(later(1000).getTime() + 2500);
    pos.beforeAnswer = ({ path }) => {
      if (single.test(path)) now = new Date(now.getTime() + 1000);
    };
    const request = { kind: "customer", since: pulled.watermark, now } as const;
    let position: string | null = null;
    const read: number[] = [];
    for (;;) {
      const known = async (ids: readonly string[]) => new Set(ids.filter((id) => pulled.records.has(id)));
      const { length } = pos.requestsFor(single);
      const page: PullPage<"customer"> = await connector().pull(connection, { ...request, position, known, deadline });
      pulled.take(page);
      read.push(pos.requestsFor(single).length - length);
      if ("watermark" in page.next) break;
      position = page.next.position;
    }
    const pagesOfChanges = read.slice(3).map(() => 0);
    expect(read).toEqual([3, 1, 1, ...pagesOfChanges]);
    for (const { uuid } of newcomers) expect(pulled.records.has(uuid)).toBe(true);
    expect(pos.requestsFor(/^\/v1\/orders/).filter(({ query }) => query.get("page_size") === "100")).toHaveLength(1);
  });

  test("are read by id if the process that read the orders has ended", async () => {
    let position: string | null = null;
    const pulled = puller("customer");
    for (let pages = 0; ; pages++) {
      const known = async (ids: readonly string[]) => new Set(ids.filter((id) => pulled.records.has(id)));
      const page: PullPage<"customer"> = await connector().pull(connection, {
        kind: "customer",
        since: null,
        position,
        now,
        known,
      });
      pulled.take(page);
      if ("watermark" in page.next) break;
      position = page.next.position;
      expect(pages).toBeLessThan(30);
    }
    expect(new Set(pulled.ids)).toEqual(buyers());
    expect(pos.requestsFor(/^\/v1\/customers\/./)).toHaveLength(buyers().size);
  });
});

describe("sales", () => {
  const recent = () =>
    pos.shop.sales.findLast(
      ({ status, kind, original }) => status === "sold" && kind === "retail" && !original,
    ) as ShopSale;

  test("are requested by day, 500 per page", async () => {
    await puller("sale").pull(now);
    const pages = pos.requestsFor(/orders/).filter(({ query }) => query.get("page_size") !== "1");
    for (const { query } of pages) {
      expect(query.get("created_after")).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(query.get("created_before")).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(query.get("page_size")).toBe("500");
    }
  });

  test.each<FlowhubDays>(["midnights in UTC", "days in UTC", "days of the store"])(
    "of the evening west of UTC are read in the same pull if days are %s",
    async (days) => {
      pos.days = days;
      // Late in the evening of March 9 in the store's time zone, and already March 10 in UTC.
      now = new Date("2026-03-10T05:00:00.000Z");
      const evening = pos.shop.sell(now.getTime() - 30 * 60_000);
      const pulled = puller("sale");
      await pulled.pull(now);
      expect(pulled.records.has(evening.uuid)).toBe(true);
      const next = pos.shop.sell(later(10 * 60_000).getTime() - 60_000);
      await pulled.pull(now);
      expect(pulled.records.has(next.uuid)).toBe(true);
      const buyers = await puller("customer").pull(now);
      for (const { customer } of [evening, next])
        expect(customer === null || buyers.records.has(customer.uuid)).toBe(true);
    },
  );

  test("are read to the end of a list without `total`", async () => {
    const { records } = await puller("sale").pull(now);
    pos.hasTotals = false;
    expect((await puller("sale").pull(now)).records).toEqual(records);
  });

  test("with an unknown status are rejected until the status is known", async () => {
    const open = pos.shop.sell(now.getTime() - 60_000);
    let orderStatus: unknown = "In Fulfillment";
    pos.rewrite = (body) =>
      JSON.parse(JSON.stringify(body), (_, value) => (value?.id === open.uuid ? { ...value, orderStatus } : value));
    const rejection = { posId: open.uuid, field: "orderStatus", reason: "unknown_status" };
    const pulled = await puller("sale").pull(now);
    expect(pulled.rejected).toContainEqual(rejection);
    expect(pulled.records.has(open.uuid)).toBe(false);
    orderStatus = null;
    expect((await puller("sale").pull(now)).rejected).toContainEqual(rejection);
    orderStatus = "PENDING";
    const pending = await puller("sale").pull(now);
    expect(pending.rejected).not.toContainEqual(rejection);
    expect(pending.records.has(open.uuid)).toBe(false);
    orderStatus = "sOLD";
    expect((await puller("sale").pull(now)).records.has(open.uuid)).toBe(true);
  });

  test("that are voided keep the status `sold` and become adjustments", async () => {
    const sale = recent();
    pos.shop.voidSale(sale);
    const { records } = await puller("sale").pull(now);
    expect(records.get(sale.uuid)).toMatchObject({ transaction_type: "adjustment", total_paid: 0 });
  });

  test("that are canceled after they were stored are voided, and others are never read", async () => {
    const pulled = puller("sale");
    const before = pos.shop.sell(now.getTime() - 60_000);
    pos.shop.cancelSale(pos.shop.sell(now.getTime() - 60_000));
    await pulled.pull(now);
    const { size } = pulled.records;
    pos.shop.cancelSale(before);
    await pulled.pull(later(60_000));
    expect(pulled.records.size).toBe(size);
    expect(pulled.records.get(before.uuid)).toMatchObject({ transaction_type: "adjustment", total_paid: 0 });
  });

  test("of the last days are read again at each pull, and those of the last weeks at night", async () => {
    const pulled = puller("sale");
    await pulled.pull(now);
    const [old, young] = [pos.shop.sell(now.getTime() - 20 * day), pos.shop.sell(now.getTime() - 2 * day)];
    await pulled.pull(later(60_000));
    expect([pulled.records.has(old.uuid), pulled.records.has(young.uuid)]).toEqual([false, true]);
    await pulled.pull(later(day));
    expect(pulled.records.has(old.uuid)).toBe(true);
    const { read } = await pulled.pull(later(60_000));
    expect(read).toBeLessThan(pulled.records.size / 2);
  });

  test("that were voided long after are found in the night in which their month is read again, newest month first", async () => {
    const pulled = puller("sale");
    const old = [45, 75, 105].map((days) => pos.shop.sell(now.getTime() - days * day));
    await pulled.pull(now);
    // The history ends after ten days without sales. Everything before is read only month by month.
    for (const sale of old) pulled.records.set(sale.uuid, { transaction_type: "sale" } as never);
    for (const sale of old) pos.shop.voidSale(sale);
    const voids = () => old.map(({ uuid }) => pulled.records.get(uuid)?.transaction_type === "adjustment");
    await pulled.pull(later(60_000));
    expect(voids()).toEqual([false, false, false]);
    for (let nights = 1; nights <= 3; nights++) {
      await pulled.pull(later(day));
      expect(voids()).toEqual(old.map((_, at) => at < nights));
    }
    const again = pos.shop.sell(now.getTime() - 45 * day);
    await pulled.pull(later(day));
    expect(pulled.records.has(again.uuid)).toBe(false);
    await pulled.pull(later(day));
    expect(pulled.records.has(again.uuid)).toBe(true);
  });

  /** Changes the amounts of orders, except those in pennies by name. */
  const rewriteMoney = (change: (amount: number) => number) => {
    const names = /^(FinalTotal|SubTotal|TotalDiscounts|TotalFees|TotalTaxes|unitPrice|totalPrice|amount)$/;
    pos.rewrite = (body, { path }) =>
      path.includes("orders")
        ? JSON.parse(JSON.stringify(body), (key, value) => (names.test(key) ? change(value) : value))
        : body;
  };

  test("with an unclear unit are rejected until it is clear", async () => {
    const unclear = pos.shop.sell(now.getTime() - 60_000);
    pos.rewrite = (body) =>
      JSON.parse(JSON.stringify(body), (_, value) =>
        value?.id === unclear.uuid
          ? { ...value, payments: [{ paymentType: "cash", amount: value.totals.FinalTotal * 100 }] }
          : value,
      );
    const pulled = await puller("sale").pull(now);
    expect(unplannedRejections(pulled.rejected)).toEqual([
      { posId: unclear.uuid, field: "totals", reason: "unclear_unit" },
    ]);
    expect(pulled.records.has(unclear.uuid)).toBe(false);
    pos.rewrite = (body) => body;
    expect((await puller("sale").pull(now)).records.has(unclear.uuid)).toBe(true);
  });

  test.each(["dollars", "cents"])("have the same amounts if orders are in %s", async (unit) => {
    if (unit === "cents") rewriteMoney((amount) => Math.round(amount * 100));
    const { records } = await puller("sale").pull(now);
    for (const sale of pos.shop.sales) {
      const record = records.get(sale.uuid);
      if (record?.transaction_type !== "sale") continue;
      expect(record.line_items.map(({ price_per_unit }) => price_per_unit)).toEqual(
        sale.lines.map(({ price }) => price),
      );
      expect(record.payments[0]?.amount_paid).toBe(record.total_paid);
      expect(record.total_paid).toBe(amountsOf(sale).total);
    }
    expect(recent()).toBeDefined();
  });
});
