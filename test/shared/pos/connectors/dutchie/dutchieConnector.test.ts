import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { RecordKind } from "../../../../../shared/api/kinds.ts";
import type { Connection, PullPage, PullRequest } from "../../../../../shared/pos/connector.ts";
import {
  type DutchieOptions,
  dutchieConnector,
} from "../../../../../shared/pos/connectors/dutchie/dutchieConnector.ts";
import { FakeDutchie } from "../../fakes/fakeDutchie.ts";
import type { Fault } from "../../fakes/fakeServer.ts";
import { connectionTo, PulledRecords } from "../../fakes/pulls.ts";
import { type ShopCustomer, smallSize } from "../../fakes/shop.ts";

const rec = connectionTo("Dutchie", { recApiKey: "rec-key" });
const both = connectionTo("Dutchie", { recApiKey: "rec-key", medApiKey: "med-key" });
const hour = 60 * 60_000;

let now: Date;
let pos: FakeDutchie;
beforeEach(async () => {
  now = new Date("2026-03-10T12:00:00.000Z");
  pos = new FakeDutchie(1, smallSize, () => now);
  await pos.start();
});
afterEach(() => pos.close());

const connector = (options: Partial<DutchieOptions> = {}) =>
  dutchieConnector({
    url: pos.url,
    requestsPerSecond: Number.POSITIVE_INFINITY,
    firstPauseMs: 1,
    quietDays: 10,
    ...options,
  });
const puller = <Kind extends RecordKind>(kind: Kind, connection: Connection = rec, options?: Partial<DutchieOptions>) =>
  new PulledRecords(connector(options), connection, kind);
const later = (hours: number) => {
  now = new Date(now.getTime() + hours * hour);
  return now;
};
const close = (...paths: string[]) => {
  for (const path of paths) pos.locations[0]?.closed.add(path);
};

test("the store has the location's name and address, and the letter case of response keys does not matter", async () => {
  const store = { id: "4101", name: "Location 4101", address: "412 Pearl Street, Boulder, CO 80302" };
  expect(await connector().verify(rec)).toEqual([store]);
  pos.rewrite = (body) =>
    Object.fromEntries(
      Object.entries(body as object).map(([key, value]) => [key.replace(/^./, (c) => c.toUpperCase()), value]),
    );
  expect(await connector().verify(rec)).toEqual([store]);
});

test("the key is sent as username, and the service's own key as password", async () => {
  await connector({ integratorKey: "ours" }).verify(rec);
  const [, encoded = ""] = pos.requests[0]?.headers.authorization?.split(" ") ?? [];
  expect(Buffer.from(encoded, "base64").toString()).toBe("rec-key:ours");
});

test("a key that replaces another is used at once, even in a running pull", async () => {
  const one = connector();
  const request = { kind: "product", since: null, position: null, now } as const;
  await one.pull(rec, request);
  pos.addLocation("new-key", 4101);
  pos.requests.length = 0;
  await one.pull({ ...rec, credentials: { recApiKey: "new-key" } }, request);
  const keys = pos.requests.map(({ headers }) =>
    Buffer.from(headers.authorization?.split(" ")[1] ?? "", "base64").toString(),
  );
  expect([...new Set(keys)]).toEqual(["new-key:"]);
});

test.each([403, 404])("%i from whoami means that the key is rejected", async (status) => {
  pos.faults = () => ({ kind: "answer", answer: { status, body: { message: "no" } } });
  await expect(connector().verify(rec)).rejects.toMatchObject({ failure: "credentialsRefused" });
});

test.each(["/whoami", "/reporting/transactions"])("%s with 201 is not a complete response", async (path) => {
  pos.faults = (request) => (request.path === path ? { kind: "answer", answer: { status: 201, body: [] } } : undefined);
  await expect(puller("sale").pull(now)).rejects.toMatchObject({ failure: "notUnderstood", code: "201" });
});

test("transactions of an unknown type are rejected with the location's id, whatever the connection's business type", async () => {
  const unknown = pos.shop.sales.filter(({ status }) => status === "pending").map(({ number }) => `4101:${number}`);
  const rejected = unknown.map((posId) => ({ posId, field: "transactionType", reason: "unknown_status" }));
  expect(rejected.length).toBeGreaterThan(0);
  for (const businessType of ["retail", "wholesale"] as const) {
    const pulled = await puller("sale", { ...rec, businessType }).pull(now);
    expect(pulled.records.size).toBeGreaterThan(0);
    expect(new Set(pulled.rejected)).toEqual(new Set(rejected));
  }
});

describe("two keys", () => {
  test("for two locations give each its own rooms, stock and sales, whatever their ids", async () => {
    // The other location has the same ids.
    const shop = pos.shop;
    pos.addLocation("med-key", 4102, { shop });
    expect((await connector().verify(both)).map(({ id }) => id)).toEqual(["4101", "4102"]);
    for (const kind of ["location", "inventory", "sale"] as const) {
      const [one, two] = [await puller(kind).pull(now), await puller(kind, both).pull(now)];
      expect(two.records.size).toBe(2 * one.records.size);
      expect(two.ids.every((id) => /^410[12]:/.test(id))).toBe(true);
    }
  });

  test("share customers and products, with the price for adults, pull after pull", async () => {
    const shop = pos.shop;
    pos.addLocation("med-key", 4102, { shop });
    const products = puller("product", both);
    const alone = await puller("product").pull(now);
    expect((await products.pull(now)).records).toEqual(alone.records);
    shop.changeProduct(shop.products[0] as never);
    await products.pull(later(1));
    expect(products.records).toEqual((await puller("product").pull(now)).records);
    expect((await puller("customer", both).pull(now)).records.size).toBe(shop.customers.length);
  });

  test("read products that only one of two locations has", async () => {
    const { shop } = pos.addLocation("med-key", 4102);
    const pulled = await puller("product", both).pull(now);
    expect(pulled.records.size).toBeGreaterThan(shop.products.length / 2);
    for (const { number } of shop.products) expect(pulled.records.has(String(number))).toBe(true);
  });

  test("for one location count as one", async () => {
    pos.addLocation("med-key", 4101, { shop: pos.shop });
    expect(await connector().verify(both)).toHaveLength(1);
    expect((await puller("sale", both).pull(now)).read).toBe((await puller("sale").pull(now)).read);
  });

  test("of two companies are rejected, and so are both if one is rejected", async () => {
    await expect(connector().verify(both)).rejects.toMatchObject({ failure: "credentialsRefused" });
    pos.addLocation("med-key", 4102, { lspId: 78 });
    await expect(connector().verify(both)).rejects.toMatchObject({ failure: "credentialsRefused", code: "companies" });
  });

  test.each(["rec-key", "med-key"])(
    "share points and customer types if one of them can read them (not %s)",
    async (key) => {
      pos.addLocation("med-key", 4102, { shop: pos.shop });
      pos.rewrite = (body, { path }) =>
        path === "/customer/customer-types" ? [{ id: 1, name: "Adult Use", isMedical: true, isRetail: false }] : body;
      const alone = await puller("customer").pull(now);
      expect(new Set([...alone.records.values()].map(({ svc_customer_type }) => svc_customer_type))).toEqual(
        new Set(["medical"]),
      );
      const closed = pos.locations.find((location) => location.key === key)?.closed;
      for (const path of ["/reporting/loyalty-snapshot", "/customer/customer-types"]) closed?.add(path);
      expect((await puller("customer", both).pull(now)).records).toEqual(alone.records);
    },
  );

  test("allow either location as the connection's", async () => {
    pos.addLocation("med-key", 4102);
    await puller("location", { ...both, locationId: "4102" }).pull(now);
    const otherLocation = puller("location", { ...both, locationId: "4103" });
    await expect(otherLocation.pull(now)).rejects.toMatchObject({ failure: "locationGone" });
  });
});

describe("without a role for a report", () => {
  test("the records are read from another list", async () => {
    for (const [kind, path] of [
      ["customer", "/reporting/customers-paginated"],
      ["product", "/reporting/products"],
      ["inventory", "/reporting/inventory"],
    ] as const) {
      const before = await puller(kind).pull(now);
      close(path);
      const after = await puller(kind).pull(now);
      expect(after.records).toEqual(before.records);
      // The other list omits products not sold online, so missing records do not count as vanished.
      expect(after.complete).toBe(false);
    }
  });

  test("the locations are the rooms with stock, or else the store", async () => {
    close("/room/rooms");
    const rooms = await puller("location").pull(now);
    expect([...rooms.records.values()].map(({ name }) => name).sort()).toEqual(["Sales Floor", "Vault"]);
    expect([...(await puller("inventory").pull(now)).records.values()][0]?.location_data?.[0]).toMatchObject({
      pos_location_type: null,
    });
    close("/reporting/inventory", "/inventory");
    const store = await puller("location").pull(now);
    expect([...store.records.values()]).toMatchObject([{ pos_location_id: "store-4101", name: "Location 4101" }]);
    await expect(puller("inventory").pull(now)).rejects.toMatchObject({ failure: "notPermitted" });
  });

  test("a room with a malformed row is rejected", async () => {
    const expected = await puller("location").pull(now);
    const breakRooms =
      (broken: number) =>
      (body: unknown, { path }: { path: string }) =>
        path === "/room/rooms" && Array.isArray(body)
          ? body.map((room, at) => (at < broken ? { ...room, roomName: { planted: true } } : room))
          : body;
    pos.rewrite = breakRooms(1);
    const one = await puller("location").pull(now);
    const { posId } = one.rejected[0] ?? {};
    expect(one.rejected).toEqual([{ posId, field: "roomName", reason: "invalid_union" }]);
    expect([...one.ids, posId].sort()).toEqual(expected.ids);
    // The store does not count as a room then either.
    pos.rewrite = breakRooms(expected.ids.length);
    const none = await puller("location").pull(now);
    expect([none.ids, none.rejected.map((room) => room.posId).sort()]).toEqual([[], expected.ids]);
    // The stock in the rooms is read nevertheless.
    expect((await puller("inventory").pull(now)).rejected).toEqual([]);
  });

  test("customers are read without customer types", async () => {
    close("/customer/customer-types");
    const { records } = await puller("customer").pull(now);
    expect([...records.values()].every(({ svc_customer_type }) => svc_customer_type !== null)).toBe(true);
  });
});

describe("loyalty points", () => {
  const path = "/reporting/loyalty-snapshot";
  const countRequests = () => pos.requestsFor(path).length;
  const fail = (fault: Fault) => {
    pos.faults = (request) => (request.path === path ? fault : undefined);
  };
  const rewrite = (change: (rows: { customerId: number }[]) => unknown) => {
    pos.rewrite = (body, request) => (request.path === path && Array.isArray(body) ? change(body) : body);
  };
  /** The points in all pages of a pull, with a new connector for each page. */
  async function pointsIn(connection: Connection, since: string | null = null) {
    const points: unknown[] = [];
    for (let position: string | null = null; ; ) {
      const request: PullRequest<"customer"> = { kind: "customer", since, position, now };
      const { records, next }: PullPage<"customer"> = await connector().pull(connection, request);
      points.push(...records.map(({ loyalty_points }) => loyalty_points));
      if ("watermark" in next) return { points, watermark: next.watermark };
      position = next.position;
    }
  }
  const ofAll = (points: unknown) => Array.from({ length: smallSize.customers }, () => points);

  test("are requested with all customers, and never with only the changed ones", async () => {
    const pulled = await puller("customer").pull(now);
    expect(countRequests()).toBe(1);
    const before = new Map(pulled.records);
    for (let at = 0; at < 5; at++) {
      const changed = pos.shop.customers[at] as ShopCustomer;
      pos.shop.changeCustomer(changed);
      const { points } = await pointsIn(rec, pulled.watermark);
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
    const process = connector();
    for (let times = 0; times < 2; times++) await new PulledRecords(process, rec, "customer").pull(later(0.1));
    expect(countRequests()).toBe(1);
  });

  test("are null for customers missing in the report, and unreported for rows that cannot be read", async () => {
    const [left, broken] = pos.shop.customers as [ShopCustomer, ShopCustomer];
    rewrite((rows) => rows.filter(({ customerId }) => customerId !== left.number));
    expect((await pointsIn(rec)).points.filter((points) => typeof points !== "string")).toEqual([null]);
    rewrite((rows) => rows.map((row) => (row.customerId === broken.number ? { ...row, loyaltyBalance: {} } : row)));
    expect((await pointsIn(rec)).points.filter((points) => typeof points !== "string")).toEqual([undefined]);
  });

  test.each<[string, Fault, Partial<DutchieOptions>?]>([
    ["500", { kind: "answer", answer: { status: 500 } }],
    ["429", { kind: "answer", answer: { status: 429 } }],
    ["503", { kind: "answer", answer: { status: 503, headers: { "retry-after": "90" } } }],
    ["a 403 of a proxy", { kind: "answer", answer: { status: 403, body: "error code: 1010" } }],
    ["a body without a list", { kind: "answer", answer: { body: { surprise: true } } }],
    ["a truncated response", { kind: "truncated" }],
    ["a closed connection", { kind: "cut" }],
    // The timeout also applies to pages of customers, which must be read in time on a busy machine.
    ["no response in time", { kind: "slow", milliseconds: 3_000 }, { reportTimeout: 1_000 }],
  ])("are unreported after %s, and requested again with all customers a day later", async (_, fault, options) => {
    fail(fault);
    const pulled = puller("customer", rec, options);
    await pulled.pull(now);
    expect(pulled.records.size).toBe(smallSize.customers);
    expect([...pulled.records.values()].map(({ loyalty_points }) => loyalty_points)).toEqual(ofAll(null));
    expect(countRequests()).toBe(1);
    pos.faults = () => undefined;
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
    pos.addLocation("med-key", 4102, { shop: pos.shop });
    fail({ kind: "answer", answer: { status: 429 } });
    const { points } = await pointsIn(both);
    expect(new Set(points)).toEqual(new Set([undefined]));
    expect(countRequests()).toBe(1);
  });

  test.each([401, 403])("are unreported if the key cannot read them (%i)", async (status) => {
    fail({ kind: "answer", answer: { status, body: { message: "no" } } });
    expect((await pointsIn(rec)).points).toEqual(ofAll(undefined));
  });

  test("are those of one key if the other cannot read them", async () => {
    pos.addLocation("med-key", 4102, { shop: pos.shop });
    const [left] = pos.shop.customers as [ShopCustomer];
    close(path);
    rewrite((rows) => rows.filter(({ customerId }) => customerId !== left.number));
    const { points } = await pointsIn(both);
    expect(new Set(points.filter((one) => typeof one !== "string"))).toEqual(new Set([undefined]));
    expect(points.filter((one) => typeof one === "string").length).toBeGreaterThanOrEqual(smallSize.customers - 1);
  });

  test("end the pull if the key is rejected meanwhile", async () => {
    let isRejected = false;
    pos.faults = (request) => {
      isRejected ||= request.path === path;
      return isRejected ? { kind: "answer", answer: { status: 401 } } : undefined;
    };
    await expect(puller("customer").pull(now)).rejects.toMatchObject({ failure: "credentialsRefused" });
  });
});

test("all customers are read once a day, because their points change without them, and all products once a week", async () => {
  const [customers, products] = [puller("customer"), puller("product")];
  for (const [hours, read] of [
    [0, [smallSize.customers, smallSize.products]],
    [2, [0, 0]],
    [24, [smallSize.customers, 0]],
    [2, [0, 0]],
    [24 * 6, [smallSize.customers, smallSize.products]],
  ] as const) {
    later(hours);
    expect([(await customers.pull(now)).read, (await products.pull(now)).read]).toEqual(read);
  }
});

test("pages shorter than requested are not the end", async () => {
  pos.maxPageSize = 7;
  expect((await puller("customer").pull(now)).records.size).toBe(smallSize.customers);
});

test.each(["first", "refused", "empty", "same as page 1"] as const)(
  "pages of customers are counted from 0 or from 1: page 0 is %s",
  async (pageZero) => {
    pos.pageZero = pageZero;
    const [changed, other] = pos.shop.customers as [ShopCustomer, ShopCustomer];
    for (const maxPageSize of [100, 7, 1]) {
      pos.maxPageSize = maxPageSize;
      const pulled = await puller("customer").pull(now);
      expect(pulled.records.size).toBe(smallSize.customers);
      // No customer, one, and two that are new or changed.
      for (const customers of [[], [changed], [changed, other]]) {
        later(1);
        for (const one of customers) pos.shop.changeCustomer(one);
        await pulled.pull(later(1));
        expect(pulled.read).toBeGreaterThanOrEqual(customers.length);
        expect([...pulled.records.values()].filter(({ pos_updated_date }) => pos_updated_date === null)).toEqual([]);
        for (const { number, changedAt } of customers) {
          const reported = pulled.records.get(String(number))?.pos_updated_date;
          expect(Math.abs(Date.parse(reported ?? "") - changedAt)).toBeLessThan(1000);
        }
      }
    }
    const pageSizes = pos
      .requestsFor("/reporting/customers-paginated")
      .map(({ query }) => Number(query.get("PageSize")));
    expect(Math.max(...pageSizes)).toBe(100);
  },
);

test("a list that changes while its first page is detected does not count as one counted from 1", async () => {
  pos.maxPageSize = 1;
  let requests = 0;
  pos.beforeAnswer = ({ path }) => {
    // The first customer moves behind the second, which takes its place.
    if (path === "/reporting/customers-paginated" && ++requests === 2) {
      const [first, second] = pos.shop.customers.toSorted((a, b) => a.changedAt - b.changedAt || a.number - b.number);
      if (first && second) [first.changedAt, second.changedAt] = [second.changedAt + 1, first.changedAt - 1];
    }
  };
  expect((await puller("customer").pull(now)).records.size).toBe(smallSize.customers);
});

test("rejected rows of an interrupted response are reported once", async () => {
  const [{ number } = { number: 0 }] = pos.shop.products;
  let times = 0;
  pos.faults = ({ path }) => (path === "/reporting/products" && times++ === 0 ? { kind: "cutHalfway" } : undefined);
  pos.rewrite = (body, { path }) =>
    path === "/reporting/products"
      ? (body as { productId: number }[]).map((row) => (row.productId === number ? { ...row, productId: null } : row))
      : body;
  const pulled = await puller("product").pull(now);
  expect(pulled.rejected).toEqual([{ posId: "", field: "productId", reason: "invalid_union" }]);
  expect(pulled.records.size).toBe(smallSize.products - 1);
});

test("transactions are requested with details, and with one kind of date at a time", async () => {
  const pulled = await puller("sale").pull(now);
  await pulled.pull(later(1));
  for (const { query } of pos.requestsFor("/reporting/transactions")) {
    for (const name of ["IncludeDetail", "IncludeTaxes", "IncludeFeesAndDonations"])
      expect(query.get(name)).toBe("true");
    expect(query.has("FromDateUTC")).toBe(!query.has("FromLastModifiedDateUTC"));
  }
  // The last window has no end, in case the POS clock is fast.
  expect(pos.requestsFor("/reporting/transactions").at(-1)?.query.has("ToLastModifiedDateUTC")).toBe(false);
});

test("a later pull reads the missed time day by day", async () => {
  const pulled = await puller("sale").pull(now);
  for (let day = 0; day < 5; day++) pos.shop.sell(later(24).getTime());
  const before = pos.requests.length;
  await pulled.pull(later(1));
  expect(pos.requests.length - before).toBe(1 + 6);
  expect(pulled.records).toEqual((await puller("sale").pull(now)).records);
});

test("a window that takes too long is halved until it can be read", async () => {
  const expected = await puller("sale").pull(now);
  let longest = 0;
  pos.faults = ({ query }) => {
    const span = Date.parse(query.get("ToDateUTC") ?? "") - Date.parse(query.get("FromDateUTC") ?? "");
    if (span > 13 * hour) return { kind: "slow", milliseconds: 400 };
    longest = Math.max(longest, span || 0);
    return undefined;
  };
  const halved = await puller("sale", rec, { reportTimeout: 200 }).pull(now);
  expect(halved.records).toEqual(expected.records);
  expect(longest).toBeLessThan(12.1 * hour);
});

test("an hour that takes too long is an outage", async () => {
  pos.faults = ({ path }) => (path === "/reporting/transactions" ? { kind: "slow", milliseconds: 200 } : undefined);
  const pull = puller("sale", rec, { reportTimeout: 20 }).pull(now);
  await expect(pull).rejects.toMatchObject({ failure: "unreachable", code: "timeout" });
  // 24, 12, 6, 3 and 1 hours, each requested once.
  expect(pos.requestsFor("/reporting/transactions")).toHaveLength(5);
});

test("the history ends after a long time without sales, whatever lies before it", async () => {
  pos.shop.sell(now.getTime() - 400 * 24 * hour);
  const known = pos.shop.sales.length;
  expect(known).toBeGreaterThan(0);
  const near = await puller("sale").pull(now);
  const far = await puller("sale", rec, { quietDays: 700 }).pull(now);
  expect(far.records.size).toBe(near.records.size + 1);
  for (const { query } of pos.requestsFor("/reporting/transactions")) {
    const span = Date.parse(query.get("ToDateUTC") ?? "") - Date.parse(query.get("FromDateUTC") ?? "");
    expect(span).toBeLessThanOrEqual(1440 * hour);
  }
});

test("the wholesale type has the wholesale orders and no retail sales", async () => {
  const wholesale = { ...rec, posType: "Dutchie Wholesale" as const, businessType: "wholesale" as const };
  const { records } = await puller("sale", wholesale).pull(now);
  const orders = pos.shop.sales.filter(({ kind }) => kind === "wholesale");
  expect([...records.values()].map(({ pos_sale_id }) => pos_sale_id).sort()).toEqual(
    orders.map(({ number }) => String(number)).sort(),
  );
  expect([...records.values()].every(({ type }) => type === "wholesale")).toBe(true);
});
