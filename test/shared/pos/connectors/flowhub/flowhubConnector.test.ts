import { describe, expect, test } from "vitest";
import type { RecordKind } from "../../../../../shared/api/kinds.ts";
import { unplannedRejections } from "../../fakes/expectedRecords.ts";
import type { FakeFlowhub, FlowhubDays } from "../../fakes/fakeFlowhub.ts";
import { FakePosUnderTest } from "../../fakes/fakePosUnderTest.ts";
import { amountsOf, rooms, type ShopSale, smallSize } from "../../fakes/shop.ts";

const dayMs = 24 * 60 * 60_000;
const day = 24 * 60;
const fake = new FakePosUnderTest("flowhub", "2026-03-10T12:00:00.000Z");
const flowhub = () => fake.pos.server as FakeFlowhub;
const stores = "/v0/clientsLocations";
type Stock = { data: Record<string, unknown>[] };

test("a verification returns all stores of the client, each with both ids", async () => {
  expect(await fake.verify()).toEqual([
    { id: "loc-1", otherId: "imp-1", name: "Boulder", address: "412 Pearl Street, Boulder, Colorado 80302" },
    { id: "loc-2", otherId: "imp-2", name: "Denver", address: "412 Pearl Street, Denver, Colorado 80302" },
  ]);
  const byImportId = await fake.pull("sale", { locationId: "imp-1" });
  expect(byImportId.records).toEqual(await fake.afresh("sale"));
});

test.each([
  ["bare", ({ data }: { data: unknown }) => data],
  ["locations", ({ data }: { data: unknown }) => ({ locations: data })],
])("stores may be in another envelope: %s", async (_, change) => {
  flowhub().rewriteAt(stores, change);
  expect(await fake.verify()).toHaveLength(2);
});

test("a pull needs a location", async () => {
  await expect(fake.pull("location", { locationId: null })).rejects.toMatchObject({ failure: "locationGone" });
});

describe("a store with an unreadable row", () => {
  /** Removes fields from the rows of the stores. */
  const without = (...fields: string[]) => {
    flowhub().rewriteAt(stores, (body) =>
      JSON.parse(JSON.stringify(body, (key, value) => (fields.includes(key) ? undefined : value))),
    );
  };

  test.each([["importId"], ["locationId"]])("without %s is not understood, instead of gone", async (field) => {
    without(field);
    const failure = { failure: "notUnderstood", code: "store" };
    await expect(fake.pull("sale")).rejects.toMatchObject(failure);
    const locationId = field === "importId" ? "loc-1" : "imp-1";
    await expect(fake.verify({ locationId })).rejects.toMatchObject(failure);
    expect(await fake.verify({ locationId: "mistyped" })).toEqual([]);
    await expect(fake.pull("sale", { locationId: "imp-1" })).rejects.toMatchObject(failure);
  });

  test("does not affect the other stores", async () => {
    flowhub().rewriteAt<{ data: object[] }>(stores, ({ data: [own, other] }) => [own, { ...other, address: "none" }]);
    expect(await fake.verify()).toMatchObject([{ id: "loc-1" }]);
    expect((await fake.afresh("sale")).size).toBeGreaterThan(0);
    for (const [locationId, failure] of [
      ["loc-2", "notUnderstood"],
      ["loc-3", "locationGone"],
    ] as const) {
      await expect(fake.pull("sale", { locationId })).rejects.toMatchObject({ failure });
    }
  });
});

describe("a response without a list", () => {
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
      flowhub().rewriteAt(path, () => body);
      await expect(fake.pull(kind)).rejects.toMatchObject({ failure: "notUnderstood", code });
    }
  });

  test.each([
    ["no body", undefined],
    ["null", { customers: null }],
  ])("is an empty list of customers: %s", async (_, body) => {
    flowhub().rewriteAt(/^\/v1\/customers/, () => body);
    expect((await fake.pull("customer")).ids).toEqual([]);
  });
});

test("a store without orders is gone", async () => {
  flowhub().closed.set("imp-1", 404);
  await expect(fake.pull("sale")).rejects.toMatchObject({ failure: "locationGone" });
});

describe("stock", () => {
  const variants = ["InventoryAnalyticsByRooms", "AnalyticsByRooms", "inventoryByRoomsNonZero", "inventoryByRooms"];

  test.each([
    [1, 403],
    [2, 404],
    [3, 401],
  ] as const)("is read from the next source if the first %i are closed (%i)", async (count, status) => {
    const before = await fake.pull("inventory");
    for (const name of variants.slice(0, count)) flowhub().closed.set(name, status);
    const after = await fake.pull("inventory");
    expect(after.records).toEqual(before.records);
    expect(after.complete).toBe(true);
  });

  test("has no locations if no source has rooms", async () => {
    for (const name of variants) flowhub().closed.set(name, 403);
    const { records } = await fake.pull("inventory");
    expect(new Set([...records.values()].map(({ location_data }) => location_data))).toEqual(new Set([null]));
    const locations = await fake.pull("location");
    expect([...locations.records.values()]).toMatchObject([{ pos_location_id: "loc-1", name: "Boulder" }]);
    flowhub().closed.set("inventoryNonZero", 403);
    await expect(fake.pull("inventory")).rejects.toMatchObject({ failure: "notPermitted" });
  });

  test("is read at once from the source that worked last time", async () => {
    flowhub().closed.set("InventoryAnalyticsByRooms", 403);
    const pulled = fake.puller("inventory");
    await pulled.pull(fake.now);
    await pulled.pull(fake.later(1));
    expect(flowhub().requestsFor(/InventoryAnalyticsByRooms/)).toHaveLength(1);
    expect(flowhub().requestsFor(/\/AnalyticsByRooms/)).toHaveLength(2);
  });

  test("includes products without stock, from a list that may be closed", async () => {
    const all = await fake.pull("product");
    expect(all.records.size).toBe(smallSize.products);
    flowhub().closed.set("inventory", 403);
    const stocked = new Set(fake.pos.shop.packages.map(({ product }) => product));
    expect((await fake.pull("product")).records.size).toBe(stocked.size);
  });

  test.each([
    ["is unreadable", "sku", {}, undefined],
    ["has no amount", "quantity", null, "no_quantity"],
  ])("of a package stays as it is if one of its rooms %s", async (_, field, broken, reason) => {
    const pulled = fake.puller("inventory");
    const before = new Map((await pulled.pull(fake.now)).records);
    const [one, other] = fake.pos.shop.packages;
    if (!one || !other) throw new Error("an empty shop");
    for (const { quantities } of [one, other]) for (const room of quantities.keys()) quantities.set(room, 77);
    flowhub().rewriteAt<Stock>(/ByRooms$/, (body) => {
      Object.assign(body.data.find(({ productId }) => productId === one.uuid) ?? {}, { [field]: broken });
      return body;
    });
    await pulled.pull(fake.later(1));
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
    flowhub().rewriteAt<Stock>(/ByRooms$/, ({ data: [first, ...data] }) => ({
      data: [{ ...first, regulatoryId: "N/A", [field]: broken }, ...data],
    }));
    const pulled = await fake.pull("inventory");
    expect(pulled.rejected).toMatchObject([{ posId: "", field }]);
    expect(pulled.complete).toBe(false);
  });

  test("of an unreadable package without a tag has its SKU as id", async () => {
    let sku: unknown;
    flowhub().rewriteAt<Stock>(/ByRooms$/, ({ data: [first, ...data] }) => {
      sku = `${first?.productId}:${first?.sku}`;
      return { data: [{ ...first, regulatoryId: "N/A", category: {} }, ...data] };
    });
    const pulled = await fake.pull("inventory");
    expect(pulled.rejected).toMatchObject([{ posId: sku, field: "category" }]);
  });

  test("is unreachable if one source has an outage, and no other source is tried", async () => {
    flowhub().respond(/InventoryAnalyticsByRooms$/, { status: 503 });
    await expect(fake.pull("inventory")).rejects.toMatchObject({ failure: "unreachable" });
  });
});

describe("rows of other stores", () => {
  const other = () => flowhub().stores[1] as FakeFlowhub["stores"][number];

  /** Gives the other store a package with the product and the tag of one in the connection's store. */
  const shareProduct = () => {
    const [own] = fake.pos.shop.packages;
    if (!own) throw new Error("an empty shop");
    const product = { ...own.product, name: "Of another store", changedAt: fake.now.getTime() + 1000 };
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
    const inventory = await fake.pull("inventory");
    expect(inventory.ids).toEqual(fake.pos.shop.packages.map(({ uuid, tag }) => `${uuid}:${tag}`).sort());
    const total_quantity = [...shared.quantities.values()].reduce((sum, quantity) => sum + quantity, 0);
    expect(inventory.records.get(`${shared.uuid}:${shared.tag}`)).toMatchObject({ total_quantity });
    expect([inventory.foreign, inventory.complete]).toEqual([foreignRows, true]);
    const locations = await fake.pull("location");
    expect(locations.ids).toEqual(rooms.map(({ uuid }) => uuid));
    expect(locations.foreign).toBe(foreignRows);
    const products = await fake.pull("product");
    expect(products.ids).toEqual(fake.pos.shop.products.map(({ uuid }) => uuid).sort());
    expect(products.records.get(shared.product.uuid)?.name).toBe(shared.product.name);
    expect(products.foreign).toBeGreaterThan(0);
  });

  test("are counted once if several processes read the list", async () => {
    const foreignRows = other().shop.packages.length * rooms.length;
    const pages = await Array.fromAsync(fake.pages("inventory", {}, { listPageSize: 7 }));
    expect(pages).toHaveLength(Math.ceil(smallSize.packages / 7));
    expect(pages.reduce((sum, { foreign = 0 }) => sum + foreign, 0)).toBe(foreignRows);
  });

  test("may be the whole list: then the store has nothing", async () => {
    fake.pos.shop.packages.length = 0;
    fake.pos.shop.products.length = 0;
    for (const kind of ["inventory", "product"] as const) {
      const pulled = await fake.pull<RecordKind>(kind);
      expect([pulled.ids, pulled.readAll]).toEqual([[], true]);
      expect(pulled.foreign).toBeGreaterThan(0);
    }
    expect((await fake.pull("inventory")).complete).toBe(true);
    expect((await fake.pull("location")).ids).toEqual(["loc-1"]);
  });

  test("are not rejected if they are unreadable", async () => {
    flowhub().rewrite = (body) =>
      JSON.parse(JSON.stringify(body), (_, value) =>
        [other().locationId, other().importId].includes(value?.locationId)
          ? { locationId: value.locationId, id: {}, productId: {} }
          : value,
      );
    for (const kind of ["location", "product", "inventory", "sale"] as const) {
      const pulled = await fake.pull<RecordKind>(kind);
      expect(unplannedRejections(pulled.rejected)).toEqual([]);
      expect(pulled.foreign).toBeGreaterThan(0);
    }
  });

  test("are rejected if their store is unreadable", async () => {
    const [stock, sale] = [fake.pos.shop.packages[0], fake.pos.shop.sell(fake.now.getTime() - 60_000)];
    const ids = [stock?.uuid, sale.uuid];
    flowhub().rewrite = (body) =>
      JSON.parse(JSON.stringify(body), (_, value) =>
        ids.includes(value?.productId) || ids.includes(value?.id) ? { ...value, locationId: {} } : value,
      );
    for (const kind of ["inventory", "sale"] as const) {
      const { rejected } = await fake.pull<RecordKind>(kind);
      expect(unplannedRejections(rejected)).toContainEqual(expect.objectContaining({ field: "locationId" }));
    }
  });

  test("do not lead to customers of this store, at first or later", async () => {
    const pulled = await fake.pull("customer");
    expect(pulled.foreign).toBeGreaterThan(0);
    const otherCustomers = other().shop.sales.flatMap(({ customer }) => customer?.uuid ?? []);
    const newcomer = other().shop.addCustomer(fake.later(1).getTime());
    other().shop.sell(fake.now.getTime()).customer = newcomer;
    await pulled.pull(fake.later(1));
    for (const uuid of [...otherCustomers, newcomer.uuid]) expect(pulled.records.has(uuid)).toBe(false);
    expect(flowhub().requestsFor(/^\/v1\/customers\/./)).toEqual([]);
  });
});

describe("customers", () => {
  const buyers = () =>
    new Set(
      fake.pos.shop.sales.flatMap(({ customer, kind }) => (customer && kind === "retail" ? [customer.uuid] : [])),
    );

  test("are stored with their first order, and with each change from then on", async () => {
    const pulled = await fake.pull("customer");
    const newcomer = fake.pos.shop.addCustomer(fake.later(day).getTime() - 90 * dayMs);
    await pulled.pull(fake.later(1));
    expect(pulled.records.has(newcomer.uuid)).toBe(false);
    fake.pos.shop.sell(fake.later(1).getTime()).customer = newcomer;
    await pulled.pull(fake.later(1));
    expect(pulled.records.get(newcomer.uuid)).toMatchObject({ address_1: newcomer.street });
    fake.pos.shop.changeCustomer(newcomer);
    await pulled.pull(fake.later(10 * day));
    expect(pulled.records.get(newcomer.uuid)).toMatchObject({ address_1: newcomer.street });
  });

  test("who are stored are not read by id again", async () => {
    const pulled = await fake.pull("customer");
    await pulled.pull(fake.later(1));
    expect(flowhub().requestsFor(/^\/v1\/customers\/./)).toEqual([]);
  });

  test.each(["data", "customers", "none"] as const)("may be listed in the envelope: %s", async (envelope) => {
    flowhub().customerEnvelope = envelope;
    expect(new Set((await fake.pull("customer")).ids)).toEqual(buyers());
  });

  test("not found by id are left out, and those with an id that is not a path segment are rejected", async () => {
    const pulled = await fake.pull("customer");
    fake.later(day);
    const [one, other] = [fake.pos.shop.sell(), fake.pos.shop.sell()].map((sale) =>
      Object.assign(sale, { customer: fake.pos.shop.addCustomer() }),
    );
    if (!one?.customer || !other?.customer) throw new Error("no customer");
    const gone = one.customer.uuid;
    flowhub().closed.set(gone, 404);
    flowhub().rewriteAt(/orders/, (body) =>
      JSON.parse(JSON.stringify(body).replaceAll(other.customer?.uuid ?? "", "../whoami")),
    );
    await pulled.pull(fake.later(1));
    expect(pulled.records.has(gone)).toBe(false);
    expect(pulled.rejected).toContainEqual({ posId: "../whoami", field: "customerId", reason: "invalid_id" });
    expect(flowhub().requests.some(({ path }) => path.includes("whoami"))).toBe(false);
  });

  test("who were rejected are stored once they are fixed", async () => {
    const pulled = await fake.pull("customer");
    const [fixed] = fake.pos.shop.customers.filter(({ uuid }) => pulled.records.has(uuid));
    if (!fixed) throw new Error("no customer");
    pulled.records.delete(fixed.uuid);
    fake.later(20 * day);
    fake.pos.shop.changeCustomer(fixed);
    const request = {
      since: pulled.watermark,
      known: async () => new Set<string>(),
      isRejected: (id: string) => id === fixed.uuid,
    };
    const orders = await fake.page("customer", request);
    if (!("position" in orders.next)) throw new Error("no changes");
    const { records } = await fake.page("customer", { ...request, position: orders.next.position });
    expect(records).toMatchObject([{ pos_customer_id: fixed.uuid, address_1: fixed.street }]);
  });

  test("are read by id until the deadline, at least one per page, and by the next process", async () => {
    const pulled = await fake.pull("customer");
    const newcomers = Array.from({ length: 5 }, () => fake.pos.shop.addCustomer());
    for (const customer of newcomers) fake.pos.shop.sell(fake.later(1 / 60).getTime()).customer = customer;
    const single = /^\/v1\/customers\/./;
    const deadline = new Date(fake.later(1 / 60).getTime() + 2500);
    flowhub().beforeAnswer = ({ path }) => {
      if (single.test(path)) fake.later(1 / 60);
    };
    const known = async (ids: readonly string[]) => new Set(ids.filter((id) => pulled.records.has(id)));
    const request = { since: pulled.watermark, now: fake.now, known, deadline };
    const read: number[] = [];
    let before = 0;
    for await (const page of fake.pages("customer", request)) {
      pulled.take(page);
      const { length } = flowhub().requestsFor(single);
      read.push(length - before);
      before = length;
    }
    const pagesOfChanges = read.slice(3).map(() => 0);
    expect(read).toEqual([3, 1, 1, ...pagesOfChanges]);
    for (const { uuid } of newcomers) expect(pulled.records.has(uuid)).toBe(true);
    expect(
      flowhub()
        .requestsFor(/^\/v1\/orders/)
        .filter(({ query }) => query.get("page_size") === "100"),
    ).toHaveLength(1);
  });
});

describe("sales", () => {
  const recent = () =>
    fake.pos.shop.sales.findLast(
      ({ status, kind, original }) => status === "sold" && kind === "retail" && !original,
    ) as ShopSale;

  test("are requested by day, 500 per page", async () => {
    await fake.pull("sale");
    const pages = flowhub()
      .requestsFor(/orders/)
      .filter(({ query }) => query.get("page_size") !== "1");
    for (const { query } of pages) {
      expect(query.get("created_after")).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(query.get("created_before")).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(query.get("page_size")).toBe("500");
    }
  });

  test.each<FlowhubDays>(["midnights in UTC", "days in UTC", "days of the store"])(
    "of the evening west of UTC are read in the same pull if days are %s",
    async (days) => {
      flowhub().days = days;
      // Late in the evening of March 9 in the store's time zone, and already March 10 in UTC.
      fake.now = new Date("2026-03-10T05:00:00.000Z");
      const evening = fake.pos.shop.sell(fake.now.getTime() - 30 * 60_000);
      const pulled = fake.puller("sale");
      await pulled.pull(fake.now);
      expect(pulled.records.has(evening.uuid)).toBe(true);
      const next = fake.pos.shop.sell(fake.later(10).getTime() - 60_000);
      await pulled.pull(fake.now);
      expect(pulled.records.has(next.uuid)).toBe(true);
      const buyers = await fake.pull("customer");
      for (const { customer } of [evening, next])
        expect(customer === null || buyers.records.has(customer.uuid)).toBe(true);
    },
  );

  test("are read to the end of a list without `total`", async () => {
    const { records } = await fake.pull("sale");
    flowhub().hasTotals = false;
    expect((await fake.pull("sale")).records).toEqual(records);
  });

  test("that were voided long after are found in the night in which their month is read again, newest month first", async () => {
    const pulled = fake.puller("sale");
    const old = [45, 75, 105].map((days) => fake.pos.shop.sell(fake.now.getTime() - days * dayMs));
    await pulled.pull(fake.now);
    // The history ends after ten days without sales. Everything before is read only month by month.
    for (const sale of old) pulled.records.set(sale.uuid, { transaction_type: "sale" } as never);
    for (const sale of old) fake.pos.shop.voidSale(sale);
    const voids = () => old.map(({ uuid }) => pulled.records.get(uuid)?.transaction_type === "adjustment");
    await pulled.pull(fake.later(1));
    expect(voids()).toEqual([false, false, false]);
    for (let nights = 1; nights <= 3; nights++) {
      await pulled.pull(fake.later(day));
      expect(voids()).toEqual(old.map((_, at) => at < nights));
    }
    const again = fake.pos.shop.sell(fake.now.getTime() - 45 * dayMs);
    await pulled.pull(fake.later(day));
    expect(pulled.records.has(again.uuid)).toBe(false);
    await pulled.pull(fake.later(day));
    expect(pulled.records.has(again.uuid)).toBe(true);
  });

  /** Changes the amounts of orders, except those in pennies by name. */
  const rewriteMoney = (change: (amount: number) => number) => {
    const names = /^(FinalTotal|SubTotal|TotalDiscounts|TotalFees|TotalTaxes|unitPrice|totalPrice|amount)$/;
    flowhub().rewriteAt(/orders/, (body) =>
      JSON.parse(JSON.stringify(body), (key, value) => (names.test(key) ? change(value) : value)),
    );
  };

  test("with an unclear unit are rejected until it is clear", async () => {
    const unclear = fake.pos.shop.sell(fake.now.getTime() - 60_000);
    flowhub().rewrite = (body) =>
      JSON.parse(JSON.stringify(body), (_, value) =>
        value?.id === unclear.uuid
          ? { ...value, payments: [{ paymentType: "cash", amount: value.totals.FinalTotal * 100 }] }
          : value,
      );
    const pulled = await fake.pull("sale");
    expect(unplannedRejections(pulled.rejected)).toEqual([
      { posId: unclear.uuid, field: "totals", reason: "unclear_unit" },
    ]);
    expect(pulled.records.has(unclear.uuid)).toBe(false);
    flowhub().rewrite = (body) => body;
    expect((await fake.pull("sale")).records.has(unclear.uuid)).toBe(true);
  });

  test.each(["dollars", "cents"])("have the same amounts if orders are in %s", async (unit) => {
    if (unit === "cents") rewriteMoney((amount) => Math.round(amount * 100));
    const { records } = await fake.pull("sale");
    for (const sale of fake.pos.shop.sales) {
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
