import { describe, expect, test } from "vitest";
import type { Connection, PullPage, PullRequest } from "../../../../../shared/pos/connector.ts";
import type { FakeDutchie } from "../../fakes/fakeDutchie.ts";
import { FakePosUnderTest } from "../../fakes/fakePosUnderTest.ts";
import type { Fault } from "../../fakes/fakeServer.ts";
import { PulledRecords } from "../../fakes/pulls.ts";
import { type ShopCustomer, smallSize } from "../../fakes/shop.ts";

const both = { credentials: { recApiKey: "rec-key", medApiKey: "med-key" } };
const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
const fake = new FakePosUnderTest("dutchie", "2026-03-10T12:00:00.000Z");
const dutchie = () => fake.pos.server as FakeDutchie;
const later = (hours: number) => fake.later(hours * 60);
const close = (...paths: string[]) => {
  for (const path of paths) dutchie().locations[0]?.closed.add(path);
};

test("the store has the location's name and address, and the letter case of response keys does not matter", async () => {
  const store = { id: "4101", name: "Location 4101", address: "412 Pearl Street, Boulder, CO 80302" };
  expect(await fake.verify()).toEqual([store]);
  dutchie().rewrite = (body) =>
    Object.fromEntries(
      Object.entries(body as object).map(([key, value]) => [key.replace(/^./, (c) => c.toUpperCase()), value]),
    );
  expect(await fake.verify()).toEqual([store]);
});

test("the key is sent as username, and the service's own key as password", async () => {
  await fake.verify({}, { integratorKey: "ours" });
  const [, encoded = ""] = dutchie().requests[0]?.headers.authorization?.split(" ") ?? [];
  expect(Buffer.from(encoded, "base64").toString()).toBe("rec-key:ours");
});

test.each([403, 404])("%i from whoami means that the key is rejected", async (status) => {
  dutchie().respond(/./, { status, body: { message: "no" } });
  await expect(fake.verify()).rejects.toMatchObject({ failure: "credentialsRefused" });
});

test.each(["/whoami", "/reporting/transactions"])("%s with 201 is not a complete response", async (path) => {
  dutchie().respond(path, { status: 201, body: [] });
  await expect(fake.pull("sale")).rejects.toMatchObject({ failure: "notUnderstood", code: "201" });
});

describe("two keys", () => {
  test("for two locations give each its own rooms, stock and sales, whatever their ids", async () => {
    // The other location has the same ids.
    const shop = fake.pos.shop;
    dutchie().addLocation("med-key", 4102, { shop });
    expect((await fake.verify(both)).map(({ id }) => id)).toEqual(["4101", "4102"]);
    for (const kind of ["location", "inventory", "sale"] as const) {
      const [one, two] = [await fake.pull(kind), await fake.pull(kind, both)];
      expect(two.records.size).toBe(2 * one.records.size);
      const ids = [...two.ids, ...two.rejected.map(({ posId }) => posId)];
      expect(ids.filter((id) => !/^410[12]:/.test(id))).toEqual([]);
    }
  });

  test("share customers and products, with the price for adults, pull after pull", async () => {
    const shop = fake.pos.shop;
    dutchie().addLocation("med-key", 4102, { shop });
    const products = fake.puller("product", both);
    const alone = await fake.pull("product");
    expect((await products.pull(fake.now)).records).toEqual(alone.records);
    shop.changeProduct(shop.products[0] as never);
    await products.pull(later(1));
    expect(products.records).toEqual((await fake.pull("product")).records);
    expect((await fake.pull("customer", both)).records.size).toBe(shop.customers.length);
  });

  test("read products that only one of two locations has", async () => {
    const { shop } = dutchie().addLocation("med-key", 4102);
    const pulled = await fake.pull("product", both);
    expect(pulled.records.size).toBeGreaterThan(shop.products.length / 2);
    for (const { number } of shop.products) expect(pulled.records.has(String(number))).toBe(true);
  });

  test("for one location count as one", async () => {
    dutchie().addLocation("med-key", 4101, { shop: fake.pos.shop });
    expect(await fake.verify(both)).toHaveLength(1);
    expect((await fake.pull("sale", both)).read).toBe((await fake.pull("sale")).read);
  });

  test("of two companies are rejected, and so are both if one is rejected", async () => {
    await expect(fake.verify(both)).rejects.toMatchObject({ failure: "credentialsRefused" });
    dutchie().addLocation("med-key", 4102, { lspId: 78 });
    await expect(fake.verify(both)).rejects.toMatchObject({ failure: "credentialsRefused", code: "companies" });
  });

  test.each(["rec-key", "med-key"])(
    "share points and customer types if one of them can read them (not %s)",
    async (key) => {
      dutchie().addLocation("med-key", 4102, { shop: fake.pos.shop });
      const types = [{ id: 1, name: "Adult Use", isMedical: true, isRetail: false }];
      dutchie().rewriteAt("/customer/customer-types", () => types);
      const alone = await fake.pull("customer");
      expect(new Set([...alone.records.values()].map(({ svc_customer_type }) => svc_customer_type))).toEqual(
        new Set(["medical"]),
      );
      const closed = dutchie().locations.find((location) => location.key === key)?.closed;
      for (const path of ["/reporting/loyalty-snapshot", "/customer/customer-types"]) closed?.add(path);
      expect((await fake.pull("customer", both)).records).toEqual(alone.records);
    },
  );

  test("allow either location as the connection's", async () => {
    dutchie().addLocation("med-key", 4102);
    await fake.pull("location", { ...both, locationId: "4102" });
    await expect(fake.pull("location", { ...both, locationId: "4103" })).rejects.toMatchObject({
      failure: "locationGone",
    });
  });
});

describe("without a role for a report", () => {
  test("the records are read from another list", async () => {
    for (const [kind, path] of [
      ["customer", "/reporting/customers-paginated"],
      ["product", "/reporting/products"],
      ["inventory", "/reporting/inventory"],
    ] as const) {
      const before = await fake.pull(kind);
      close(path);
      const after = await fake.pull(kind);
      expect(after.records).toEqual(before.records);
      // The other list omits products not sold online, so missing records do not count as vanished.
      expect(after.complete).toBe(false);
    }
  });

  test("the locations are the rooms with stock, or else the store", async () => {
    close("/room/rooms");
    const rooms = await fake.pull("location");
    expect([...rooms.records.values()].map(({ name }) => name).sort()).toEqual(["Sales Floor", "Vault"]);
    expect([...(await fake.pull("inventory")).records.values()][0]?.location_data?.[0]).toMatchObject({
      pos_location_type: null,
    });
    close("/reporting/inventory", "/inventory");
    const store = await fake.pull("location");
    expect([...store.records.values()]).toMatchObject([{ pos_location_id: "store-4101", name: "Location 4101" }]);
    await expect(fake.pull("inventory")).rejects.toMatchObject({ failure: "notPermitted" });
  });

  test("a room with a malformed row is rejected", async () => {
    const expected = await fake.pull("location");
    const breakRooms = (broken: number) =>
      dutchie().rewriteAt<object[]>("/room/rooms", (rooms) =>
        rooms.map((room, at) => (at < broken ? { ...room, roomName: { planted: true } } : room)),
      );
    breakRooms(1);
    const one = await fake.pull("location");
    const { posId } = one.rejected[0] ?? {};
    expect(one.rejected).toEqual([{ posId, field: "roomName", reason: "invalid_union" }]);
    expect([...one.ids, posId].sort()).toEqual(expected.ids);
    // The store does not count as a room then either.
    breakRooms(expected.ids.length);
    const none = await fake.pull("location");
    expect([none.ids, none.rejected.map((room) => room.posId).sort()]).toEqual([[], expected.ids]);
    // The stock in the rooms is read nevertheless.
    expect((await fake.pull("inventory")).rejected).toEqual([]);
  });

  test("customers are read without customer types", async () => {
    close("/customer/customer-types");
    const { records } = await fake.pull("customer");
    expect([...records.values()].every(({ svc_customer_type }) => svc_customer_type !== null)).toBe(true);
  });
});

describe("loyalty points", () => {
  const path = "/reporting/loyalty-snapshot";
  const countRequests = () => dutchie().requestsFor(path).length;
  const fail = (fault: Fault) => {
    dutchie().faults = (request) => (request.path === path ? fault : undefined);
  };
  const rewrite = (change: (rows: { customerId: number }[]) => unknown) => dutchie().rewriteAt(path, change);
  /** The points in all pages of a pull, with a new connector for each page. */
  async function pointsIn(more: Partial<Connection> = {}, since: string | null = null) {
    const points: unknown[] = [];
    const connection = { ...fake.pos.connection, ...more };
    for (let position: string | null = null; ; ) {
      const request: PullRequest<"customer"> = { kind: "customer", since, position, now: fake.now };
      const { records, next }: PullPage<"customer"> = await fake.pos.connector().pull(connection, request);
      points.push(...records.map(({ loyalty_points }) => loyalty_points));
      if ("watermark" in next) return { points, watermark: next.watermark };
      position = next.position;
    }
  }
  const ofAll = (points: unknown) => Array.from({ length: smallSize.customers }, () => points);

  test("are requested with all customers, and never with only the changed ones", async () => {
    const pulled = await fake.pull("customer");
    expect(countRequests()).toBe(1);
    const before = new Map(pulled.records);
    for (let at = 0; at < 5; at++) {
      const changed = fake.pos.shop.customers[at] as ShopCustomer;
      fake.pos.shop.changeCustomer(changed);
      const { points } = await pointsIn({}, pulled.watermark);
      expect(points).toEqual([...points].fill(undefined));
      await pulled.pull(later(1));
      const id = String(changed.number);
      expect(pulled.read).toBeGreaterThan(0);
      expect(pulled.records.get(id)?.loyalty_points).toBe(before.get(id)?.loyalty_points);
    }
    expect(countRequests()).toBe(1);
    await pulled.pull(later(24));
    expect(countRequests()).toBe(2);
  });

  test("are not requested again if the same process starts a pull again", async () => {
    const process = fake.pos.connector();
    for (let times = 0; times < 2; times++) {
      await new PulledRecords(process, fake.pos.connection, "customer").pull(later(0.1));
    }
    expect(countRequests()).toBe(1);
  });

  test("are null for customers missing in the report, and unreported for rows that cannot be read", async () => {
    const [left, broken] = fake.pos.shop.customers as [ShopCustomer, ShopCustomer];
    rewrite((rows) => rows.filter(({ customerId }) => customerId !== left.number));
    expect((await pointsIn()).points.filter((points) => typeof points !== "string")).toEqual([null]);
    rewrite((rows) => rows.map((row) => (row.customerId === broken.number ? { ...row, loyaltyBalance: {} } : row)));
    expect((await pointsIn()).points.filter((points) => typeof points !== "string")).toEqual([undefined]);
  });

  test.each<[string, Fault]>([
    ["429", { kind: "answer", answer: { status: 429 } }],
    ["503", { kind: "answer", answer: { status: 503, headers: { "retry-after": "90" } } }],
    ["a body without a list", { kind: "answer", answer: { body: { surprise: true } } }],
    ["a truncated response", { kind: "truncated" }],
  ])("are unreported after %s, and requested again with all customers a day later", async (_, fault) => {
    fail(fault);
    const pulled = await fake.pull("customer");
    expect(pulled.records.size).toBe(smallSize.customers);
    expect([...pulled.records.values()].map(({ loyalty_points }) => loyalty_points)).toEqual(ofAll(null));
    expect(countRequests()).toBe(1);
    dutchie().faults = () => undefined;
    await pulled.pull(later(23));
    expect([pulled.read, countRequests()]).toEqual([0, 1]);
    await pulled.pull(later(1));
    expect([pulled.read, countRequests()]).toEqual([smallSize.customers, 2]);
    const reported = new Map(pulled.records);
    expect([...reported.values()].map(({ loyalty_points }) => loyalty_points)).not.toContain(null);
    // Stored points are kept.
    fail(fault);
    await pulled.pull(later(24));
    expect([pulled.read, countRequests()]).toEqual([smallSize.customers, 3]);
    expect(pulled.records).toEqual(reported);
  });

  test("are not requested again in the same pull after a failure, with either key", async () => {
    dutchie().addLocation("med-key", 4102, { shop: fake.pos.shop });
    fail({ kind: "answer", answer: { status: 429 } });
    const { points } = await pointsIn(both);
    expect(new Set(points)).toEqual(new Set([undefined]));
    expect(countRequests()).toBe(1);
  });

  test.each([401, 403])("are unreported if the key cannot read them (%i)", async (status) => {
    fail({ kind: "answer", answer: { status, body: { message: "no" } } });
    expect((await pointsIn()).points).toEqual(ofAll(undefined));
  });

  test("are those of one key if the other cannot read them", async () => {
    dutchie().addLocation("med-key", 4102, { shop: fake.pos.shop });
    const [left] = fake.pos.shop.customers as [ShopCustomer];
    close(path);
    rewrite((rows) => rows.filter(({ customerId }) => customerId !== left.number));
    const { points } = await pointsIn(both);
    expect(new Set(points.filter((one) => typeof one !== "string"))).toEqual(new Set([undefined]));
    expect(points.filter((one) => typeof one === "string").length).toBeGreaterThanOrEqual(smallSize.customers - 1);
  });

  test("end the pull if the key is rejected meanwhile", async () => {
    let isRejected = false;
    dutchie().faults = (request) => {
      isRejected ||= request.path === path;
      return isRejected ? { kind: "answer", answer: { status: 401 } } : undefined;
    };
    await expect(fake.pull("customer")).rejects.toMatchObject({ failure: "credentialsRefused" });
  });
});

test("all customers are read once a day, because their points change without them, and all products once a week", async () => {
  const [customers, products] = [fake.puller("customer"), fake.puller("product")];
  for (const [hours, read] of [
    [0, [smallSize.customers, smallSize.products]],
    [2, [0, 0]],
    [24, [smallSize.customers, 0]],
    [2, [0, 0]],
    [24 * 6, [smallSize.customers, smallSize.products]],
  ] as const) {
    later(hours);
    expect([(await customers.pull(fake.now)).read, (await products.pull(fake.now)).read]).toEqual(read);
  }
});

test.each(["first", "refused", "empty", "same as page 1"] as const)(
  "pages of customers are counted from 0 or from 1: page 0 is %s",
  async (pageZero) => {
    dutchie().pageZero = pageZero;
    const [changed, other] = fake.pos.shop.customers as [ShopCustomer, ShopCustomer];
    for (const maxPageSize of [100, 1]) {
      dutchie().maxPageSize = maxPageSize;
      const pulled = await fake.pull("customer");
      expect(pulled.records.size).toBe(smallSize.customers);
      // No customer, one, and two that are new or changed.
      for (const customers of [[], [changed], [changed, other]]) {
        later(1);
        for (const one of customers) fake.pos.shop.changeCustomer(one);
        await pulled.pull(later(1));
        expect(pulled.read).toBeGreaterThanOrEqual(customers.length);
        expect([...pulled.records.values()].filter(({ pos_updated_date }) => pos_updated_date === null)).toEqual([]);
        for (const { number, changedAt } of customers) {
          const reported = pulled.records.get(String(number))?.pos_updated_date;
          expect(Math.abs(Date.parse(reported ?? "") - changedAt)).toBeLessThan(1000);
        }
      }
    }
    const pageSizes = dutchie()
      .requestsFor("/reporting/customers-paginated")
      .map(({ query }) => Number(query.get("PageSize")));
    expect(Math.max(...pageSizes)).toBe(100);
  },
);

test("transactions are requested with details, and with one kind of date at a time", async () => {
  const pulled = await fake.pull("sale");
  await pulled.pull(later(1));
  for (const { query } of dutchie().requestsFor("/reporting/transactions")) {
    for (const name of ["IncludeDetail", "IncludeTaxes", "IncludeFeesAndDonations"])
      expect(query.get(name)).toBe("true");
    expect(query.has("FromDateUTC")).toBe(!query.has("FromLastModifiedDateUTC"));
  }
  // The last window has no end, in case the POS clock is fast.
  expect(dutchie().requestsFor("/reporting/transactions").at(-1)?.query.has("ToLastModifiedDateUTC")).toBe(false);
});

test("a later pull reads the missed time day by day", async () => {
  const pulled = await fake.pull("sale");
  for (let day = 0; day < 5; day++) fake.pos.shop.sell(later(24).getTime());
  const before = dutchie().requests.length;
  await pulled.pull(later(1));
  expect(dutchie().requests.length - before).toBe(1 + 6);
  expect(pulled.records).toEqual(await fake.afresh("sale"));
});

test("a window that takes too long is halved until it can be read", async () => {
  const expected = await fake.pull("sale");
  let longest = 0;
  dutchie().faults = ({ query }) => {
    const span = Date.parse(query.get("ToDateUTC") ?? "") - Date.parse(query.get("FromDateUTC") ?? "");
    if (span > 13 * hourMs) return { kind: "slow", milliseconds: 400 };
    longest = Math.max(longest, span || 0);
    return undefined;
  };
  const halved = await fake.pull("sale", {}, { reportTimeout: 200 });
  expect(halved.records).toEqual(expected.records);
  expect(longest).toBeLessThan(12.1 * hourMs);
});

test("an hour that takes too long is an outage", async () => {
  dutchie().faults = ({ path }) =>
    path === "/reporting/transactions" ? { kind: "slow", milliseconds: 200 } : undefined;
  const pull = fake.pull("sale", {}, { reportTimeout: 20 });
  await expect(pull).rejects.toMatchObject({ failure: "unreachable", code: "timeout" });
  // 24, 12, 6, 3 and 1 hours, each requested once.
  expect(dutchie().requestsFor("/reporting/transactions")).toHaveLength(5);
});

test("the history ends after a long time without sales, whatever lies before it", async () => {
  fake.pos.shop.sell(fake.now.getTime() - 400 * dayMs);
  const near = await fake.pull("sale");
  const far = await fake.pull("sale", {}, { quietDays: 700 });
  expect(far.records.size).toBe(near.records.size + 1);
  for (const { query } of dutchie().requestsFor("/reporting/transactions")) {
    const span = Date.parse(query.get("ToDateUTC") ?? "") - Date.parse(query.get("FromDateUTC") ?? "");
    expect(span).toBeLessThanOrEqual(60 * dayMs);
  }
});

test("the wholesale type has the wholesale orders and no retail sales", async () => {
  const { records } = await fake.pull("sale", { posType: "Dutchie Wholesale", businessType: "wholesale" });
  const orders = fake.pos.shop.sales.filter(({ kind }) => kind === "wholesale");
  expect([...records.values()].map(({ pos_sale_id }) => pos_sale_id).sort()).toEqual(
    orders.map(({ number }) => String(number)).sort(),
  );
  expect([...records.values()].every(({ type }) => type === "wholesale")).toBe(true);
});
