import { describe, expect, onTestFinished, test, vi } from "vitest";
import { verifyConnection } from "../../../../../shared/pos/verifyConnection.ts";
import { unplannedRejections } from "../../fakes/expectedRecords.ts";
import type { FakeAlleaves } from "../../fakes/fakeAlleaves.ts";
import { FakePosUnderTest } from "../../fakes/fakePosUnderTest.ts";
import type { FakeRequest } from "../../fakes/fakeServer.ts";
import { PulledRecords } from "../../fakes/pulls.ts";
import type { ShopPackage } from "../../fakes/shop.ts";

const fake = new FakePosUnderTest("alleaves", "2026-03-10T19:30:00.000Z");
const server = () => fake.pos.server as FakeAlleaves;
const signIns = () => server().requestsFor("/auth");
const day = 24 * 60;
const no = { message: "no" };

describe("stores", () => {
  test("are the company's locations, and only name and address of their rows are used", async () => {
    let reported = "";
    server().rewrite = (body) => {
      reported += JSON.stringify(body);
      return body;
    };
    expect(await fake.verify()).toEqual([
      { id: "1000", name: "Boulder", address: "412 Pearl Street, Boulder, CO 80302", isOneOfSeveral: true },
      { id: "1001", name: "Denver LLC", address: null, isOneOfSeveral: true },
    ]);
    expect(reported).toMatch(/metrc_system_api_key":"Planted.*vt_client_secret":"Planted/);
  });

  test("a connection must name one of several stores", async () => {
    const verified = (locationId: string | null) =>
      verifyConnection(fake.pos.connector(), { ...fake.pos.connection, locationId }, false);
    const details = { data: { locations: [{ id: "1000" }, { id: "1001" }] } };
    await expect(verified(null)).rejects.toMatchObject({ kind: "invalid", details });
    await verified("1001");
    server().hasOther = false;
    await verified(null);
    expect((await fake.pull("location", { locationId: null })).ids).toEqual(["11", "12"]);
  });
});

describe("signing in", () => {
  test("all pulls of a process use one token, until five minutes before its end", async () => {
    const connector = fake.pos.connector();
    const begin = performance.now();
    const clock = vi.spyOn(performance, "now");
    onTestFinished(() => clock.mockRestore());
    for (const [minute, times] of [
      [0, 1],
      [day - 6, 1],
      [day - 4, 2],
    ] as const) {
      clock.mockReturnValue(begin + minute * 60_000);
      await new PulledRecords(connector, fake.pos.connection, "location").pull(fake.later(1));
      expect(signIns()).toHaveLength(times);
    }
  });

  test("a rejected token is exchanged once", async () => {
    const connector = fake.pos.connector();
    const pull = () => new PulledRecords(connector, fake.pos.connection, "customer").pull(fake.later(1));
    await pull();
    server().tokens.clear();
    await pull();
    expect(signIns()).toHaveLength(2);
    server().respond(/^(?!.auth)/, { status: 401, body: no });
    await expect(pull()).rejects.toMatchObject({ failure: "credentialsRefused" });
  });

  test("uses JSON, and Basic without a body if JSON is rejected", async () => {
    await fake.verify();
    expect(signIns().map(({ headers }) => headers["content-type"])).toEqual(["application/json"]);
    server().signsInBy = "basic";
    await fake.verify();
    expect(signIns().map(({ headers, body }) => [headers.authorization === undefined, body === ""])).toEqual([
      [true, false],
      [true, false],
      [false, true],
    ]);
  });

  test("a username with a colon, which Basic does not allow, is sent only as JSON", async () => {
    const credentials = { ...server().credentials, username: "a:b" };
    await expect(fake.verify({ credentials })).rejects.toMatchObject({ failure: "credentialsRefused" });
    expect(signIns()).toHaveLength(1);
  });

  test("a password may have characters that headers do not allow", async () => {
    server().credentials.password = "Pässwort mit Blanks ☘";
    await fake.verify({ credentials: { ...server().credentials } });
  });

  test.each<[string, (request: FakeRequest) => number, string]>([
    ["for both", () => 401, "credentialsRefused"],
    ["for both, with 403", () => 403, "credentialsRefused"],
    ["with 400 for JSON and 401 for Basic", ({ body }) => (body === "" ? 401 : 400), "credentialsRefused"],
    ["with 401 for JSON and 400 for Basic", ({ body }) => (body === "" ? 400 : 401), "credentialsRefused"],
    ["with 400 for both", () => 400, "notUnderstood"],
    ["with 401 for JSON and 500 for Basic", ({ body }) => (body === "" ? 500 : 401), "credentialsRefused"],
    ["with 401 for JSON and 503 for Basic", ({ body }) => (body === "" ? 503 : 401), "credentialsRefused"],
    ["with 401 for JSON and 429 for Basic", ({ body }) => (body === "" ? 429 : 401), "limited"],
    ["with 400 for JSON and 503 for Basic", ({ body }) => (body === "" ? 503 : 400), "unreachable"],
    ["with 503 for both", () => 503, "unreachable"],
  ])("reports the right failure for a user who is rejected %s", async (_, statusOf, failure) => {
    server().faults = (request) =>
      request.path === "/auth" ? { kind: "answer", answer: { status: statusOf(request), body: no } } : undefined;
    await expect(fake.verify()).rejects.toMatchObject({ failure });
  });

  test.each([{}, { token: "" }, { token: "two\r\nlines" }, { token: 7 }])(
    "a response with %j has no token",
    async (body) => {
      server().respond("/auth", { body });
      await expect(fake.verify()).rejects.toMatchObject({ failure: "notUnderstood", code: "token" });
    },
  );

  test.each(["opaque", "a.b.c", `a.${Buffer.from('{"exp":1}').toString("base64url")}.c`])(
    "a token without an end, or with one in the past, is used for a while (%s)",
    async (token) => {
      const connector = fake.pos.connector();
      server().respond("/auth", { status: 201, body: { token } });
      server().tokens.set(token, Number.POSITIVE_INFINITY);
      for (let times = 0; times < 2; times++) {
        await new PulledRecords(connector, fake.pos.connection, "location").pull(fake.later(1));
      }
      expect(signIns()).toHaveLength(1);
    },
  );
});

describe("areas", () => {
  test.each([
    ["the only one", false, ["11"], []],
    ["one of several", true, [], [{ posId: "11", field: "id_location", reason: "unknown_location" }]],
  ])("without a location, which is %s, belong to it only if there is no other", async (_, hasOther, ids, rejected) => {
    server().hasOther = hasOther;
    server().rewriteAt("/inventory/area", () => [{ id_area: 11 }]);
    const pulled = await fake.pull("location");
    expect([pulled.ids, pulled.rejected]).toEqual([ids, rejected]);
  });

  test("may come with status 201, which some systems return to POST", async () => {
    const body = [{ id_area: 7, id_location: 1000, path: "Back > Safe" }];
    server().respond("/inventory/area", { status: 201, body });
    expect([...(await fake.afresh("location")).values()]).toMatchObject([
      { pos_location_id: "7", name: "Back > Safe" },
    ]);
  });

  test("without any area, the location itself is the only one", async () => {
    server().rewriteAt("/inventory/area", () => []);
    expect([...(await fake.afresh("location")).values()]).toMatchObject([
      { pos_location_id: "location-1000", name: "Boulder" },
    ]);
  });
});

describe("stock", () => {
  /** Changes the rows of stock. @param reported the `total_rows` of each row */
  const batches = (
    change: (rows: Record<string, unknown>[]) => Record<string, unknown>[],
    reported: (rows: number, at: number) => unknown = (rows) => rows,
  ) => {
    server().rewriteAt<Record<string, unknown>[]>("/inventory/search", (body) => {
      const rows = change(body);
      return rows.map((row, at) => ({ ...row, total_rows: reported(rows.length, at) }));
    });
  };
  /** Changes the rows of the first package. */
  const broken = () => fake.pos.shop.packages[0] as ShopPackage;
  const changeBroken = (change: (row: Record<string, unknown>) => Record<string, unknown>[]) =>
    batches((rows) => rows.flatMap((row) => (row.id_batch === broken().number ? change(row) : [row])));

  test("is requested for the location and read completely: missing stock has vanished", async () => {
    const pulled = await fake.pull("inventory");
    expect(pulled.complete).toBe(true);
    expect(pulled.ids).toEqual(fake.pos.shop.packages.map(({ number }) => String(number)).sort());
    const [request] = server().requestsFor("/inventory/search");
    expect(JSON.parse(request?.body ?? "")).toEqual({ query: "", id_location: 1000 });
    expect((await fake.pull("product")).complete).toBe(true);
  });

  test("of another location is left out, and such rows alone prove nothing", async () => {
    const [shared] = fake.pos.shop.packages;
    const [inventory, products] = [await fake.afresh("inventory"), await fake.afresh("product")];
    const quantities = [...(shared?.quantities.values() ?? [])];
    expect(inventory.get(String(shared?.number))?.total_quantity).toBe(quantities.reduce((sum, one) => sum + one, 0));
    expect([...products.values()].map(({ name }) => name)).not.toContain("Of Denver");
    batches((rows) => rows.map((row) => ({ ...row, id_location: 1001 })));
    const pulled = await fake.pull("inventory");
    expect([pulled.records.size, pulled.rejected, pulled.complete]).toEqual([0, [], false]);
    expect(pulled.foreign).toBe(server().batchCount);
  });

  test("without a location belongs to the requested one", async () => {
    const expected = await fake.afresh("inventory");
    batches((rows) =>
      rows.filter(({ id_location }) => id_location === 1000).map((row) => ({ ...row, id_location: null })),
    );
    expect(await fake.afresh("inventory")).toEqual(expected);
  });

  test("with fewer rows than the POS reports is not understood", async () => {
    const failure = { failure: "notUnderstood", code: "rows" };
    batches(
      (rows) => rows.slice(0, -1),
      (rows) => rows + 1,
    );
    await expect(fake.pull("inventory")).rejects.toMatchObject(failure);
    await expect(fake.pull("product")).rejects.toMatchObject(failure);
  });

  test.each<[string, (rows: number, at: number) => unknown, boolean]>([
    ["nothing", () => undefined, true],
    ["a number that is too small", (rows, at) => (at === 1 ? rows - 1 : rows), false],
  ])("whose rows report %s as their total is complete or not", async (_, reported, complete) => {
    batches((rows) => rows, reported);
    expect((await fake.pull("inventory")).complete).toBe(complete);
  });

  test("of a batch with an unreadable row is left out completely", async () => {
    const id = String(broken().number);
    let rows = 0;
    changeBroken((row) => [rows++ === 0 ? { ...row, sku: {} } : row]);
    const pulled = await fake.pull("inventory");
    expect(unplannedRejections(pulled.rejected)).toMatchObject([{ posId: id, field: "sku" }]);
    expect(pulled.ids).not.toContain(id);
    expect(pulled.records.size).toBe(fake.pos.shop.packages.length - 1);
  });

  test.each<[string, (row: Record<string, unknown>) => Record<string, unknown>[], string]>([
    ["without an amount", (row) => [{ ...row, on_hand: null, available: "" }], "no_quantity"],
    ["with an area twice", (row) => [row, row], "named_twice"],
  ])("of a batch %s is rejected, and does not vanish", async (_, change, reason) => {
    changeBroken(change);
    const pulled = await fake.pull("inventory");
    const rejected = unplannedRejections(pulled.rejected);
    expect(rejected).toMatchObject([{ posId: String(broken().number), reason }, { reason }]);
    expect(pulled.records.size).toBe(fake.pos.shop.packages.length - 1);
  });

  test.each(["quarantined", "", null])("of status %j is rejected, and does not vanish", async (status) => {
    const pulled = await fake.pull("inventory");
    changeBroken((row) => [{ ...row, status }]);
    await pulled.pull(fake.later(60));
    const rejected = pulled.rejected.filter(({ posId }) => posId === String(broken().number));
    expect(rejected).toMatchObject([{ field: "status", reason: "unknown_status" }, { reason: "unknown_status" }]);
    expect(pulled.read).toBe(fake.pos.shop.packages.length - 1);
  });

  test("that is partly closed counts only the open part", async () => {
    batches(([row]) => [
      { ...row, status: "closed", on_hand: 7 },
      { ...row, on_hand: 5 },
    ]);
    const pulled = await fake.pull("inventory");
    expect([...pulled.records.values()]).toMatchObject([{ total_quantity: 5 }]);
  });

  describe("with more batches than fit in one page", () => {
    const many = (change: (at: number) => Record<string, unknown>[]) =>
      batches(() =>
        Array.from({ length: 10_500 }, (_, at) =>
          change(at).map((more) => ({ id_item: 1, id_batch: at, on_hand: 1, status: "open", ...more })),
        ).flat(),
      );

    test("includes all open batches", async () => {
      many((at) => [{ status: at % 100 === 0 ? "closed" : "open" }]);
      const pulled = await fake.pull("inventory", {}, { listPageSize: 10_000 });
      expect([pulled.records.size, pulled.complete]).toEqual([10_395, true]);
    });

    test("with each batch twice is not understood", async () => {
      many(() => [{}, {}]);
      const failure = { failure: "notUnderstood", code: "unreadable" };
      await expect(fake.pull("inventory")).rejects.toMatchObject(failure);
    });
  });
});

describe.each([
  [0, "refused"],
  [1, "refused"],
  [1, "empty"],
  [1, "first"],
] as const)("with pages counted from %i, and page 0 %s if the first page is 1", (firstPage, pageZero) => {
  test.each([
    ["customer", "empty"],
    ["customer", "the last one"],
    ["sale", "empty"],
    ["sale", "the last one"],
  ] as const)("every %s is read, if the page beyond the end is %s", async (kind, beyond) => {
    Object.assign(server(), { firstPage, pageZero, repeatsLastPage: beyond === "the last one" });
    const pulled = await fake.pull(kind);
    const { customers, sales } = fake.pos.shop;
    const sold = sales.filter(({ kind, original, status }) => kind === "retail" && !original && status !== "pending");
    const expected = { customer: customers.length, sale: sold.filter(({ status }) => status !== "canceled").length };
    expect(pulled.records.size).toBe(expected[kind]);
  });
});

test("the first page of orders is detected with a query of all days", async () => {
  await fake.pull("sale");
  const [probe] = server().requestsFor("/order");
  expect([probe?.query.get("startDate"), probe?.query.get("endDate")]).toEqual(["2010-01-01", "2026-03-11"]);
});

test("page 0 may fail with status 500", async () => {
  server().faults = ({ body }) => (/"page":0\b/.test(body) ? { kind: "answer", answer: { status: 500 } } : undefined);
  expect((await fake.afresh("customer")).size).toBe(fake.pos.shop.customers.length);
});

describe("orders", () => {
  test("are requested by day of creation, the last three days and a margin again", async () => {
    const pulled = await fake.pull("sale");
    const before = server().requests.length;
    await pulled.pull(fake.later(60));
    const stockRequests = server()
      .requests.slice(before)
      .filter(({ path, query }) => path === "/order" && query.get("pageSize") === "100");
    expect(new Set(stockRequests.map(({ query }) => `${query.get("startDate")} ${query.get("endDate")}`))).toEqual(
      new Set(["2026-03-06 2026-03-11"]),
    );
  });

  test("without a location belong to the only location, and are rejected if there are several", async () => {
    const expected = await fake.afresh("sale");
    Object.assign(server(), { tellsLocation: false, hasOther: false });
    expect(await fake.afresh("sale")).toEqual(expected);
    server().hasOther = true;
    const pulled = await fake.pull("sale");
    expect(pulled.records.size).toBe(0);
    expect(pulled.rejected[0]).toMatchObject({ field: "id_location", reason: "unknown_location" });
  });
});
