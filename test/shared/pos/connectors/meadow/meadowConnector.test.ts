import { describe, expect, test } from "vitest";
import type { RecordKind } from "../../../../../shared/api/kinds.ts";
import { meadowConnector } from "../../../../../shared/pos/connectors/meadow/meadowConnector.ts";
import { FakeMeadow } from "../../fakes/fakeMeadow.ts";
import { FakePosUnderTest } from "../../fakes/fakePosUnderTest.ts";
import { PulledRecords } from "../../fakes/pulls.ts";
import { smallSize } from "../../fakes/shop.ts";

const fake = new FakePosUnderTest("meadow", "2026-03-10T19:30:00.000Z");
const server = () => fake.pos.server as FakeMeadow;
const day = 24 * 60;

test("the store is the organization", async () => {
  const store = { id: "31", name: "Greenway", address: null };
  expect(await fake.pos.connector().verify(fake.pos.connection)).toEqual([store]);
  await new PulledRecords(fake.pos.connector(), { ...fake.pos.connection, locationId: "31" }, "location").pull(
    fake.now,
  );
});

test("without the service's own key no request is sent, and the POS counts as unreachable", async () => {
  const one = meadowConnector({ url: server().url, requestsPerSecond: Number.POSITIVE_INFINITY });
  const failure = { failure: "unreachable", code: "no_consumer_key" };
  await expect(one.verify(fake.pos.connection)).rejects.toMatchObject(failure);
  expect(server().requests).toEqual([]);
});

test("only the menu is requested at its own address, with the same keys", async () => {
  const menu = new FakeMeadow(1, smallSize);
  await menu.start();
  try {
    const one = meadowConnector({
      url: server().url,
      menuUrl: menu.url,
      consumerKey: menu.partnerKeys.POS_MEADOW_CONSUMER_KEY,
      requestsPerSecond: Number.POSITIVE_INFINITY,
    });
    for (const kind of ["product", "customer"] as const) {
      expect((await new PulledRecords(one, fake.pos.connection, kind).pull(fake.now)).records.size).toBeGreaterThan(0);
    }
    expect(menu.requests.map(({ path }) => path)).toEqual(["/api/v1/products/all"]);
    expect(server().requestsFor("/api/v1/products/all")).toEqual([]);
  } finally {
    await menu.close();
  }
});

test.each([400, 401, 403, 404])("the error code decides, whatever the status (%i)", async (status) => {
  const fault = (code: string) => ({ kind: "answer", answer: { status, body: { error: { code } } } }) as const;
  server().faults = () => fault("INVALID_API_CREDENTIALS");
  await expect(fake.pos.connector().verify(fake.pos.connection)).rejects.toMatchObject({
    failure: "credentialsRefused",
  });
  server().faults = ({ path }) => (path.endsWith("customers") ? fault("INSUFFICIENT_PERMISSIONS") : undefined);
  await expect(fake.puller("customer").pull(fake.now)).rejects.toMatchObject({ failure: "notPermitted" });
});

describe("stock", () => {
  test.each(["option", "product"] as const)("is counted by %s if the shop has no packages", async (by) => {
    const pulled = await fake.puller("inventory").pull(fake.now);
    server().stock = by;
    const counted = await fake.puller("inventory").pull(fake.now);
    expect(counted.records.size).toBe(smallSize.products);
    expect(counted.complete).toBe(true);
    const sum = (records: typeof pulled.records) =>
      [...records.values()].reduce((sum, { total_quantity }) => sum + total_quantity, 0);
    expect(sum(counted.records)).toBe(sum(pulled.records));
    for (const id of counted.ids) expect(id).toMatch(new RegExp(`^${by}-`));
  });

  test("by product is read completely with each pull", async () => {
    server().stock = "option";
    const pulled = await fake.puller("inventory").pull(fake.now);
    const [counted] = fake.pos.shop.packages;
    if (!counted) throw new Error("an empty shop");
    fake.pos.shop.countPackage(counted);
    await pulled.pull(fake.later(60));
    expect(pulled.complete).toBe(true);
    expect(pulled.read).toBe(smallSize.products);
    expect(pulled.records).toEqual(await fake.afresh("inventory"));
  });

  test.each([
    ["option", "package"],
    ["package", "option"],
  ] as const)("that changes from %s to %s is read completely, so that the old records vanish", async (from, to) => {
    server().stock = from;
    const pulled = await fake.puller("inventory").pull(fake.now);
    server().stock = to;
    pulled.records.clear();
    await pulled.pull(fake.later(day));
    expect(pulled.complete).toBe(true);
    expect(pulled.readAll).toBe(true);
    expect(pulled.records).toEqual(await fake.afresh("inventory"));
  });

  test("is counted by product if the key cannot read packages", async () => {
    server().stock = "option";
    server().closed.add("/api/v1/packages");
    expect((await fake.puller("inventory").pull(fake.now)).records.size).toBe(smallSize.products);
  });

  test("of packages is read from the last change on, and finished packages have none", async () => {
    const pulled = await fake.puller("inventory").pull(fake.now);
    expect(pulled.complete).toBe(true);
    const [gone, counted] = fake.pos.shop.packages;
    if (!gone || !counted) throw new Error("an empty shop");
    fake.later(day / 2);
    await pulled.pull(fake.now);
    expect(pulled.read).toBeLessThan(smallSize.packages);
    fake.pos.shop.removePackage(gone);
    fake.pos.shop.countPackage(counted);
    await pulled.pull(fake.later(60));
    expect(pulled.complete).toBe(false);
    expect(pulled.records.get(`package-${gone.number}`)).toMatchObject({ total_quantity: 0, location_data: [] });
    // It appears only now, with a date before the end of the last pull.
    const late = fake.pos.shop.addPackage(fake.now.getTime() - 10 * 60_000);
    await pulled.pull(fake.later(1));
    expect(pulled.records.has(`package-${late.number}`)).toBe(true);
    // A cursor cannot report packages that a truncated response left out, so a day later all are read.
    await pulled.pull(fake.later(day));
    expect(pulled.complete).toBe(true);
  });

  test("that is finished and was never stored is not read", async () => {
    const [gone] = fake.pos.shop.packages;
    if (gone) fake.pos.shop.removePackage(gone);
    const pulled = await fake.puller("inventory").pull(fake.now);
    expect(pulled.ids).not.toContain(`package-${gone?.number}`);
  });

  test("does not end at a page without a cursor", async () => {
    server().rewrite = (body, { path }) => {
      if (!path.endsWith("packages")) return body;
      const { data } = body as { data: object[] };
      return { data: data.map((row) => ({ ...row, updatedAt: null })) };
    };
    await expect(fake.puller("inventory").pull(fake.now)).rejects.toMatchObject({ failure: "notUnderstood" });
  });

  test("is not complete if a package has no id", async () => {
    server().rewrite = (body, { path }) => {
      const [row] = path.endsWith("packages") ? (body as { data: { id?: number }[] }).data : [];
      if (row) delete row.id;
      return body;
    };
    expect((await fake.puller("inventory").pull(fake.now)).complete).toBe(false);
  });
});

describe("locations", () => {
  test("are the shop itself if it has none", async () => {
    server().rewrite = (body, { path }) => (path.endsWith("inventory-locations") ? { data: [] } : body);
    expect([...(await fake.puller("location").pull(fake.now)).records.values()]).toMatchObject([
      { pos_location_id: "31", name: "Greenway" },
    ]);
  });

  test("have no names in stock if the key cannot read them", async () => {
    server().closed.add("/api/v1/inventory-locations");
    const { records } = await fake.puller("inventory").pull(fake.now);
    const names = [...records.values()].flatMap(({ location_data }) => location_data?.map(({ name }) => name) ?? []);
    expect(new Set(names)).toEqual(new Set([null]));
  });
});

describe("a list with the newest first", () => {
  /** Changes the rows of the first page of customers. */
  const change = (make: (row: { id?: unknown }, at: number, rows: unknown[]) => unknown) => {
    server().rewrite = (body, { path, query }) => {
      if (!path.endsWith("customers") || query.has("startingAfter")) return body;
      return { data: (body as { data: { id?: unknown }[] }).data.map(make) };
    };
  };

  test("continues after the last row with an id", async () => {
    change((row, at, rows) => (at === rows.length - 1 ? null : row));
    const pulled = await fake.puller("customer").pull(fake.now);
    expect(pulled.rejected).toHaveLength(1);
    expect(pulled.records.size).toBe(smallSize.customers);
  });

  test("does not end at a page without ids", async () => {
    change((row) => ({ ...row, id: null }));
    await expect(fake.puller("customer").pull(fake.now)).rejects.toMatchObject({ failure: "notUnderstood" });
  });

  test("does not end if the first page is repeated", async () => {
    let first: unknown;
    server().rewrite = (body, { path }) => {
      if (!path.endsWith("customers")) return body;
      first ??= body;
      return first;
    };
    await expect(fake.puller("customer").pull(fake.now)).rejects.toMatchObject({ failure: "notUnderstood" });
  });
});

describe("a sale", () => {
  test("that is canceled after it was stored is voided at night, and others are never read", async () => {
    const { shop } = fake.pos;
    const stored = shop.sell(fake.now.getTime() - 60_000);
    shop.cancelSale(shop.sell(fake.now.getTime() - 60_000));
    const pulled = await fake.puller("sale").pull(fake.now);
    const { size } = pulled.records;
    shop.cancelSale(stored);
    await pulled.pull(fake.later(60));
    expect(pulled.records.get(`order-${stored.number}`)).toMatchObject({ transaction_type: "sale" });
    await pulled.pull(fake.later(day));
    expect(pulled.records.get(`order-${stored.number}`)).toMatchObject({
      transaction_type: "adjustment",
      total_paid: 0,
    });
    expect(pulled.records.size).toBe(size);
  });

  test("that is a return and is voided later is voided at night", async () => {
    const returned = fake.pos.shop.refund(fake.pos.shop.sell(fake.now.getTime() - 60_000), fake.now.getTime() - 30_000);
    const pulled = await fake.puller("sale").pull(fake.now);
    const key = `return-${returned.number}`;
    expect(pulled.records.get(key)).toMatchObject({ transaction_type: "return" });
    server().voided.add(returned.number);
    await pulled.pull(fake.later(day));
    expect(pulled.records.get(key)).toMatchObject({ transaction_type: "adjustment", total_paid: 0 });
  });

  test("has payment types by name if the key cannot read the types", async () => {
    const types = async () => {
      const { records } = await fake.puller("sale").pull(fake.now);
      return new Set([...records.values()].flatMap(({ payments }) => payments.map(({ type }) => type)));
    };
    expect(await types()).toEqual(new Set(["cash", "debit"]));
    server().closed.add("/api/v1/payment-types");
    expect(await types()).toEqual(new Set(["cash", "other", "debit"]));
  });

  test("of unknown status is rejected, not dropped", async () => {
    const pulled = await fake.puller("sale").pull(fake.now);
    const unknownSales = fake.pos.shop.sales.filter(({ kind, original }) => kind !== "retail" && !original);
    const unknown = { field: "status", reason: "unknown_status" };
    expect(pulled.rejected).toHaveLength(unknownSales.length);
    for (const { number } of unknownSales)
      expect(pulled.rejected).toContainEqual({ posId: `order-${number}`, ...unknown });
  });
});

describe("rows of another organization", () => {
  /** Moves every other row of a list to another organization. */
  const move = (list: string) => {
    server().rewrite = (body, { path }) => {
      if (!path.endsWith(list)) return body;
      const { data } = body as { data: { organizationId?: number }[] };
      return { data: data.map((row, at) => (at % 2 === 0 ? row : { ...row, organizationId: 32 })) };
    };
  };

  test.each([
    ["sale", "/orders"],
    ["product", "/products/all"],
  ] as const)("are dropped and counted (%s)", async (kind, list) => {
    const all = await fake.afresh(kind);
    move(list);
    const pulled = await fake.puller<RecordKind>(kind).pull(fake.now);
    expect(pulled.foreign).toBeGreaterThan(0);
    expect(pulled.records.size).toBeLessThan(all.size);
    expect(all).toEqual(new Map([...all, ...pulled.records]));
  });

  test("prove nothing about stock missing from a menu", async () => {
    server().stock = "option";
    move("/products/all");
    const pulled = await fake.puller("inventory").pull(fake.now);
    expect([pulled.foreign, pulled.records.size, pulled.complete]).toEqual([6, 6, false]);
  });

  test("are counted once if a menu response is interrupted", async () => {
    let breaks = 1;
    server().faults = ({ path }) => (path.endsWith("all") && breaks-- > 0 ? { kind: "cutHalfway" } : undefined);
    move("/products/all");
    expect((await fake.puller("product").pull(fake.now)).foreign).toBe(6);
  });
});
