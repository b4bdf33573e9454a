import { describe, expect, test } from "vitest";
import type { RecordKind } from "../../../../../shared/api/kinds.ts";
import { FakeMeadow } from "../../fakes/fakeMeadow.ts";
import { FakePosUnderTest } from "../../fakes/fakePosUnderTest.ts";
import { smallSize } from "../../fakes/shop.ts";

const fake = new FakePosUnderTest("meadow", "2026-03-10T19:30:00.000Z");
const server = () => fake.pos.server as FakeMeadow;
const day = 24 * 60;

test("the store is the organization", async () => {
  expect(await fake.verify()).toEqual([{ id: "31", name: "Greenway", address: null }]);
  await fake.pull("location", { locationId: "31" });
});

test("only the menu is requested at its own address, with the same keys", async () => {
  const menu = new FakeMeadow(1, smallSize);
  await menu.start();
  try {
    for (const kind of ["product", "customer"] as const) {
      expect((await fake.pull(kind, {}, { menuUrl: menu.url })).records.size).toBeGreaterThan(0);
    }
    expect(menu.requests.map(({ path }) => path)).toEqual(["/api/v1/products/all"]);
    expect(server().requestsFor("/api/v1/products/all")).toEqual([]);
  } finally {
    await menu.close();
  }
});

test.each([400, 401, 403, 404])("the error code decides, whatever the status (%i)", async (status) => {
  const answer = (code: string) => ({ status, body: { error: { code } } });
  server().respond(/./, answer("INVALID_API_CREDENTIALS"));
  await expect(fake.verify()).rejects.toMatchObject({ failure: "credentialsRefused" });
  server().respond(/customers$/, answer("INSUFFICIENT_PERMISSIONS"));
  await expect(fake.pull("customer")).rejects.toMatchObject({ failure: "notPermitted" });
});

describe("stock", () => {
  test.each(["option", "product"] as const)("is counted by %s if the shop has no packages", async (by) => {
    const pulled = await fake.pull("inventory");
    server().stock = by;
    const counted = await fake.pull("inventory");
    expect(counted.records.size).toBe(smallSize.products);
    expect(counted.complete).toBe(true);
    const sum = (records: typeof pulled.records) =>
      [...records.values()].reduce((sum, { total_quantity }) => sum + total_quantity, 0);
    expect(sum(counted.records)).toBe(sum(pulled.records));
    for (const id of counted.ids) expect(id).toMatch(new RegExp(`^${by}-`));
  });

  test("by product is read completely with each pull", async () => {
    server().stock = "option";
    const pulled = await fake.pull("inventory");
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
    const pulled = await fake.pull("inventory");
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
    expect((await fake.pull("inventory")).records.size).toBe(smallSize.products);
  });

  test("of packages is read from the last change on, and finished packages have none", async () => {
    const pulled = await fake.pull("inventory");
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
    const pulled = await fake.pull("inventory");
    expect(pulled.ids).not.toContain(`package-${gone?.number}`);
  });

  test("does not end at a page without a cursor", async () => {
    server().rewriteAt<{ data: object[] }>(/packages$/, ({ data }) => ({
      data: data.map((row) => ({ ...row, updatedAt: null })),
    }));
    await expect(fake.pull("inventory")).rejects.toMatchObject({ failure: "notUnderstood" });
  });

  test("is not complete if a package has no id", async () => {
    server().rewriteAt<{ data: object[] }>(/packages$/, ({ data }) => ({
      data: data.map((row, at) => (at === 0 ? { ...row, id: undefined } : row)),
    }));
    expect((await fake.pull("inventory")).complete).toBe(false);
  });
});

describe("locations", () => {
  test("are the shop itself if it has none", async () => {
    server().rewriteAt(/inventory-locations$/, () => ({ data: [] }));
    expect([...(await fake.pull("location")).records.values()]).toMatchObject([
      { pos_location_id: "31", name: "Greenway" },
    ]);
  });

  test("have no names in stock if the key cannot read them", async () => {
    server().closed.add("/api/v1/inventory-locations");
    const { records } = await fake.pull("inventory");
    const names = [...records.values()].flatMap(({ location_data }) => location_data?.map(({ name }) => name) ?? []);
    expect(new Set(names)).toEqual(new Set([null]));
  });
});

describe("a list with the newest first", () => {
  /** Changes the rows of the first page of customers. */
  const change = (make: (row: { id?: unknown }, at: number, rows: unknown[]) => unknown) => {
    server().rewriteAt<{ data: { id?: unknown }[] }>(/customers$/, (body, { query }) =>
      query.has("startingAfter") ? body : { data: body.data.map(make) },
    );
  };

  test("continues after the last row with an id", async () => {
    change((row, at, rows) => (at === rows.length - 1 ? null : row));
    const pulled = await fake.pull("customer");
    expect(pulled.rejected).toHaveLength(1);
    expect(pulled.records.size).toBe(smallSize.customers);
  });

  test("does not end at a page without ids", async () => {
    change((row) => ({ ...row, id: null }));
    await expect(fake.pull("customer")).rejects.toMatchObject({ failure: "notUnderstood" });
  });

  test("does not end if the first page is repeated", async () => {
    let first: unknown;
    server().rewriteAt(/customers$/, (body) => {
      first ??= body;
      return first;
    });
    await expect(fake.pull("customer")).rejects.toMatchObject({ failure: "notUnderstood" });
  });
});

describe("a sale", () => {
  test("that is a return and is voided later is voided at night", async () => {
    const returned = fake.pos.shop.refund(fake.pos.shop.sell(fake.now.getTime() - 60_000), fake.now.getTime() - 30_000);
    const pulled = await fake.pull("sale");
    const key = `return-${returned.number}`;
    expect(pulled.records.get(key)).toMatchObject({ transaction_type: "return" });
    server().voided.add(returned.number);
    await pulled.pull(fake.later(day));
    expect(pulled.records.get(key)).toMatchObject({ transaction_type: "adjustment", total_paid: 0 });
  });

  test("has payment types by name if the key cannot read the types", async () => {
    const types = async () => {
      const { records } = await fake.pull("sale");
      return new Set([...records.values()].flatMap(({ payments }) => payments.map(({ type }) => type)));
    };
    expect(await types()).toEqual(new Set(["cash", "debit"]));
    server().closed.add("/api/v1/payment-types");
    expect(await types()).toEqual(new Set(["cash", "other", "debit"]));
  });
});

describe("rows of another organization", () => {
  /** Moves every other row of a list to another organization. */
  const move = (list: RegExp) =>
    server().rewriteAt<{ data: object[] }>(list, ({ data }) => ({
      data: data.map((row, at) => (at % 2 === 0 ? row : { ...row, organizationId: 32 })),
    }));

  test.each([
    ["sale", /orders$/],
    ["product", /all$/],
  ] as const)("are dropped and counted (%s)", async (kind, list) => {
    const all = await fake.afresh(kind);
    move(list);
    const pulled = await fake.pull<RecordKind>(kind);
    expect(pulled.foreign).toBeGreaterThan(0);
    expect(pulled.records.size).toBeLessThan(all.size);
    expect(all).toEqual(new Map([...all, ...pulled.records]));
  });

  test("prove nothing about stock missing from a menu", async () => {
    server().stock = "option";
    move(/all$/);
    const pulled = await fake.pull("inventory");
    expect([pulled.foreign, pulled.records.size, pulled.complete]).toEqual([6, 6, false]);
  });

  test("are counted once if a menu response is interrupted", async () => {
    let breaks = 1;
    server().faults = ({ path }) => (path.endsWith("all") && breaks-- > 0 ? { kind: "cutHalfway" } : undefined);
    move(/all$/);
    expect((await fake.pull("product")).foreign).toBe(6);
  });
});
