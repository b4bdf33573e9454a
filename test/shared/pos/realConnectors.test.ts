import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { PosError, type PullPage } from "../../../shared/pos/connector.ts";
import type { RecordKind } from "../../../shared/table/keys.ts";
import { type FakePos, type PosName, posNames, startFakePos } from "./fakes/fakePos.ts";
import type { Fault } from "./fakes/fakeServer.ts";
import { PulledRecords } from "./fakes/pulls.ts";
import { seededFaults } from "./fakes/seededFaults.ts";
import { demoSize, smallSize } from "./fakes/shop.ts";

const kinds = ["location", "product", "customer", "inventory", "sale"] as const;
const begin = Date.parse("2026-03-10T19:30:00.000Z");

// What holds for every POS. What is its own is in the tests beside this one.
describe.each(posNames)("%s", (name: PosName) => {
  /** Our clock. */
  let now: Date;
  /** What the POS's clock is ahead of ours, in minutes. */
  let ahead: number;
  let pos: FakePos;

  beforeEach(async () => {
    now = new Date(begin);
    ahead = 0;
    pos = await start();
  });
  afterEach(() => pos.server.close());

  const start = (seed: number | string = 1, size = smallSize) =>
    startFakePos(name, seed, size, () => new Date(now.getTime() + ahead * 60_000));
  const puller = <Kind extends RecordKind>(kind: Kind, of = pos) =>
    new PulledRecords(of.connector(), of.connection, kind);
  const later = (minutes: number) => {
    now = new Date(now.getTime() + minutes * 60_000);
    return now;
  };
  /** What a pull that knows nothing brings. */
  const afresh = async <Kind extends RecordKind>(kind: Kind) => (await puller(kind).pull(now)).records;

  describe("verify", () => {
    test("tells the stores that the credentials reach", async () => {
      const stores = await pos.connector().verify(pos.connection);
      expect(stores.length).toBeGreaterThan(0);
      for (const { id, name } of stores) expect(id && name).toBeTruthy();
    });

    test("wrong credentials are refused, by the first request of a pull too", async () => {
      for (const property of Object.keys(pos.connection.credentials)) {
        const connection = { ...pos.connection, credentials: { ...pos.connection.credentials, [property]: "wrong" } };
        await expect(pos.connector().verify(connection)).rejects.toMatchObject({ failure: "credentialsRefused" });
        const pull = new PulledRecords(pos.connector(), connection, "customer").pull(now);
        await expect(pull).rejects.toMatchObject({ failure: "credentialsRefused" });
      }
    });

    test.each(["two\r\nlines", "Ümläut", "", "../other", "x".repeat(300)])("%j is not even sent", async (value) => {
      for (const property of Object.keys(pos.connection.credentials)) {
        // Only what becomes a part of the path may not look like one.
        if (value === "../other" && property !== "dispensaryName") continue;
        const connection = { ...pos.connection, credentials: { ...pos.connection.credentials, [property]: value } };
        const error = await pos
          .connector()
          .verify(connection)
          .catch((error: unknown) => error);
        expect(error).toMatchObject({ failure: "credentialsRefused" });
        if (value) expect(JSON.stringify(error) + String(error)).not.toContain(value);
      }
      expect(pos.server.requests).toEqual([]);
    });

    test.each<[string, Fault]>([
      ["503", { kind: "answer", answer: { status: 503 } }],
      ["429", { kind: "answer", answer: { status: 429, headers: { "retry-after": "30" } } }],
      ["no answer", { kind: "cut" }],
      ["a page of HTML", { kind: "answer", answer: { body: "<html></html>" } }],
      ["403 of something in front", { kind: "answer", answer: { status: 403, body: "<html>error code: 1010</html>" } }],
    ])("%s says nothing about the credentials", async (_, fault) => {
      pos.server.faults = () => fault;
      const error = await pos
        .connector()
        .verify(pos.connection)
        .catch((error: unknown) => error);
      expect(error).toBeInstanceOf(PosError);
      expect((error as PosError).failure).not.toBe("credentialsRefused");
      expect(pos.server.requests.length).toBeLessThanOrEqual(2);
    });
  });

  test("a location that the credentials do not reach", async () => {
    const connection = { ...pos.connection, locationId: "elsewhere" };
    const pull = new PulledRecords(pos.connector(), connection, "location").pull(now);
    await expect(pull).rejects.toMatchObject({ failure: "locationGone" });
  });

  test("a first pull brings every record, each once", async () => {
    const { shop } = pos;
    const counts = new Map<RecordKind, number>();
    for (const kind of kinds) {
      const pulled = await puller(kind).pull(now);
      counts.set(kind, pulled.records.size);
      expect(pulled.rejected).toEqual([]);
    }
    const retail = shop.sales.filter(({ kind }) => kind === "retail");
    const sold = retail.filter(({ status }) => status === "sold" || status === "voided");
    // Flowhub's customers are those whom an order names.
    const buyers = new Set(retail.map(({ customer }) => customer).filter((customer) => customer !== null));
    expect(Object.fromEntries(counts)).toEqual({
      location: 2,
      product: shop.products.length,
      customer: name === "flowhub" ? buyers.size : shop.customers.length,
      inventory: name === "treez" ? shop.products.length : shop.packages.length,
      sale: sold.length,
    });
  });

  test("a demo-sized shop is read in a few seconds", async () => {
    const demo = await start("demo", demoSize);
    try {
      const counts = [];
      for (const kind of kinds) counts.push((await puller(kind, demo).pull(now)).records.size);
      expect(counts[2]).toBeGreaterThan(1500);
      expect(counts[4]).toBeGreaterThan(4000);
    } finally {
      await demo.server.close();
    }
  });

  test.each(["customer", "product", "sale"] as const)(
    "a later pull brings only the %ss that are new or changed",
    async (kind) => {
      const pulled = await puller(kind).pull(now);
      const { read } = pulled;
      const [customer, product] = [pos.shop.customers[0], pos.shop.products[0]];
      if (!customer || !product) throw new Error("an empty shop");
      later(60);
      pos.shop.changeCustomer(customer);
      pos.shop.changeProduct(product);
      const added = { customer: pos.shop.addCustomer(), product: pos.shop.addProduct(), sale: pos.shop.sell() }[kind];
      pos.shop.addPackage(now.getTime(), pos.shop.products.at(-1));
      pos.shop.sell().customer = pos.shop.customers.at(-1) ?? null;
      later(1);
      await pulled.pull(now);
      expect(pulled.read).toBeGreaterThan(0);
      // Flowhub tells neither products nor changed orders apart, so days, and all products, come again.
      if (name !== "flowhub") expect(pulled.read).toBeLessThan(read / 2);
      expect(pulled.ids.some((id) => id.endsWith(String(added.number)) || id === added.uuid)).toBe(true);
      expect(pulled.records).toEqual(await afresh(kind));
    },
  );

  test("what is written in the second in which a pull begins is never missed", async () => {
    const pulled = await puller("sale").pull(now);
    for (const offset of [-1000, -999, -1, 0, 1, 999, 1000]) {
      const sale = pos.shop.sell(now.getTime() + offset);
      await pulled.pull(later(5));
      expect(pulled.ids.some((id) => id.endsWith(String(sale.number)))).toBe(true);
    }
    expect(pulled.records).toEqual(await afresh("sale"));
  });

  test.each([-1380, -120, -20, 20, 120, 1380])("the POS's clock is %i minutes ahead", async (minutes) => {
    ahead = minutes;
    await pos.server.close();
    pos = await start("skewed");
    const pulled = { customer: puller("customer"), sale: puller("sale") };
    for (let run = 0; run < 3; run++) {
      await pulled.customer.pull(now);
      await pulled.sale.pull(now);
      for (let i = 0; i < 6; i++) {
        later(1);
        pos.shop.change();
      }
      later(4);
    }
    await pulled.customer.pull(now);
    await pulled.sale.pull(now);
    expect(pulled.customer.records).toEqual(await afresh("customer"));
    expect(pulled.sale.records).toEqual(await afresh("sale"));
  });

  test.each([1, 2, 3])("records that change between any two requests are not missed (seed %i)", async (seed) => {
    await pos.server.close();
    pos = await start(seed);
    let calm = false;
    pos.server.beforeAnswer = ({ number }) => {
      if (!calm && number % 2 === 0) pos.shop.change();
    };
    const pulled = kinds.map((kind) => puller(kind));
    for (let run = 0; run < 3; run++) {
      calm = run === 2;
      for (const one of pulled) await one.pull(now);
      later(10);
    }
    for (const [at, kind] of kinds.entries()) {
      const fresh = await afresh(kind);
      // What has vanished from stock stays; replication takes it to 0.
      const left = [...(pulled[at]?.records ?? [])].filter(([id]) => kind !== "inventory" || fresh.has(id));
      expect(new Map(left)).toEqual(fresh);
    }
  });

  test.each([11, 12, 13])("with faults all over a pull brings what it brings without (seed %i)", async (seed) => {
    const faults = seededFaults(seed, 25);
    for (const kind of kinds) {
      const calm = await afresh(kind);
      pos.server.faults = faults;
      const pulled = await puller(kind).pull(now, { attempts: 200 });
      pos.server.faults = () => undefined;
      expect(pulled.records).toEqual(calm);
    }
  });

  test.each<[string, Fault, Partial<PosError>]>([
    [
      "429 with Retry-After",
      { kind: "answer", answer: { status: 429, headers: { "retry-after": "60" } } },
      { failure: "limited", retryAfter: 60 },
    ],
    ["429", { kind: "answer", answer: { status: 429, body: "slow down" } }, { failure: "limited" }],
    ["500", { kind: "answer", answer: { status: 500 } }, { failure: "unreachable", code: "500" }],
    [
      "503 with Retry-After",
      { kind: "answer", answer: { status: 503, headers: { "retry-after": "90" } } },
      { failure: "unreachable", retryAfter: 90 },
    ],
    ["a cut connection", { kind: "cut" }, { failure: "unreachable" }],
    ["an answer cut in the middle", { kind: "cutHalfway" }, { failure: "unreachable" }],
    ["truncated JSON", { kind: "truncated" }, { failure: "notUnderstood", code: "no_json" }],
    ["HTML", { kind: "answer", answer: { body: "<html></html>" } }, { failure: "notUnderstood" }],
    ["another envelope", { kind: "answer", answer: { body: { surprise: true } } }, { failure: "notUnderstood" }],
    [
      "a redirect",
      { kind: "answer", answer: { status: 302, headers: { location: "http://127.0.0.1:1/" } } },
      { failure: "unreachable" },
    ],
    ["silence", { kind: "slow", milliseconds: 500 }, { failure: "unreachable", code: "timeout" }],
  ])("%s for good ends the pull", async (_, fault, failure) => {
    const connector = pos.connector({ timeout: 100 });
    await connector.verify(pos.connection);
    pos.server.faults = () => fault;
    const pull = new PulledRecords(connector, pos.connection, "customer").pull(now);
    await expect(pull).rejects.toMatchObject({ name: "PosError", ...failure });
  });

  test("credentials that were revoked meanwhile", async () => {
    const connector = pos.connector();
    await connector.verify(pos.connection);
    pos.server.faults = () => ({ kind: "answer", answer: { status: 401, body: "" } });
    const pull = new PulledRecords(connector, pos.connection, "customer").pull(now);
    await expect(pull).rejects.toMatchObject({ failure: "credentialsRefused" });
  });

  test.each([401, 403])("%i for records only: the credentials stand", async (status) => {
    const verifying = /whoami|clientsLocations|gettokens/;
    pos.server.faults = ({ path }) =>
      verifying.test(path) ? undefined : { kind: "answer", answer: { status, body: { message: "no" } } };
    await expect(puller("customer").pull(now)).rejects.toMatchObject({ failure: "notPermitted" });
    await expect(puller("sale").pull(now)).rejects.toMatchObject({ failure: "notPermitted" });
  });

  test("another process goes on where a pull was cut off, at any page", async () => {
    for (const kind of kinds) {
      const calm = await afresh(kind);
      const pulled = puller<RecordKind>(kind);
      let position: string | null = null;
      do {
        const known = async (ids: readonly string[]) => new Set(ids.filter((id) => pulled.records.has(id)));
        const page: PullPage<RecordKind> = await pos
          .connector()
          .pull(pos.connection, { kind, since: null, position, now, known });
        pulled.take(page);
        position = "position" in page.next ? page.next.position : null;
      } while (position !== null);
      expect(pulled.records).toEqual(calm);
    }
  });

  test("a position or watermark of another form leads to a new beginning", async () => {
    for (const kind of kinds) {
      const pulled = puller(kind);
      pulled.watermark = '{"from":"yesterday"}';
      await pulled.pull(now);
      expect(pulled.records).toEqual(await afresh(kind));
      const page = await pos.connector().pull(pos.connection, { kind, since: null, position: '{"page":2}', now });
      expect(page.rejected).toEqual([]);
    }
  });

  describe("a record that breaks the shape", () => {
    const planted = "Plantedvalue";
    const breaking: Record<RecordKind, string> = {
      location: "roomName",
      product: "sku",
      customer: "phone",
      inventory: "sku",
      sale: "payments",
    };

    test.each(["product", "customer", "inventory", "sale"] as const)(
      "is set aside, the other %ss come",
      async (kind) => {
        const calm = await afresh(kind);
        let broken = 0;
        pos.server.rewrite = (body) => breakOne(body, kind, () => broken++ === 0);
        const pulled = await puller(kind).pull(now);
        pos.server.rewrite = (body) => body;
        expect(pulled.rejected.length).toBeGreaterThan(0);
        const ids = new Set(pulled.rejected.map(({ posId }) => posId));
        for (const { posId, field, reason } of pulled.rejected) {
          // The first sale may be none that is kept.
          if (kind !== "sale") expect(calm.has(posId)).toBe(true);
          expect(posId).not.toBe("");
          expect(field).not.toBe("");
          expect(reason).toMatch(/^[a-z_]+$/);
          expect(JSON.stringify({ posId, field, reason })).not.toContain(planted);
        }
        const whole = [...calm.keys()].filter((id) => !ids.has(id));
        expect(pulled.ids).toEqual(expect.arrayContaining(whole));
      },
    );

    /** Breaks a field of the first row of the kind that an answer holds. */
    function breakOne(body: unknown, kind: RecordKind, isTime: () => boolean): unknown {
      const rows = rowsIn(body).filter((row) => isOf(row, kind));
      const [row] = rows;
      if (row && isTime()) row[fieldOf(row, kind)] = { [planted]: planted };
      return body;
    }

    function isOf(row: Record<string, unknown>, kind: RecordKind): boolean {
      const marks = {
        location: [],
        product: ["productName", "product_configurable_fields"],
        customer: ["firstName", "first_name", "birthDate"],
        inventory: ["roomQuantities", "quantity", "sellable_quantity"],
        sale: ["transactionId", "itemsInCart", "ticket_id"],
      }[kind];
      return marks.some((mark) => mark in row);
    }

    function fieldOf(row: Record<string, unknown>, kind: RecordKind): string {
      const choices = [breaking[kind], "manualPayments", "category_type", "last_name"];
      return choices.find((field) => field in row) ?? "sku";
    }
  });

  test("nothing that must be kept nowhere comes along, nor does anything reach an error", async () => {
    const mayShow = /Planted(first|middle|last|mail|Med|Drive)/;
    for (const kind of kinds) {
      const text = JSON.stringify([...(await puller(kind).pull(now)).records.values()]);
      const found = text.match(/planted[a-z]*/gi)?.filter((word) => !mayShow.test(`P${word.slice(1)}`)) ?? [];
      expect(found).toEqual([]);
      if (kind !== "customer") expect(text).not.toMatch(/planted/i);
    }
    pos.server.rewrite = () => "Plantedfirst is no JSON";
    const error: unknown = await puller("customer")
      .pull(now)
      .catch((error: unknown) => error);
    const { message, stack, cause } = error as Error;
    expect(JSON.stringify([error, message, stack, cause])).not.toMatch(/planted/i);
    for (const secret of Object.values(pos.connection.credentials)) {
      expect(JSON.stringify([error, message, stack])).not.toContain(secret);
    }
  });
});

/** The rows of whatever list an answer holds. */
function rowsIn(body: unknown): Record<string, unknown>[] {
  if (Array.isArray(body)) return body;
  if (body === null || typeof body !== "object") return [];
  return Object.values(body).flatMap(rowsIn);
}
