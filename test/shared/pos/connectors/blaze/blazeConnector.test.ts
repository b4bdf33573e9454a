import { describe, expect, test } from "vitest";
import type { FakeBlaze } from "../../fakes/fakeBlaze.ts";
import { FakePosUnderTest } from "../../fakes/fakePosUnderTest.ts";
import { smallSize } from "../../fakes/shop.ts";

const fake = new FakePosUnderTest("blaze", "2026-03-10T19:30:00.000Z");
const server = () => fake.pos.server as FakeBlaze;
const path = (below: string) => `/api/v1/partner${below}`;

test("the store is the key's shop, and the service's own key is sent under both names", async () => {
  const address = "412 Pearl Street, Boulder, CO 80302";
  expect(await fake.verify()).toEqual([{ id: "5ab000000000000000000001", name: "Greenway", address }]);
  const [request] = server().requests;
  expect(request?.headers).toMatchObject({ "x-api-key": "blaze-partner-key", partner_key: "blaze-partner-key" });
});

test("days are requested in spans of at most a week, and lines missing from the list with the sale itself", async () => {
  const pulled = await fake.pull("sale");
  for (const sale of pulled.records.values()) {
    if (sale.transaction_type !== "adjustment") expect(sale.line_items.length).toBeGreaterThan(0);
  }
  const numbers = fake.pos.shop.sales.filter(
    ({ number, kind, status }) => number % 5 === 0 && kind === "retail" && (status === "sold" || status === "voided"),
  );
  const singles = server().requestsFor(/transactions\/./);
  expect(new Set(singles.map(({ path }) => path)).size).toBe(numbers.length);
  // Sales of the other shop are not requested.
  expect(singles.filter(({ path }) => path.endsWith("5ab0ffffffffffffffffffff"))).toEqual([]);
});

test("a list that reports no number of rows is not complete", async () => {
  expect((await fake.pull("inventory")).complete).toBe(true);
  server().totalOf = () => null;
  expect(await fake.pull("inventory")).toMatchObject({ complete: false, records: { size: smallSize.products } });
});

test("the unit cost is that of the latest batch, and unknown if batches cannot be read", async () => {
  const costs = async () => {
    const { records } = await fake.pull("product");
    return new Set([...records.values()].map(({ unit_cost }) => unit_cost));
  };
  const stocked = new Set(fake.pos.shop.packages.map(({ product }) => product.cost));
  expect(await costs()).toEqual(new Set([...stocked, null]));
  server().closed.add("/store/batches");
  expect(await costs()).toEqual(new Set([null]));
});

test("locations of stock have no name if the key cannot read them", async () => {
  server().closed.add("/store/inventory/inventories");
  const { records } = await fake.pull("inventory");
  const names = [...records.values()].flatMap(({ location_data }) => location_data?.map(({ name }) => name) ?? []);
  expect(new Set(names)).toEqual(new Set([null]));
});

test("a deleted sale is voided whatever its status, and one that was never stored is not read", async () => {
  const stored = fake.pos.shop.sell(fake.now.getTime() - 60_000);
  const pulled = await fake.pull("sale");
  const other = fake.pos.shop.sell(fake.now.getTime() - 30_000);
  server().rewriteAt<{ values: { id: string }[] }>(path("/transactions"), (body) => {
    for (const row of body.values) {
      if (row.id === stored.uuid || row.id === other.uuid) Object.assign(row, { deleted: true, status: "Canceled" });
    }
    return body;
  });
  await pulled.pull(fake.later(60));
  expect(pulled.records.get(stored.uuid)).toMatchObject({ transaction_type: "adjustment", total_paid: 0 });
  expect(pulled.records.has(other.uuid)).toBe(false);
});

test("a sale that cannot be read alone is rejected, and the others are stored", async () => {
  const all = (await fake.pull("sale")).records.size;
  const single = server().requests.find(({ path }) => /transactions\/./.test(path))?.path ?? "";
  server().respond(single, { status: 404, body: {} });
  const unreadable = { id: "n", status: 3, transType: 4 };
  server().rewriteAt<{ values: unknown[] }>(path("/transactions"), ({ values, ...page }) => ({
    ...page,
    values: values.length === 0 ? [] : [...values, unreadable],
  }));
  const pulled = await fake.pull("sale");
  expect(pulled.records.size).toBe(all - 1);
  const rejected = { posId: single.split("/").at(-1), field: "cart.items", reason: "not_given" };
  expect(pulled.rejected.filter(({ posId }) => posId !== "n")).toContainEqual(rejected);
});

describe("the unit cost of all products is unknown", () => {
  const batches = path("/store/batches");
  const costs = async () => {
    const deadline = new Date(fake.now.getTime() + 10 * 60_000);
    const { records } = await fake.page("product", { deadline });
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
