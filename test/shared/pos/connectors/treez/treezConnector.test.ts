import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type RecordKind, recordKinds } from "../../../../../shared/api/kinds.ts";
import type { Connection, PullPage } from "../../../../../shared/pos/connector.ts";
import { treezConnector } from "../../../../../shared/pos/connectors/treez/treezConnector.ts";
import { dice } from "../../../../../shared/pos/sandbox/dice.ts";
import { systemClock } from "../../../../../shared/time/clock.ts";
import { FakeTreez } from "../../fakes/fakeTreez.ts";
import { connectionTo, PulledRecords } from "../../fakes/pulls.ts";
import { rooms, type ShopProduct, smallSize } from "../../fakes/shop.ts";
import { treezProduct } from "../../fakes/treezRows.ts";

const day = 24 * 60 * 60_000;
const tokens = /gettokens$/;
let now: Date;
let pos: FakeTreez;
let connection: Connection;
beforeEach(async () => {
  now = new Date("2026-03-10T12:00:00.000Z");
  pos = new FakeTreez(1, smallSize, () => now);
  await pos.start();
  connection = connectionTo("Treez", pos.credentials);
});
afterEach(() => pos.close());

const unlimitedOptions = () => ({
  url: pos.url,
  requestsPerSecond: Number.POSITIVE_INFINITY,
  firstPauseMs: 1,
  quietDays: 10,
});
const connector = ({ clientId = pos.clientId, quietDays = 10 } = {}) =>
  treezConnector({
    ...unlimitedOptions(),
    quietDays,
    clientId,
    clock: { ...systemClock, now: () => now },
  });
const puller = <Kind extends RecordKind>(kind: Kind) => new PulledRecords(connector(), connection, kind);
const later = (milliseconds: number) => {
  now = new Date(now.getTime() + milliseconds);
  return now;
};
const fail = (status: number, resultReason: string) =>
  ({ kind: "answer", answer: { status, body: { resultCode: "FAIL", resultReason } } }) as const;

test("the store is the dispensary", async () => {
  const store = { id: "greenway", name: "greenway", address: null };
  expect(await connector().verify(connection)).toEqual([store]);
  await new PulledRecords(connector(), { ...connection, locationId: "greenway" }, "location").pull(now);
});

describe("tokens", () => {
  test("are reused for all requests of all kinds, and sent without a prefix", async () => {
    const one = connector();
    for (const kind of ["location", "product", "sale"] as const)
      await new PulledRecords(one, connection, kind).pull(now);
    expect(pos.requestsFor(tokens)).toHaveLength(1);
    expect(pos.requests.at(-1)?.headers).toMatchObject({ authorization: "token-1", client_id: pos.clientId });
    expect(pos.requests.some(({ query, path }) => `${query}${path}`.includes(pos.credentials.apiKey))).toBe(false);
  });

  test("that have expired are exchanged once", async () => {
    const one = connector();
    await one.verify(connection);
    pos.tokens.clear();
    expect((await new PulledRecords(one, connection, "product").pull(now)).records.size).toBe(smallSize.products);
    expect(pos.requestsFor(tokens)).toHaveLength(2);
  });

  test("with a short lifetime are exchanged in time", async () => {
    pos.tokenSeconds = 0.2;
    const pulled = await puller("sale").pull(now);
    expect(pulled.records.size).toBeGreaterThan(0);
  });

  test("are not used by a verification, which checks the key again", async () => {
    const one = connector();
    await one.verify(connection);
    pos.faults = () => fail(401, "INVALID_CREDENTIALS");
    await expect(one.verify(connection)).rejects.toMatchObject({ failure: "credentialsRefused" });
  });

  test("of one key are not used for another", async () => {
    const one = connector();
    await one.verify(connection);
    const other = { ...connection, credentials: { ...pos.credentials, apiKey: "other" } };
    await expect(new PulledRecords(one, other, "product").pull(now)).rejects.toMatchObject({
      failure: "credentialsRefused",
    });
  });
});

test.each([
  ["200 with FAIL", fail(200, "INVALID_CREDENTIALS"), "credentialsRefused"],
  ["400", fail(400, "INVALID_CREDENTIALS"), "credentialsRefused"],
  ["403", fail(403, "no"), "credentialsRefused"],
  ["404, an unknown dispensary", fail(404, "NOT_FOUND"), "credentialsRefused"],
  ["429", { kind: "answer", answer: { status: 429, body: "slow down" } } as const, "limited"],
  [
    "success without a token",
    { kind: "answer", answer: { body: { resultCode: "SUCCESS" } } } as const,
    "notUnderstood",
  ],
])("if there is no token, with %s, the failure is %s", async (_, fault, failure) => {
  pos.faults = () => fault;
  await expect(connector().verify(connection)).rejects.toMatchObject({ failure });
});

test("a wrong client id of the service looks like rejected credentials", async () => {
  await expect(connector({ clientId: "wrong" }).verify(connection)).rejects.toMatchObject({
    failure: "credentialsRefused",
  });
});

test("without the service's own client id no request is sent, and the POS counts as unreachable", async () => {
  const failure = { failure: "unreachable", code: "no_client_id" };
  const one = connector({ clientId: "" });
  await expect(one.verify(connection)).rejects.toMatchObject(failure);
  await expect(new PulledRecords(one, connection, "sale").pull(now)).rejects.toMatchObject(failure);
  expect(pos.requests).toEqual([]);
});

describe("the newer API", () => {
  const signedConnection = () => connectionTo("Treez", pos.signedCredentials);
  const createSigningConnector = (certificate = pos.certificate) =>
    treezConnector({ ...unlimitedOptions(), certificate, clock: { ...systemClock, now: () => now } });

  test("is used if the credentials have an organization, for all kinds, and each request has its own signature", async () => {
    const one = createSigningConnector();
    expect(await one.verify(signedConnection())).toEqual([{ id: "greenway", name: "greenway", address: null }]);
    for (const kind of recordKinds) {
      const pulled = new PulledRecords(one, signedConnection(), kind);
      const expected = await puller(kind).pull(now);
      expect((await pulled.pull(now)).records).toEqual(expected.records);
      await pulled.pull(later(60_000));
      now = new Date(now.getTime() - 60_000);
    }
    const paths = pos.requests.filter(({ path }) => path.startsWith("/dispensary/v3/"));
    expect(paths.length).toBe(pos.signed.size - 1);
    expect(pos.requestsFor(/v3.*lastUpdated/).length).toBeGreaterThan(0);
  });

  test("is used even if there is an API key", async () => {
    const both = { ...signedConnection(), credentials: { ...pos.credentials, ...pos.signedCredentials } };
    await createSigningConnector().verify(both);
    expect(pos.requestsFor(tokens)).toEqual([]);
  });

  test("gets a new signature for another attempt", async () => {
    let times = 0;
    pos.faults = () => (times++ === 0 ? { kind: "answer", answer: { status: 503 } } : undefined);
    await createSigningConnector().verify(signedConnection());
    expect(new Set(pos.requests.map(({ headers }) => headers.authorization)).size).toBe(2);
  });

  test("rejects another organization and an unknown certificate", async () => {
    const rejected = { failure: "credentialsRefused" };
    const other = { ...signedConnection(), credentials: { ...pos.signedCredentials, organizationId: "org-8" } };
    await expect(createSigningConnector().verify(other)).rejects.toMatchObject(rejected);
    await expect(
      createSigningConnector({ ...pos.certificate, id: "cert-2" }).verify(signedConnection()),
    ).rejects.toMatchObject(rejected);
    await expect(new PulledRecords(createSigningConnector(), other, "sale").pull(now)).rejects.toMatchObject(rejected);
    pos.rewrite = () => ({ valid: false });
    await expect(createSigningConnector().verify(signedConnection())).rejects.toMatchObject(rejected);
    pos.rewrite = () => ({});
    await expect(createSigningConnector().verify(signedConnection())).rejects.toMatchObject({
      failure: "notUnderstood",
    });
  });

  test("gets no request without the service's own certificate, and counts as unreachable", async () => {
    const none = createSigningConnector({ id: "", privateKey: "" });
    await expect(none.verify(signedConnection())).rejects.toMatchObject({
      failure: "unreachable",
      code: "no_certificate",
    });
    expect(pos.requests).toEqual([]);
  });
});

describe("responses", () => {
  const once = (fault: ReturnType<typeof fail>) => {
    let times = 0;
    pos.faults = ({ path }) => (!tokens.test(path) && times++ === 0 ? fault : undefined);
  };

  test("with one FAIL without a reason are requested again with a new token", async () => {
    once(fail(200, ""));
    expect((await puller("product").pull(now)).records.size).toBe(smallSize.products);
    expect(pos.requestsFor(tokens)).toHaveLength(2);
  });

  test("that are too large are requested in halves", async () => {
    pos.maxPageSize = 6;
    const pulled = await puller("customer").pull(now);
    expect(pulled.records.size).toBe(smallSize.customers);
    expect((await puller("sale").pull(now)).records.size).toBeGreaterThan(50);
  });

  test.each<[string, ReturnType<typeof fail>, object]>([
    ["a limit in words", fail(400, "Rate limit exceeded"), { failure: "limited" }],
    ["a limit as a code", fail(200, "TOO_MANY_REQUESTS"), { failure: "limited" }],
    ["a wrong request", fail(400, "INVALID_DATE_FORMAT"), { failure: "notUnderstood", code: "INVALID_DATE_FORMAT" }],
    ["a rejection as a code", fail(401, "INVALID_TOKEN"), { failure: "notPermitted", code: "401" }],
    ["free text", fail(400, "Jane Doe is no customer"), { failure: "notUnderstood", code: "400" }],
    ["no reason at all", fail(200, ""), { failure: "notUnderstood", code: "envelope" }],
  ])("with %s are classified", async (_, fault, failure) => {
    pos.faults = ({ path }) => (tokens.test(path) ? undefined : fault);
    await expect(puller("customer").pull(now)).rejects.toMatchObject(failure);
  });

  test.each(["NOT_FOUND", "TICKET_NOT_FOUND"])("with %s are empty lists", async (reason) => {
    pos.faults = ({ path }) => (path.includes("/ticket/") ? fail(404, reason) : undefined);
    expect((await puller("sale").pull(now)).records.size).toBe(0);
  });

  test("without a list of products do not mean that products have vanished", async () => {
    pos.faults = ({ path }) => (path.includes("/product/") ? fail(404, "PRODUCT_NOT_FOUND") : undefined);
    expect(await puller("inventory").pull(now)).toMatchObject({ complete: false });
  });
});

describe("the list of products", () => {
  const inventory = () => puller("inventory").pull(now);

  test("is complete if nothing changes meanwhile, and includes products that are not sold any more", async () => {
    expect(await inventory()).toMatchObject({ complete: true });
    const [request] = pos.requestsFor(/product_list$/);
    expect(String(request?.query)).toBe("active=ALL&page=1");
  });

  test("is read again if it changes meanwhile", async () => {
    let pages = 0;
    pos.beforeAnswer = ({ path }) => {
      // Between the first two pages one product moves to the front, and one is added.
      if (/product_list$/.test(path) && ++pages === 2) {
        pos.shop.changeProduct(pos.shop.products[0] as never);
        pos.shop.addProduct();
      }
    };
    const pulled = await inventory();
    expect(pulled).toMatchObject({ complete: true });
    expect(pulled.records.size).toBe(pos.shop.products.length);
  });

  test("is read again if a product moves to a page that was already read, even if the total is the same", async () => {
    const [oldest] = pos.shop.products.toSorted((a, b) => a.changedAt - b.changedAt);
    let pages = 0;
    pos.beforeAnswer = ({ path }) => {
      if (/product_list$/.test(path) && ++pages === 2) pos.shop.changeProduct(oldest as never);
    };
    const pulled = await inventory();
    expect(pulled).toMatchObject({ complete: true });
    expect(pulled.records.has(oldest?.uuid ?? "")).toBe(true);
    expect(pos.requestsFor(/product_list$/).filter(({ query }) => query.get("page") === "1")).toHaveLength(2);
  });

  test("is not complete if it always changes, and the next pull starts from the same watermark", async () => {
    const products = await puller("product").pull(now);
    const { watermark } = products;
    later(60_000);
    for (const product of pos.shop.products) pos.shop.changeProduct(product);
    pos.beforeAnswer = ({ path }) => {
      if (path.includes("product_list")) pos.shop.addProduct();
    };
    expect(await inventory()).toMatchObject({ complete: false });
    await products.pull(now);
    expect(products.watermark).toBe(watermark);
  });

  test.each([
    [5, 1],
    [6, 2],
  ])(
    "is read again if there is enough time: in %i seconds %i times, with a second per page and three pages",
    async (seconds, times) => {
      const list = /product_list$/;
      pos.beforeAnswer = ({ path }) => {
        if (!list.test(path)) return;
        later(1000);
        pos.shop.addProduct();
      };
      const deadline = new Date(now.getTime() + seconds * 1000);
      const page = await connector().pull(connection, {
        kind: "inventory",
        since: null,
        position: null,
        now,
        deadline,
      });
      expect(pos.requestsFor(list).filter(({ query }) => query.get("page") === "1")).toHaveLength(times);
      expect(pos.requestsFor(list)[2]?.query.get("page")).toBe("3");
      expect(page.complete).toBe(false);
      expect(page.records.length).toBeGreaterThanOrEqual(smallSize.products);
    },
  );

  test("that may be incomplete, with no time to read it again, is read completely by the next pull", async () => {
    let pages = 0;
    pos.beforeAnswer = ({ path }) => {
      if (/product_list$/.test(path) && ++pages === 2) pos.shop.products.pop();
    };
    const request = { kind: "product", position: null } as const;
    const { next } = await connector().pull(connection, { ...request, since: null, now, deadline: new Date(0) });
    if (!("watermark" in next)) throw new Error("more pages");
    const { records } = await connector().pull(connection, { ...request, since: next.watermark, now: later(60_000) });
    expect(records).toHaveLength(pos.shop.products.length);
  });

  test("that changed during the first pull is read completely until it does not change", async () => {
    const request = { kind: "product", position: null } as const;
    const pull = async (since: string | null) => {
      const { next } = await connector().pull(connection, { ...request, since, now: later(60_000) });
      if (!("watermark" in next)) throw new Error("more pages");
      return next;
    };
    pos.beforeAnswer = ({ path }) => {
      if (path.includes("product_list")) pos.shop.addProduct();
    };
    const moved = await pull(null);
    expect(moved).toMatchObject({ asOf: null, readAll: false });
    pos.beforeAnswer = () => undefined;
    const steady = await pull(moved.watermark);
    expect(pos.requestsFor(/lastUpdated/)).toEqual([]);
    expect(steady).toMatchObject({ asOf: now.toISOString(), readAll: true });
    expect(await pull(steady.watermark)).toMatchObject({ asOf: now.toISOString(), readAll: false });
    expect(pos.requestsFor(/lastUpdated/)).not.toEqual([]);
  });

  test("in random order comes to an end, incomplete", async () => {
    inRandomOrder(pos.shop.products.length);
    const products = await puller("product").pull(now);
    expect(products.records.size).toBeLessThanOrEqual(smallSize.products);
    expect(await inventory()).toMatchObject({ complete: false });
  });

  test("that repeats rows without reaching its total fails", async () => {
    inRandomOrder(1_000_000);
    pos.beforeAnswer = () => expect(pos.requests.length).toBeLessThan(200);
    await expect(inventory()).rejects.toMatchObject({ failure: "notUnderstood", code: "unordered" });
  });

  test.each([1, 2])("fails if page %i is empty although the total is larger", async (page) => {
    pos.rewrite = (body, { path, query }) => {
      if (path.includes("product_list") && query.get("page") === `${page}`) {
        (body as { data: { product_list: unknown[] } }).data.product_list = [];
      }
      return body;
    };
    const failure = { failure: "notUnderstood", code: "page" };
    await expect(inventory()).rejects.toMatchObject(failure);
    await expect(puller("product").pull(now)).rejects.toMatchObject(failure);
  });

  test("continues after a page that claims to have no rows", async () => {
    pos.rewrite = (body, { path }) => {
      if (path.includes("product_list")) (body as { data: { page_count: number } }).data.page_count = 0;
      return body;
    };
    expect(await inventory()).toMatchObject({ complete: true });
  });

  /** Fills each page with random products. */
  function inRandomOrder(total_count: number) {
    const chance = dice("random order", 1);
    pos.rewrite = (body, { path }) => {
      if (!path.includes("product_list")) return body;
      const product_list = Array.from({ length: pos.productPageSize }, () => {
        const product = chance.pick(pos.shop.products as [ShopProduct]);
        return treezProduct(product, pos.shop.packagesOf(product));
      });
      return { ...(body as object), data: { page_count: product_list.length, total_count, product_list } };
    };
  }

  test("without totals ends if the last page is repeated beyond the end", async () => {
    let last: unknown;
    pos.rewrite = (body, { path }) => {
      if (!path.includes("product_list")) return body;
      const { data } = body as { data: { product_list: unknown[] } };
      if (data.product_list.length > 0) last = { ...(body as object), data: { product_list: data.product_list } };
      return last;
    };
    pos.beforeAnswer = () => expect(pos.requests.length).toBeLessThan(50);
    const pulled = await inventory();
    expect([pulled.complete, pulled.records.size]).toEqual([false, smallSize.products]);
  });

  test("without totals is not complete, so that nothing vanishes", async () => {
    pos.rewrite = (body, { path }) =>
      path.includes("product_list")
        ? JSON.parse(JSON.stringify(body, (key, value) => (key === "total_count" ? undefined : value)))
        : body;
    const pulled = await inventory();
    expect(pulled.complete).toBe(false);
    expect(pulled.records.size).toBe(smallSize.products);
  });
});

describe("locations", () => {
  /** Changes the locations in products. */
  const rewritePlaces = (places: (detail: { location_id?: string }[]) => unknown) => {
    pos.rewrite = (body, { path }) =>
      path.includes("product_list")
        ? JSON.parse(JSON.stringify(body, (key, value) => (key === "sellable_quantity_detail" ? places(value) : value)))
        : body;
  };
  const names = async () => {
    const { records } = await puller("location").pull(now);
    return [...records.values()].map(({ pos_location_id, name }) => [pos_location_id, name]);
  };

  test("have ids if products have them, and then tickets are not requested", async () => {
    pos.shop.sell(now.getTime() - 60_000);
    expect(await names()).toEqual(rooms.map(({ uuid, name }) => [uuid, name]));
    expect(pos.requestsFor(/ticket/)).toEqual([]);
  });

  test("include those of the last day's tickets", async () => {
    rewritePlaces((details) =>
      details.map(({ location_id, ...detail }) => detail).filter((_, at) => at >= details.length / 2),
    );
    for (const sale of pos.shop.sales) sale.changedAt = Math.min(sale.changedAt, now.getTime() - 2 * day);
    expect(await names()).toEqual([["Vault", "Vault"]]);
    pos.shop.sell(now.getTime() - 60_000);
    expect((await names()).toSorted()).toEqual([
      ["Sales Floor", "Sales Floor"],
      ["Vault", "Vault"],
    ]);
  });

  test("are the store itself if none is found, or if tickets cannot be read", async () => {
    rewritePlaces(() => []);
    pos.shop.sell(now.getTime() - 60_000);
    pos.faults = ({ path }) => (path.includes("/ticket/") ? fail(403, "no") : undefined);
    expect(await names()).toEqual([["greenway", "greenway"]]);
    pos.faults = () => undefined;
    expect(await names()).toEqual([["Sales Floor", "Sales Floor"]]);
  });
});

test.each(["sale", "customer"] as const)(
  "a page of %ss ends at the deadline, and each page makes progress",
  async (kind) => {
    const pulled = puller(kind);
    let position: string | null = null;
    let steps = 0;
    do {
      steps++;
      const { length } = pos.requests;
      const page: PullPage<"sale" | "customer"> = await connector().pull(connection, {
        kind,
        since: null,
        position,
        now,
        deadline: now,
      });
      // A token, a page, and a check for more.
      expect(pos.requests.length - length).toBeLessThanOrEqual(3);
      pulled.take(page as never);
      position = "position" in page.next ? page.next.position : null;
    } while (position !== null);
    const withoutDeadline = await puller(kind).pull(now);
    expect(pulled.records).toEqual(withoutDeadline.records);
    expect(steps).toBeGreaterThan(withoutDeadline.pages);
  },
);

describe("sales", () => {
  test("of unknown status are rejected", async () => {
    const unknown = pos.shop.sales.filter(({ kind }) => kind !== "retail");
    const { rejected, records } = await puller("sale").pull(now);
    const ids = new Set(rejected.map(({ posId }) => posId));
    expect(ids.size).toBeGreaterThan(0);
    for (const { field, reason } of rejected) expect([field, reason]).toEqual(["order_status", "unknown_status"]);
    expect(unknown.map(({ uuid }) => uuid)).toEqual(expect.arrayContaining([...ids]));
    expect([...ids].filter((id) => records.has(id))).toEqual([]);
  });

  test("that are canceled after they were stored are voided, and others are never read", async () => {
    const pulled = puller("sale");
    const before = pos.shop.sell(now.getTime() - 60_000);
    pos.shop.cancelSale(pos.shop.sell(now.getTime() - 60_000));
    await pulled.pull(now);
    const { size } = pulled.records;
    later(60_000);
    pos.shop.cancelSale(before);
    await pulled.pull(later(60_000));
    expect(pulled.records.size).toBe(size);
    expect(pulled.records.get(before.uuid)).toMatchObject({ transaction_type: "adjustment", total_paid: 0 });
  });

  test("have changes of up to 28 days, requested with milliseconds and the shop's offset; after that all are read again", async () => {
    const pulled = puller("sale");
    await pulled.pull(now);
    const old = pos.shop.sell(later(20 * day).getTime() - 10 * day);
    await pulled.pull(later(7 * day));
    expect(pulled.records.has(old.uuid)).toBe(true);
    const changes = pos.requestsFor(/lastUpdated/);
    expect(changes[0]?.path).toMatch(/after\/2026-03-10T05:45:00\.000-06:00\/page\/1\/pagesize\/50$/);
    const { length } = changes;
    const missed = pos.shop.sell(now.getTime() + day);
    await pulled.pull(later(29 * day));
    expect(pos.requestsFor(/lastUpdated/)).toHaveLength(length);
    expect(pulled.records.has(missed.uuid)).toBe(false);
    await new PulledRecords(connector({ quietDays: 60 }), connection, "sale")
      .pull(now)
      .then(({ records }) => expect(records.has(missed.uuid)).toBe(true));
  });

  test("are read completely if a pull continues when changes are too old to be requested", async () => {
    const { watermark } = await puller("sale").pull(now);
    const since = JSON.stringify({ ...JSON.parse(watermark ?? ""), upTo: "2026-02-12T00:00:00.000Z" });
    for (let sales = 0; sales < 250; sales++) pos.shop.sell(now.getTime() - 60_000);
    const request = { kind: "sale", since, now } as const;
    const first = await connector().pull(connection, { ...request, position: null });
    expect(pos.requests.at(-1)?.path).toContain("lastUpdated");
    if (!("position" in first.next)) throw new Error("one page");
    later(3.5 * day);
    pos.requests.length = 0;
    const pulled = puller("sale");
    for (let { position }: { position: string | null } = first.next; position; ) {
      const page: PullPage<"sale"> = await connector().pull(connection, { ...request, position });
      pulled.take(page);
      position = "position" in page.next ? page.next.position : null;
    }
    expect(pos.requestsFor(/lastUpdated/)).toEqual([]);
    expect(pulled.records).toEqual((await puller("sale").pull(now)).records);
  });

  test("are requested by day without empty tickets", async () => {
    await puller("sale").pull(now);
    const [request] = pos.requestsFor(/closedate/);
    expect(request?.query.get("hide_empty_tickets")).toBe("true");
  });

  test("take few steps for days without tickets", async () => {
    const pulled = await puller("sale").pull(now);
    const empty = pos.requestsFor(/closedate/).length - pulled.pages;
    expect(empty).toBeGreaterThan(8);
  });
});
