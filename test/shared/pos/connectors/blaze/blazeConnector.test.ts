import { describe, expect, test } from "vitest";
import { blazeConnector } from "../../../../../shared/pos/connectors/blaze/blazeConnector.ts";
import type { FakeBlaze } from "../../fakes/fakeBlaze.ts";
import { FakePosUnderTest } from "../../fakes/fakePosUnderTest.ts";
import { smallSize } from "../../fakes/shop.ts";

const fake = new FakePosUnderTest("blaze", "2026-03-10T19:30:00.000Z");
const server = () => fake.pos.server as FakeBlaze;
const day = 24 * 60;
const path = (below: string) => `/api/v1/partner${below}`;

test("the store is the key's shop, and the service's own key is sent under both names", async () => {
  const address = "412 Pearl Street, Boulder, CO 80302";
  expect(await fake.pos.connector().verify(fake.pos.connection)).toEqual([
    { id: "5ab000000000000000000001", name: "Greenway", address },
  ]);
  const [request] = server().requests;
  expect(request?.headers).toMatchObject({ "x-api-key": "blaze-partner-key", partner_key: "blaze-partner-key" });
});

test("without the service's own key no request is sent, and the POS counts as unreachable", async () => {
  const one = blazeConnector({ url: server().url, requestsPerSecond: Number.POSITIVE_INFINITY });
  await expect(one.verify(fake.pos.connection)).rejects.toMatchObject({
    failure: "unreachable",
    code: "no_partner_key",
  });
  expect(server().requests).toEqual([]);
});

test("days are requested in spans of at most a week, and lines missing from the list with the sale itself", async () => {
  const pulled = await fake.puller("sale").pull(fake.now);
  for (const sale of pulled.records.values()) {
    if (sale.transaction_type !== "adjustment") expect(sale.line_items.length).toBeGreaterThan(0);
  }
  const single = /transactions\/./;
  const numbers = fake.pos.shop.sales.filter(
    ({ number, kind, status }) => number % 5 === 0 && kind === "retail" && (status === "sold" || status === "voided"),
  );
  expect(
    new Set(
      server()
        .requestsFor(single)
        .map(({ path }) => path),
    ).size,
  ).toBe(numbers.length);
});

test("a void is found while its day is read again: a week at each pull, five weeks at night", async () => {
  const pulled = await fake.puller("sale").pull(fake.now);
  const [young, old] = [3, 20].map((days) => fake.pos.shop.sell(fake.now.getTime() - days * day * 60_000));
  if (!young || !old) throw new Error("nothing sold");
  await pulled.pull(fake.later(day));
  fake.pos.shop.voidSale(young);
  fake.pos.shop.voidSale(old);
  await pulled.pull(fake.later(60));
  const types = () => [young, old].map(({ uuid }) => pulled.records.get(uuid)?.transaction_type);
  expect(types()).toEqual(["adjustment", "sale"]);
  await pulled.pull(fake.later(day));
  expect(types()).toEqual(["adjustment", "adjustment"]);
});

test("a list is complete only with as many rows as it reports, and if none changed meanwhile", async () => {
  expect((await fake.puller("inventory").pull(fake.now)).complete).toBe(true);
  server().totalOf = (count) => count + 1;
  expect((await fake.puller("inventory").pull(fake.now)).complete).toBe(false);
  server().totalOf = () => null;
  const withoutTotal = await fake.puller("inventory").pull(fake.now);
  expect(withoutTotal.complete).toBe(false);
  expect(withoutTotal.records.size).toBe(smallSize.products);
  server().totalOf = (count) => count;
  let requests = 0;
  server().beforeAnswer = (request) => {
    if (request.path === path("/products") && ++requests === 2) {
      fake.later(1);
      fake.pos.shop.changeProduct(fake.pos.shop.products[0] as never);
    }
  };
  expect((await fake.puller("inventory").pull(fake.now)).complete).toBe(false);
});

test("a list without pages comes to its end", async () => {
  server().rewrite = (body, request) =>
    request.path === path("/products") ? { values: [{ id: "a" }, { id: "b" }, { id: "c" }, { id: "d" }] } : body;
  expect((await fake.puller("product").pull(fake.now)).ids).toEqual(["a", "b", "c", "d"]);
});

test("the unit cost is that of the latest batch, and unknown if batches cannot be read", async () => {
  const costs = async () => {
    const { records } = await fake.puller("product").pull(fake.now);
    return new Set([...records.values()].map(({ unit_cost }) => unit_cost));
  };
  const stocked = new Set(fake.pos.shop.packages.map(({ product }) => product.cost));
  expect(await costs()).toEqual(new Set([...stocked, null]));
  server().closed.add("/store/batches");
  expect(await costs()).toEqual(new Set([null]));
});

test("locations of stock have no name if the key cannot read them", async () => {
  server().closed.add("/store/inventory/inventories");
  const { records } = await fake.puller("inventory").pull(fake.now);
  const names = [...records.values()].flatMap(({ location_data }) => location_data?.map(({ name }) => name) ?? []);
  expect(new Set(names)).toEqual(new Set([null]));
});

test("a deleted sale is voided whatever its status, and one that was never stored is not read", async () => {
  const stored = fake.pos.shop.sell(fake.now.getTime() - 60_000);
  const pulled = await fake.puller("sale").pull(fake.now);
  const other = fake.pos.shop.sell(fake.now.getTime() - 30_000);
  server().rewrite = (body, request) => {
    const rows = request.path === path("/transactions") ? (body as { values: Record<string, unknown>[] }).values : [];
    for (const row of rows) {
      if (row.id === stored.uuid || row.id === other.uuid) Object.assign(row, { deleted: true, status: "Canceled" });
    }
    return body;
  };
  await pulled.pull(fake.later(60));
  expect(pulled.records.get(stored.uuid)).toMatchObject({ transaction_type: "adjustment", total_paid: 0 });
  expect(pulled.records.has(other.uuid)).toBe(false);
});

test("a sale that is canceled after it was stored is voided, and one that was never stored is not read", async () => {
  const stored = fake.pos.shop.sell(fake.now.getTime() - 60_000);
  const pulled = await fake.puller("sale").pull(fake.now);
  fake.pos.shop.cancelSale(stored);
  const other = fake.pos.shop.sell(fake.now.getTime() - 30_000);
  fake.pos.shop.cancelSale(other);
  await pulled.pull(fake.later(60));
  expect(pulled.records.get(stored.uuid)).toMatchObject({ transaction_type: "adjustment", total_paid: 0 });
  expect(pulled.records.has(other.uuid)).toBe(false);
});

test.each(["location", "product", "inventory", "sale"] as const)(
  "rows of the company's other shop are dropped and counted (%s)",
  async (kind) => {
    const pulled = await fake.puller(kind).pull(fake.now);
    expect(pulled.foreign).toBeGreaterThan(0);
    expect(pulled.ids.filter((id) => id.startsWith("5ab0ffff"))).toEqual([]);
    expect(server().requestsFor(path("/transactions/5ab0ffffffffffffffffffff"))).toEqual([]);
  },
);

test("members belong to the company, whichever shop they signed up at", async () => {
  const shops = new Set<unknown>();
  server().rewrite = (body, request) => {
    if (request.path !== path("/members")) return body;
    for (const { shopId } of (body as { values: { shopId: unknown }[] }).values) shops.add(shopId);
    return body;
  };
  const pulled = await fake.puller("customer").pull(fake.now);
  expect(shops.size).toBe(2);
  expect(pulled.records.size).toBe(fake.pos.shop.customers.length);
});

test("transactions of an unknown status or type are rejected", async () => {
  const { rejected } = await fake.puller("sale").pull(fake.now);
  expect(new Set(rejected.map(({ field, reason }) => `${field}: ${reason}`))).toEqual(
    new Set(["status: unknown_status", "transType: unknown_status"]),
  );
});

test("a sale that cannot be read alone is rejected, and the others are stored", async () => {
  const all = (await fake.puller("sale").pull(fake.now)).records.size;
  const single = server().requests.find(({ path }) => /transactions\/./.test(path))?.path ?? "";
  server().faults = (request) =>
    request.path === single ? { kind: "answer", answer: { status: 404, body: {} } } : undefined;
  server().rewrite = (body, request) => {
    if (request.path !== path("/transactions")) return body;
    const { values } = body as { values: unknown[] };
    return {
      ...(body as object),
      values: values.length === 0 ? [] : [...values, { id: "n", status: 3, transType: 4 }],
    };
  };
  const pulled = await fake.puller("sale").pull(fake.now);
  expect(pulled.records.size).toBe(all - 1);
  const rejected = { posId: single.split("/").at(-1), field: "cart.items", reason: "not_given" };
  expect(pulled.rejected.filter(({ posId }) => posId !== "n")).toContainEqual(rejected);
});

test("products are read even if the request for batches fails", async () => {
  server().faults = (request) =>
    request.path === path("/store/batches") ? { kind: "answer", answer: { status: 400, body: {} } } : undefined;
  expect((await fake.puller("product").pull(fake.now)).records.size).toBe(smallSize.products);
});

describe("the unit cost of all products is unknown", () => {
  const batches = path("/store/batches");
  const costs = async () => {
    const deadline = new Date(fake.now.getTime() + 10 * 60_000);
    const request = { kind: "product", since: null, position: null, now: fake.now, deadline } as const;
    const { records } = await fake.pos.connector().pull(fake.pos.connection, request);
    expect(records.length).toBeGreaterThan(0);
    return records.filter(({ unit_cost }) => unit_cost !== null).length;
  };

  test("if half of the remaining time is not enough for all batches", async () => {
    expect(await costs()).toBeGreaterThan(0);
    const before = server().requestsFor(batches).length;
    server().beforeAnswer = (request) => {
      if (request.path === batches) fake.later(4);
    };
    expect(await costs()).toBe(0);
    expect(server().requestsFor(batches).length - before).toBe(2);
  });

  test("if Blaze returns batches of only one status", async () => {
    server().faults = ({ query }) =>
      query.get("status") === "READY_FOR_SALE" ? { kind: "answer", answer: { status: 400, body: {} } } : undefined;
    expect(await costs()).toBe(0);
  });
});
