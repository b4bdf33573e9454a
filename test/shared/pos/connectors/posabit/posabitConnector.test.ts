import { describe, expect, test } from "vitest";
import { page } from "../../../../../shared/pos/connectors/posabit/responses.ts";
import type { FakePosabit } from "../../fakes/fakePosabit.ts";
import { FakePosUnderTest } from "../../fakes/fakePosUnderTest.ts";
import type { FakeAnswer } from "../../fakes/fakeServer.ts";
import type { ShopProduct } from "../../fakes/shop.ts";

const fake = new FakePosUnderTest("posabit", "2026-03-10T19:30:00.000Z");
const server = () => fake.pos.server as FakePosabit;
const requestCount = (path: string) => server().requestsFor(path).length;

const store = (more: object) => [{ id: "venue", name: "Venue", address: null, ...more }];
const described = store({ name: "Example Dispensary", address: "1 Pearl Street, Boulder, CO 80302" });

describe("the store is the token's venue", () => {
  test("with the name and address that POSaBIT returns, which proves the token", async () => {
    expect(await fake.verify()).toEqual(described);
    expect(server().requests.map(({ path }) => path)).toEqual(["/v3/info"]);
  });

  test("also with a token that only version 2 accepts", async () => {
    server().versions.delete("v3");
    expect(await fake.verify()).toEqual(described);
    expect(server().requests.map(({ path }) => path)).toEqual(["/v3/info", "/v2/venue/info"]);
  });

  test("and comes from version 2 if version 3 returns another form", async () => {
    server().rewriteAt("/v3/info", (body) => ({ venues: [body] }));
    expect(await fake.verify()).toEqual(described);
  });

  test.each<[string, FakeAnswer]>([
    ["401", { status: 401 }],
    ["403", { status: 403, body: { error: "no" } }],
    ["404", { status: 404 }],
    ["another form", { body: { status: 200 } }],
  ])(
    "and if POSaBIT does not describe it (%s), the smallest page of customers proves the token",
    async (_, response) => {
      server().respond(/info$/, response);
      expect(await fake.verify()).toEqual(store({}));
      const [request, ...others] = server().requests.filter(({ path }) => !path.endsWith("/info"));
      expect(others).toEqual([]);
      expect(Object.fromEntries(request?.query ?? [])).toEqual({
        page: "1",
        per_page: "1",
        start_date: "2000-01-01",
        end_date: "2099-12-31",
      });
    },
  );

  test("an outage of the description does not count as a missing description, which would change prices", async () => {
    server().respond(/info$/, { status: 503 });
    await expect(fake.pull("product")).rejects.toMatchObject({ failure: "unreachable" });
  });
});

describe("versions of the API", () => {
  const withoutToken = { integratorToken: "" };

  test("without the service's own token, only version 2 is used", async () => {
    const { records } = await fake.pull("customer", {}, withoutToken);
    expect(records).toEqual(await fake.afresh("customer"));
    expect(requestCount("/v2/venue/customers")).toBeGreaterThan(1);
    server().versions.delete("v2");
    await expect(fake.verify({}, withoutToken)).rejects.toMatchObject({ failure: "credentialsRefused" });
  });

  test("if version 3 rejects the token, version 2 is used for this page and the next ones", async () => {
    const customers = await fake.afresh("customer");
    server().versions.delete("v3");
    const before = requestCount("/v3/venue/customers");
    const pulled = await fake.pull("customer");
    expect(pulled.pages).toBeGreaterThan(2);
    expect(pulled.records).toEqual(customers);
    expect(requestCount("/v3/venue/customers") - before).toBe(1);
  });

  test("a list that version 3 does not have is read from version 2, and other lists are not", async () => {
    const sales = await fake.afresh("sale");
    server().closed.add("v3/sales_histories");
    expect((await fake.pull("sale")).records).toEqual(sales);
    const rows = requestCount("/v2/venue/sales_histories");
    expect(rows).toBeGreaterThan(2);
    await fake.pull("customer");
    expect(requestCount("/v2/venue/customers")).toBe(0);
    server().closed.add("v2/sales_histories");
    const pull = fake.pull("sale");
    await expect(pull).rejects.toMatchObject({ failure: "notUnderstood", code: "404" });
  });

  test.each<[string, (body: object) => unknown]>([
    ["without counts", ({ total_records: _, ...body }: { total_records?: number }) => body],
    ["with another list in it", (body) => ({ ...body, others: [] })],
    ["without a list", () => ({ status: 200, code: 1 })],
  ])("a list that version 3 returns in another form (%s) is read from version 2", async (_, change) => {
    const sales = await fake.afresh("sale");
    server().rewriteAt("/v3/venue/sales_histories", change);
    expect((await fake.pull("sale")).records).toEqual(sales);
    server().respond(/^.v2/, { status: 401 });
    // Version 3 accepts the token.
    const pull = fake.pull("sale");
    await expect(pull).rejects.toMatchObject({ failure: "notUnderstood", code: "envelope" });
  });

  test("version 2 returns the number of pages, version 3 the size of a page, or both", async () => {
    const expected = await fake.afresh("customer");
    type Page = { page?: number; total_records: number; per_page: number };
    server().rewriteAt<Page>(/customers$/, ({ page, ...fields }) => {
      const total_pages = Math.ceil(fields.total_records / fields.per_page);
      return { ...fields, current_page: page, total_pages };
    });
    expect(await fake.afresh("customer")).toEqual(expected);
    server().rewrite = (body) => body;
    server().versions.delete("v3");
    const before = requestCount("/v3/venue/customers");
    expect(await fake.afresh("customer")).toEqual(expected);
    expect(requestCount("/v3/venue/customers")).toBe(before + 1);
  });

  test.each([400, 404])("a token that version 3 rejects is rejected, even if version 2 returns %i", async (status) => {
    server().versions.delete("v3");
    server().respond(/^.v2/, { status });
    const failure = { failure: "credentialsRefused", code: "401" };
    await expect(fake.verify()).rejects.toMatchObject(failure);
    await expect(fake.pull("sale")).rejects.toMatchObject(failure);
  });

  test("an outage of version 3 does not lead to another version", async () => {
    server().respond(/^.v3/, { status: 503 });
    await expect(fake.pull("sale")).rejects.toMatchObject({ failure: "unreachable", code: "503" });
    expect(server().requestsFor(/^\/v2\//)).toEqual([]);
  });
});

test("a list of lots is complete only with as many rows as it reports", async () => {
  const complete = async () => [(await fake.pull("inventory")).complete, (await fake.pull("location")).complete];
  expect(await complete()).toEqual([true, true]);
  server().rewrite = (body) => ({ ...(body as object), total_records: 1 });
  expect(await complete()).toEqual([false, false]);
});

test.each([
  ["counts no pages", { total_pages: null, per_page: null }],
  ["has pages of no rows", { total_pages: null, per_page: 0 }],
  ["has no list", { customers: null }],
  ["has two lists", { others: [] }],
])("a page that %s is not understood", async (_, change) => {
  server().rewrite = (body) => ({ ...(body as object), ...change });
  const pull = fake.pull("customer");
  await expect(pull).rejects.toMatchObject({ failure: "notUnderstood", code: "envelope" });
});

test.each<[string, object, object]>([
  ["is not wrapped", { id: 1, items: [] }, { id: 1, items: [] }],
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

test("a row without an id does not count as a wrapper of its object", () => {
  const row = { customer: { id: 7 }, name: "Gelato" };
  expect(page.parse({ total_records: 1, per_page: 30, list: [row] }).rows).toEqual([row]);
});

test.each([
  ["no rows in the first of two pages", { customers: [], total_records: 500, total_pages: 2 }],
  ["no rows in the only page, and no total", { customers: [], total_records: null, total_pages: 1 }],
  ["rows in a page of a list without pages", { total_records: null, total_pages: 0 }],
])("%s: the list is not understood, instead of ended", async (_, change) => {
  server().rewrite = (body) => ({ ...(body as object), ...change });
  const pull = fake.pull("customer");
  await expect(pull).rejects.toMatchObject({ failure: "notUnderstood", code: "page" });
});

test.each([0, 1])("an empty list may have %i pages", async (total_pages) => {
  server().rewrite = () => ({ customers: [], total_records: 0, total_pages });
  expect((await fake.pull("customer")).records.size).toBe(0);
});

test.each(["customer", "sale", "inventory", "product"] as const)(
  "every %s is read if pages are shorter than their count suggests, or not counted",
  async (kind) => {
    const expected = await fake.afresh(kind);
    server().rewrite = (body, { query }) => {
      const { total_records } = body as { total_records: number };
      return { ...(body as object), total_pages: Math.ceil(total_records / Number(query.get("per_page"))) };
    };
    expect(await fake.afresh(kind)).toEqual(expected);
    server().rewrite = (body) => ({ ...(body as object), total_pages: 0 });
    expect(await fake.afresh(kind)).toEqual(expected);
  },
);

test("the venue is the only location if no lot is in a room, or if there is no lot", async () => {
  server().rewriteAt<{ inventory: object[] }>(/inventories$/, ({ inventory, ...more }) => ({
    ...more,
    inventory: inventory.map((row) => ({ ...row, rooms: null })),
  }));
  expect((await fake.pull("location")).ids).toEqual(["venue"]);
  const { records } = await fake.pull("inventory");
  const places = [...records.values()].flatMap(({ location_data }) => location_data ?? []);
  expect(new Set(places.map(({ pos_location_id }) => pos_location_id))).toEqual(new Set(["venue"]));
  server().rewriteAt(/inventories$/, () => ({ inventory: [], total_records: 0, total_pages: 0 }));
  // Nothing vanishes, because an empty list proves nothing.
  expect((await fake.pull("location")).complete).toBe(false);
  expect((await fake.pull("location")).ids).toEqual(["venue"]);
});

test("a product is that of its latest active lot, and a lot without a product is rejected", async () => {
  const lots = [
    { id: 9, product_id: 1, name: "Old", price: 100 },
    { id: 11, product_id: 1, name: "Withdrawn", price: 300, active: false },
    { id: 10, product_id: 1, name: "New", price: 200 },
    { id: 12, name: "Nothing" },
  ];
  server().hasTaxInPrices = false;
  server().rewriteAt(/inventories$/, () => ({ inventory: lots, total_records: 4, total_pages: 1 }));
  const { records, rejected } = await fake.pull("product");
  expect([...records.values()]).toMatchObject([{ pos_product_id: "1", name: "New", price: 200 }]);
  expect(rejected).toEqual([{ posId: "", field: "product_id", reason: "no_id" }]);
});

describe("prices that include tax", () => {
  const pricesOf = async () => [...(await fake.afresh("product")).values()].map(({ price }) => price);

  test("are not used for products, whose prices are before tax", async () => {
    server().hasTaxInPrices = false;
    // The price of a product that is sold by weight depends on tiers.
    const isBulk = ({ kind, number }: ShopProduct) => kind === "flower" && number % 5 === 0;
    const expected = fake.pos.shop.products.map((product) => (isBulk(product) ? null : product.price));
    expect(expected).toContain(null);
    expect((await pricesOf()).sort()).toEqual(expected.sort());
    server().hasTaxInPrices = true;
    expect(new Set(await pricesOf())).toEqual(new Set([null]));
    // Without the description, it is unknown whether prices include tax.
    server().closed.add("v3/info").add("v2/info");
    expect((await pricesOf()).sort()).toEqual(expected.sort());
  });

  test("do not change sales", async () => {
    server().hasTaxInPrices = false;
    const sales = await fake.afresh("sale");
    server().hasTaxInPrices = true;
    expect(await fake.afresh("sale")).toEqual(sales);
  });
});

test("times without a zone are in the venue's zone, or else in the business's", async () => {
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

describe("the unit cost of a product", () => {
  const costs = async () => {
    const { records } = await fake.pull("product");
    return [...records.values()].map(({ unit_cost }) => unit_cost).filter((cost) => cost !== null);
  };

  test("is that of the latest entry for its lot", async () => {
    const { products, packages } = fake.pos.shop;
    const stocked = products.filter((product) => packages.some((one) => one.product === product));
    expect((await costs()).sort()).toEqual(stocked.map(({ cost }) => cost).sort());
  });

  test("is read after the lots, and is unknown if there is not enough time for all", async () => {
    const deadline = new Date(fake.now.getTime() + 10 * 60_000);
    const costsOf = async () => {
      const { records } = await fake.page("product", { deadline });
      return records.filter(({ unit_cost }) => unit_cost !== null).length;
    };
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

  test.each([401, 403, 404])("is unknown if POSaBIT does not return it (%i)", async (status) => {
    server().respond(/manifest_items$/, { status });
    expect(await costs()).toEqual([]);
    expect((await fake.pull("product")).records.size).toBe(fake.pos.shop.products.length);
  });
});
