import { describe, expect, test } from "vitest";
import { posabitConnector } from "../../../../../shared/pos/connectors/posabit/posabitConnector.ts";
import { page } from "../../../../../shared/pos/connectors/posabit/responses.ts";
import type { FakePosabit } from "../../fakes/fakePosabit.ts";
import { FakePosUnderTest } from "../../fakes/fakePosUnderTest.ts";
import type { FakeAnswer } from "../../fakes/fakeServer.ts";
import { PulledRecords } from "../../fakes/pulls.ts";

const fake = new FakePosUnderTest("posabit", "2026-03-10T19:30:00.000Z");
const server = () => fake.pos.server as FakePosabit;
const requestCount = (path: string) => server().requestsFor(path).length;

const store = (more: object) => [{ id: "venue", name: "Venue", address: null, ...more }];
const described = store({ name: "Example Dispensary", address: "1 Pearl Street, Boulder, CO 80302" });

describe("the store is the token's venue", () => {
  test("with the name and address that POSaBIT states, which proves the token", async () => {
    expect(await fake.pos.connector().verify(fake.pos.connection)).toEqual(described);
    expect(server().requests.map(({ path }) => path)).toEqual(["/v3/info"]);
  });

  test("each verification requests the venue again, although it is cached", async () => {
    const connector = fake.pos.connector();
    await connector.verify(fake.pos.connection);
    server().faults = () => ({ kind: "answer", answer: { status: 401 } });
    await expect(connector.verify(fake.pos.connection)).rejects.toMatchObject({ failure: "credentialsRefused" });
  });

  test("a token that only version 2 accepts", async () => {
    server().versions.delete("v3");
    expect(await fake.pos.connector().verify(fake.pos.connection)).toEqual(described);
    expect(server().requests.map(({ path }) => path)).toEqual(["/v3/info", "/v2/venue/info"]);
  });

  test("version 2 describes the venue where version 3 does so in another form", async () => {
    server().rewrite = (body, { path }) => (path === "/v3/info" ? { venues: [body] } : body);
    expect(await fake.pos.connector().verify(fake.pos.connection)).toEqual(described);
  });

  test.each<[string, FakeAnswer]>([
    ["401", { status: 401 }],
    ["403", { status: 403, body: { error: "no" } }],
    ["404", { status: 404 }],
    ["another form", { body: { status: 200 } }],
  ])("where POSaBIT does not describe it (%s), the smallest page of customers proves the token", async (_, answer) => {
    server().faults = ({ path }) => (path.endsWith("/info") ? { kind: "answer", answer } : undefined);
    expect(await fake.pos.connector().verify(fake.pos.connection)).toEqual(store({}));
    const [request, ...others] = server().requests.filter(({ path }) => !path.endsWith("/info"));
    expect(others).toEqual([]);
    expect(Object.fromEntries(request?.query ?? [])).toEqual({
      page: "1",
      per_page: "1",
      start_date: "2000-01-01",
      end_date: "2099-12-31",
    });
  });

  test("an outage of the description does not count as a missing description, which would change prices", async () => {
    server().faults = ({ path }) => (path.endsWith("/info") ? { kind: "answer", answer: { status: 503 } } : undefined);
    await expect(fake.puller("product").pull(fake.now)).rejects.toMatchObject({ failure: "unreachable" });
  });
});

describe("versions of the API", () => {
  const bare = () => posabitConnector({ url: server().url, requestsPerSecond: Number.POSITIVE_INFINITY });

  test("without a token of this service's own, version 2 alone", async () => {
    const { records } = await new PulledRecords(bare(), fake.pos.connection, "customer").pull(fake.now);
    expect(records).toEqual(await fake.afresh("customer"));
    expect(requestCount("/v2/venue/customers")).toBeGreaterThan(1);
    server().versions.delete("v2");
    await expect(bare().verify(fake.pos.connection)).rejects.toMatchObject({ failure: "credentialsRefused" });
  });

  test("where version 3 refuses the token, version 2 is asked, and again in the next pages", async () => {
    const customers = await fake.afresh("customer");
    server().versions.delete("v3");
    const before = requestCount("/v3/venue/customers");
    const pulled = await fake.puller("customer").pull(fake.now);
    expect(pulled.pages).toBeGreaterThan(2);
    expect(pulled.records).toEqual(customers);
    expect(requestCount("/v3/venue/customers") - before).toBe(1);
  });

  test("a list that version 3 does not have is read from version 2, the others are not", async () => {
    const sales = await fake.afresh("sale");
    server().closed.add("v3/sales_histories");
    expect((await fake.puller("sale").pull(fake.now)).records).toEqual(sales);
    const rows = requestCount("/v2/venue/sales_histories");
    expect(rows).toBeGreaterThan(2);
    await fake.puller("customer").pull(fake.now);
    expect(requestCount("/v2/venue/customers")).toBe(0);
    server().closed.add("v2/sales_histories");
    const pull = fake.puller("sale").pull(fake.now);
    await expect(pull).rejects.toMatchObject({ failure: "notUnderstood", code: "404" });
  });

  test.each<[string, (body: object) => unknown]>([
    ["without counts", ({ total_records: _, ...body }: { total_records?: number }) => body],
    ["with another list in it", (body) => ({ ...body, others: [] })],
    ["without a list", () => ({ status: 200, code: 1 })],
  ])("a list that version 3 gives in another form (%s) is read from version 2", async (_, change) => {
    const sales = await fake.afresh("sale");
    server().rewrite = (body, { path }) => (path === "/v3/venue/sales_histories" ? change(body as object) : body);
    expect((await fake.puller("sale").pull(fake.now)).records).toEqual(sales);
    server().faults = ({ path }) => (path.startsWith("/v2/") ? { kind: "answer", answer: { status: 401 } } : undefined);
    // Version 3 lets the token in.
    const pull = fake.puller("sale").pull(fake.now);
    await expect(pull).rejects.toMatchObject({ failure: "notUnderstood", code: "envelope" });
  });

  test("version 2 states the number of pages, version 3 the size of one, or both", async () => {
    const calm = await fake.afresh("customer");
    server().rewrite = (body, { path }) => {
      const { page, ...fields } = body as { page?: number; total_records: number; per_page: number };
      if (!path.endsWith("/customers")) return body;
      const total_pages = Math.ceil(fields.total_records / fields.per_page);
      return { ...fields, current_page: page, total_pages };
    };
    expect(await fake.afresh("customer")).toEqual(calm);
    server().rewrite = (body) => body;
    server().versions.delete("v3");
    const before = requestCount("/v3/venue/customers");
    expect(await fake.afresh("customer")).toEqual(calm);
    expect(requestCount("/v3/venue/customers")).toBe(before + 1);
  });

  test.each([400, 404])("a token that version 3 refuses is refused, though version 2 answers %i", async (status) => {
    server().versions.delete("v3");
    server().faults = ({ path }) => (path.startsWith("/v2/") ? { kind: "answer", answer: { status } } : undefined);
    const failure = { failure: "credentialsRefused", code: "401" };
    await expect(fake.pos.connector().verify(fake.pos.connection)).rejects.toMatchObject(failure);
    await expect(fake.puller("sale").pull(fake.now)).rejects.toMatchObject(failure);
  });

  test("an outage of version 3 leads to no other version", async () => {
    server().faults = ({ path }) => (path.startsWith("/v3/") ? { kind: "answer", answer: { status: 503 } } : undefined);
    await expect(fake.puller("sale").pull(fake.now)).rejects.toMatchObject({ failure: "unreachable", code: "503" });
    expect(server().requestsFor(/^\/v2\//)).toEqual([]);
  });
});

test("a list is whole only where as many rows came as it says, and nothing moved", async () => {
  expect((await fake.puller("inventory").pull(fake.now)).complete).toBe(true);
  expect((await fake.puller("location").pull(fake.now)).complete).toBe(true);
  server().rewrite = (body) => ({ ...(body as object), total_records: 1 });
  expect((await fake.puller("inventory").pull(fake.now)).complete).toBe(false);
  expect((await fake.puller("location").pull(fake.now)).complete).toBe(false);
  server().rewrite = (body) => body;
  let requests = 0;
  server().beforeAnswer = ({ path }) => {
    if (path.endsWith("/inventories") && ++requests === 2) fake.pos.shop.addPackage();
  };
  expect((await fake.puller("inventory").pull(fake.now)).complete).toBe(false);
});

test.each([
  ["in a page", 1],
  ["in two pages", 2],
])("a lot that comes twice %s, in the place of another, keeps the list from being whole", async (_, page) => {
  let first: object | undefined;
  server().rewrite = (body, { path, query }) => {
    if (!path.endsWith("/inventories") || query.get("per_page") === "1") return body;
    const { inventory, ...more } = body as { inventory: object[] };
    first ??= inventory[0];
    const isChanged = query.get("page") === String(page);
    return { ...more, inventory: inventory.map((row, at) => (isChanged && at === 1 ? first : row)) };
  };
  const pulled = await fake.puller("inventory").pull(fake.now);
  expect(pulled.records.size).toBe(fake.pos.shop.packages.length + fake.pos.shop.products.length - 1);
  expect(pulled.complete).toBe(false);
  expect((await fake.puller("location").pull(fake.now)).complete).toBe(false);
});

test("a list without any row proves nothing, so that nothing vanishes", async () => {
  server().rewrite = (body, { path }) =>
    path.endsWith("/inventories") ? { inventory: [], total_records: 0, total_pages: 0 } : body;
  expect((await fake.puller("inventory").pull(fake.now)).complete).toBe(false);
  expect((await fake.puller("location").pull(fake.now)).complete).toBe(false);
});

test.each([
  ["counts no pages", { total_pages: null, per_page: null }],
  ["has pages of no rows", { total_pages: null, per_page: 0 }],
  ["holds no list", { customers: null }],
  ["holds two lists", { others: [] }],
])("a page that %s is not understood", async (_, change) => {
  server().rewrite = (body) => ({ ...(body as object), ...change });
  const pull = fake.puller("customer").pull(fake.now);
  await expect(pull).rejects.toMatchObject({ failure: "notUnderstood", code: "envelope" });
});

test.each<[string, object, object]>([
  ["is as it is", { id: 1, items: [] }, { id: 1, items: [] }],
  ["is wrapped", { customer: { id: 1 } }, { id: 1 }],
  [
    "is wrapped together with its lines",
    { sales_history: { id: 1 }, items: [{ item_id: 2 }] },
    { id: 1, items: [{ item_id: 2 }] },
  ],
])("a row that %s is read", (_, row, expected) => {
  const { rows } = page.parse({ total_records: 1, per_page: 30, sales_histories: [row] });
  expect(rows).toMatchObject([expected]);
});

test("a row without id is not taken for a wrapper of the object in it", () => {
  const row = { customer: { id: 7 }, name: "Gelato" };
  expect(page.parse({ total_records: 1, per_page: 30, list: [row] }).rows).toEqual([row]);
});

test.each([
  ["no rows in the first of two pages", { customers: [], total_records: 500, total_pages: 2 }],
  ["no rows in the one page, and no number of them", { customers: [], total_records: null, total_pages: 1 }],
  ["rows in none of no pages", { total_records: null, total_pages: 0 }],
])("%s: not understood, instead of the end", async (_, change) => {
  server().rewrite = (body) => ({ ...(body as object), ...change });
  const pull = fake.puller("customer").pull(fake.now);
  await expect(pull).rejects.toMatchObject({ failure: "notUnderstood", code: "page" });
});

test.each([0, 1])("a list without rows may have %i pages", async (total_pages) => {
  server().rewrite = () => ({ customers: [], total_records: 0, total_pages });
  expect((await fake.puller("customer").pull(fake.now)).records.size).toBe(0);
});

test.each(["customer", "sale", "inventory", "product"] as const)(
  "where pages are shorter than those by which they are counted, or not counted at all, every %s comes",
  async (kind) => {
    const calm = await fake.afresh(kind);
    server().rewrite = (body, { query }) => {
      const { total_records } = body as { total_records: number };
      return { ...(body as object), total_pages: Math.ceil(total_records / Number(query.get("per_page"))) };
    };
    expect(await fake.afresh(kind)).toEqual(calm);
    server().rewrite = (body) => ({ ...(body as object), total_pages: 0 });
    expect(await fake.afresh(kind)).toEqual(calm);
  },
);

test("where no lot is in a room, or there is none, the venue is the one location", async () => {
  server().rewrite = (body, { path }) => {
    if (!path.endsWith("/inventories")) return body;
    const { inventory, ...more } = body as { inventory: object[] };
    return { ...more, inventory: inventory.map((row) => ({ ...row, rooms: null })) };
  };
  expect((await fake.puller("location").pull(fake.now)).ids).toEqual(["venue"]);
  const { records } = await fake.puller("inventory").pull(fake.now);
  const places = [...records.values()].flatMap(({ location_data }) => location_data ?? []);
  expect(new Set(places.map(({ pos_location_id }) => pos_location_id))).toEqual(new Set(["venue"]));
  server().rewrite = (body, { path }) =>
    path.endsWith("/inventories") ? { inventory: [], total_records: 0, total_pages: 0 } : body;
  expect((await fake.puller("location").pull(fake.now)).ids).toEqual(["venue"]);
});

test("a product is as its latest active lot; one of no product is rejected", async () => {
  const lots = [
    { id: 9, product_id: 1, name: "Old", price: 100 },
    { id: 11, product_id: 1, name: "Withdrawn", price: 300, active: false },
    { id: 10, product_id: 1, name: "New", price: 200 },
    { id: 12, name: "Nothing" },
  ];
  server().hasTaxInPrices = false;
  server().rewrite = (body, { path }) =>
    path.endsWith("/inventories") ? { inventory: lots, total_records: 4, total_pages: 1 } : body;
  const { records, rejected } = await fake.puller("product").pull(fake.now);
  expect([...records.values()]).toMatchObject([{ pos_product_id: "1", name: "New", price: 200 }]);
  expect(rejected).toEqual([{ posId: "", field: "product_id", reason: "no_id" }]);
});

describe("prices that include tax", () => {
  const pricesOf = async () => [...(await fake.afresh("product")).values()].map(({ price }) => price);

  test("are not those of products, which are before tax", async () => {
    server().hasTaxInPrices = false;
    const expected = fake.pos.shop.products.map(({ price }) => price);
    expect((await pricesOf()).sort()).toEqual(expected.sort());
    server().hasTaxInPrices = true;
    expect(new Set(await pricesOf())).toEqual(new Set([null]));
    // Nothing says so then.
    server().closed.add("v3/info").add("v2/info");
    expect((await pricesOf()).sort()).toEqual(expected.sort());
  });

  test("leave sales as they are without", async () => {
    server().hasTaxInPrices = false;
    const sales = await fake.afresh("sale");
    server().hasTaxInPrices = true;
    expect(await fake.afresh("sale")).toEqual(sales);
  });
});

test("times without a zone are those of the venue's zone, else of the business's", async () => {
  const local = "2026-03-09T19:30:00";
  let timezone: string | null = "Pacific Time (US & Canada)";
  server().rewrite = (body, { path }) => {
    if (path.endsWith("/info")) return { ...(body as object), timezone };
    const { sales_histories = [], ...fields } = body as { sales_histories: { sales_history: object }[] };
    const sales = sales_histories.map(({ sales_history, ...more }) => ({
      ...more,
      sales_history: { ...sales_history, ordered_at: local, ordered_at_local: local, status: "completed" },
    }));
    return { ...fields, sales_histories: sales };
  };
  const datesOf = async () => new Set([...(await fake.afresh("sale")).values()].map(({ date }) => date));
  expect(await datesOf()).toEqual(new Set(["2026-03-10T02:30:00.000Z"]));
  for (timezone of ["Mars", null]) expect(await datesOf()).toEqual(new Set(["2026-03-10T01:30:00.000Z"]));
});

test("sales of unknown status are rejected by their ids, open ones are none", async () => {
  const pending = fake.pos.shop.sales.filter(({ status, kind }) => status === "pending" && kind === "retail");
  const { rejected, records } = await fake.puller("sale").pull(fake.now);
  const known = new Set(pending.map(({ number }) => String(number)));
  expect(rejected.length).toBeGreaterThan(0);
  expect(rejected.length).toBeLessThan(pending.length);
  for (const { posId, ...more } of rejected) {
    expect(known.has(posId)).toBe(true);
    expect(more).toEqual({ field: "status", reason: "unknown_status" });
  }
  for (const id of known) expect(records.has(id)).toBe(false);
});

describe("cost of a unit", () => {
  const costs = async () => {
    const { records } = await fake.puller("product").pull(fake.now);
    return [...records.values()].map(({ unit_cost }) => unit_cost).filter((cost) => cost !== null);
  };

  test("is told by the latest word of the lot", async () => {
    const { products, packages } = fake.pos.shop;
    const stocked = products.filter((product) => packages.some((one) => one.product === product));
    expect((await costs()).sort()).toEqual(stocked.map(({ cost }) => cost).sort());
  });

  test("is read behind the lots; where the time does not do for all of it, products come without", async () => {
    const deadline = new Date(fake.now.getTime() + 10 * 60_000);
    const request = { kind: "product", since: null, position: null, now: fake.now, deadline } as const;
    const pull = () => fake.pos.connector().pull(fake.pos.connection, request);
    const costsOf = async () => (await pull()).records.filter(({ unit_cost }) => unit_cost !== null).length;
    expect(await costsOf()).toBeGreaterThan(1);
    server().beforeAnswer = ({ path }) => {
      if (path.endsWith("/manifest_items")) fake.later(2);
    };
    const before = requestCount("/v3/venue/manifest_items");
    expect(await costsOf()).toBe(0);
    expect(requestCount("/v3/venue/manifest_items") - before).toBe(3);
    const [first] = server().requestsFor(/inventories|manifest_items/);
    expect(first?.path).toBe("/v3/venue/inventories");
  });

  test.each([401, 403, 404])("where POSaBIT does not give that (%i), products come without", async (status) => {
    server().faults = ({ path }) =>
      path.endsWith("/manifest_items") ? { kind: "answer", answer: { status } } : undefined;
    expect(await costs()).toEqual([]);
    expect((await fake.puller("product").pull(fake.now)).records.size).toBe(fake.pos.shop.products.length);
  });
});

test("a sale that is canceled is made void where it is stored; one that was never stored does not come", async () => {
  const stored = fake.pos.shop.sell(fake.now.getTime() - 60_000);
  const pulled = await fake.puller("sale").pull(fake.now);
  const other = fake.pos.shop.sell(fake.later(60).getTime() - 60_000);
  for (const sale of [stored, other]) fake.pos.shop.cancelSale(sale);
  await pulled.pull(fake.later(1));
  expect(pulled.records.get(String(stored.number))).toMatchObject({ transaction_type: "adjustment", total_paid: 0 });
  expect(pulled.records.has(String(other.number))).toBe(false);
});
