import { describe, expect, test } from "vitest";
import { type RecordKind, recordKinds } from "../../../../../shared/api/kinds.ts";
import { dice } from "../../../../../shared/pos/sandbox/dice.ts";
import { FakePosUnderTest } from "../../fakes/fakePosUnderTest.ts";
import type { FakeAnswer } from "../../fakes/fakeServer.ts";
import type { FakeTreez } from "../../fakes/fakeTreez.ts";
import { PulledRecords } from "../../fakes/pulls.ts";
import { rooms, type ShopProduct, smallSize } from "../../fakes/shop.ts";
import { treezProduct } from "../../fakes/treezRows.ts";

const day = 24 * 60;
const dayMs = day * 60_000;
const tokens = /gettokens$/;
const fake = new FakePosUnderTest("treez", "2026-03-10T12:00:00.000Z");
const treez = () => fake.pos.server as FakeTreez;
const refusal = (status: number, resultReason: string): FakeAnswer => ({
  status,
  body: { resultCode: "FAIL", resultReason },
});

test("the store is the dispensary", async () => {
  expect(await fake.verify()).toEqual([{ id: "greenway", name: "greenway", address: null }]);
  await fake.pull("location", { locationId: "greenway" });
});

describe("tokens", () => {
  test("are reused for all requests of all kinds, and sent without a prefix", async () => {
    const one = fake.pos.connector();
    for (const kind of ["location", "product", "sale"] as const)
      await new PulledRecords(one, fake.pos.connection, kind).pull(fake.now);
    expect(treez().requestsFor(tokens)).toHaveLength(1);
    expect(treez().requests.at(-1)?.headers).toMatchObject({ authorization: "token-1", client_id: treez().clientId });
    expect(treez().requests.some(({ query, path }) => `${query}${path}`.includes(treez().credentials.apiKey))).toBe(
      false,
    );
  });

  test("that have expired are exchanged once", async () => {
    const one = fake.pos.connector();
    await one.verify(fake.pos.connection);
    treez().tokens.clear();
    const pulled = await new PulledRecords(one, fake.pos.connection, "product").pull(fake.now);
    expect(pulled.records.size).toBe(smallSize.products);
    expect(treez().requestsFor(tokens)).toHaveLength(2);
  });

  test("with a short lifetime are exchanged in time", async () => {
    treez().tokenSeconds = 0.2;
    const pulled = await fake.pull("sale");
    expect(pulled.records.size).toBeGreaterThan(0);
  });
});

test.each<[string, FakeAnswer, string]>([
  ["200 with FAIL", refusal(200, "INVALID_CREDENTIALS"), "credentialsRefused"],
  ["400", refusal(400, "INVALID_CREDENTIALS"), "credentialsRefused"],
  ["403", refusal(403, "no"), "credentialsRefused"],
  ["404, an unknown dispensary", refusal(404, "NOT_FOUND"), "credentialsRefused"],
  ["429", { status: 429, body: "slow down" }, "limited"],
  ["success without a token", { body: { resultCode: "SUCCESS" } }, "notUnderstood"],
])("if there is no token, with %s, the failure is %s", async (_, answer, failure) => {
  treez().respond(/./, answer);
  await expect(fake.verify()).rejects.toMatchObject({ failure });
});

test("a wrong client id of the service looks like rejected credentials", async () => {
  const verified = fake.verify({}, { clientId: "wrong" });
  await expect(verified).rejects.toMatchObject({ failure: "credentialsRefused" });
});

describe("the newer API", () => {
  const signed = (more = {}) => ({ credentials: { ...treez().signedCredentials, ...more } });
  const withKey = () => ({ certificate: treez().certificate });

  test("is used if the credentials have an organization, for all kinds, and each request has its own signature", async () => {
    expect(await fake.verify(signed(), withKey())).toEqual([{ id: "greenway", name: "greenway", address: null }]);
    for (const kind of recordKinds) {
      const pulled = await fake.pull<RecordKind>(kind, signed(), withKey());
      expect(pulled.records).toEqual(await fake.afresh(kind));
      await pulled.pull(fake.later(1));
      fake.later(-1);
    }
    const paths = treez().requests.filter(({ path }) => path.startsWith("/dispensary/v3/"));
    expect(paths.length).toBe(treez().signed.size - 1);
    expect(treez().requestsFor(/v3.*lastUpdated/).length).toBeGreaterThan(0);
  });

  test("is used even if there is an API key", async () => {
    await fake.verify(signed(treez().credentials), withKey());
    expect(treez().requestsFor(tokens)).toEqual([]);
  });

  test("gets a new signature for another attempt", async () => {
    let times = 0;
    treez().faults = () => (times++ === 0 ? { kind: "answer", answer: { status: 503 } } : undefined);
    await fake.verify(signed(), withKey());
    expect(new Set(treez().requests.map(({ headers }) => headers.authorization)).size).toBe(2);
  });

  test("rejects another organization and an unknown certificate", async () => {
    const rejected = { failure: "credentialsRefused" };
    const other = signed({ organizationId: "org-8" });
    await expect(fake.verify(other, withKey())).rejects.toMatchObject(rejected);
    const unknown = { certificate: { ...treez().certificate, id: "cert-2" } };
    await expect(fake.verify(signed(), unknown)).rejects.toMatchObject(rejected);
    await expect(fake.pull("sale", other, withKey())).rejects.toMatchObject(rejected);
    treez().rewrite = () => ({ valid: false });
    await expect(fake.verify(signed(), withKey())).rejects.toMatchObject(rejected);
    treez().rewrite = () => ({});
    await expect(fake.verify(signed(), withKey())).rejects.toMatchObject({ failure: "notUnderstood" });
  });

  test("gets no request without the service's own certificate, and counts as unreachable", async () => {
    const failure = { failure: "unreachable", code: "no_certificate" };
    const none = { certificate: { id: "", privateKey: "" } };
    await expect(fake.verify(signed(), none)).rejects.toMatchObject(failure);
    expect(treez().requests).toEqual([]);
  });
});

describe("responses", () => {
  test("with one FAIL without a reason are requested again with a new token", async () => {
    let times = 0;
    treez().faults = ({ path }) =>
      !tokens.test(path) && times++ === 0 ? { kind: "answer", answer: refusal(200, "") } : undefined;
    expect((await fake.pull("product")).records.size).toBe(smallSize.products);
    expect(treez().requestsFor(tokens)).toHaveLength(2);
  });

  test("that are too large are requested in halves", async () => {
    treez().maxPageSize = 6;
    const pulled = await fake.pull("customer");
    expect(pulled.records.size).toBe(smallSize.customers);
    expect((await fake.pull("sale")).records.size).toBeGreaterThan(50);
  });

  test.each<[string, FakeAnswer, object]>([
    ["a limit in words", refusal(400, "Rate limit exceeded"), { failure: "limited" }],
    ["a limit as a code", refusal(200, "TOO_MANY_REQUESTS"), { failure: "limited" }],
    ["a wrong request", refusal(400, "INVALID_DATE_FORMAT"), { failure: "notUnderstood", code: "INVALID_DATE_FORMAT" }],
    ["a rejection as a code", refusal(401, "INVALID_TOKEN"), { failure: "notPermitted", code: "401" }],
    ["free text", refusal(400, "Jane Doe is no customer"), { failure: "notUnderstood", code: "400" }],
    ["no reason at all", refusal(200, ""), { failure: "notUnderstood", code: "envelope" }],
  ])("with %s are classified", async (_, answer, failure) => {
    treez().respond(/^(?!.*gettokens)/, answer);
    await expect(fake.pull("customer")).rejects.toMatchObject(failure);
  });

  test.each(["NOT_FOUND", "TICKET_NOT_FOUND"])("with %s are empty lists", async (reason) => {
    treez().respond(/ticket/, refusal(404, reason));
    expect((await fake.pull("sale")).records.size).toBe(0);
  });

  test("without a list of products do not mean that products have vanished", async () => {
    treez().respond(/product/, refusal(404, "PRODUCT_NOT_FOUND"));
    expect(await fake.pull("inventory")).toMatchObject({ complete: false });
  });
});

/** A page of the list of products. */
interface List {
  data: { product_list: unknown[]; page_count: number; total_count: number };
}

describe("the list of products", () => {
  const inventory = () => fake.pull("inventory");

  test("is complete if nothing changes meanwhile, and includes products that are not sold any more", async () => {
    expect(await inventory()).toMatchObject({ complete: true });
    const [request] = treez().requestsFor(/product_list$/);
    expect(String(request?.query)).toBe("active=ALL&page=1");
  });

  test("is read again if it changes meanwhile", async () => {
    let pages = 0;
    treez().beforeAnswer = ({ path }) => {
      // Between the first two pages one product moves to the front, and one is added.
      if (/product_list$/.test(path) && ++pages === 2) {
        fake.pos.shop.changeProduct(fake.pos.shop.products[0] as never);
        fake.pos.shop.addProduct();
      }
    };
    const pulled = await inventory();
    expect(pulled).toMatchObject({ complete: true });
    expect(pulled.records.size).toBe(fake.pos.shop.products.length);
  });

  test("is read again if a product moves to a page that was already read, even if the total is the same", async () => {
    const [oldest] = fake.pos.shop.products.toSorted((a, b) => a.changedAt - b.changedAt);
    let pages = 0;
    treez().beforeAnswer = ({ path }) => {
      if (/product_list$/.test(path) && ++pages === 2) fake.pos.shop.changeProduct(oldest as never);
    };
    const pulled = await inventory();
    expect(pulled).toMatchObject({ complete: true });
    expect(pulled.records.has(oldest?.uuid ?? "")).toBe(true);
    expect(
      treez()
        .requestsFor(/product_list$/)
        .filter(({ query }) => query.get("page") === "1"),
    ).toHaveLength(2);
  });

  test("is not complete if it always changes, and the next pull starts from the same watermark", async () => {
    const products = await fake.pull("product");
    const { watermark } = products;
    fake.later(1);
    for (const product of fake.pos.shop.products) fake.pos.shop.changeProduct(product);
    treez().beforeAnswer = ({ path }) => {
      if (path.includes("product_list")) fake.pos.shop.addProduct();
    };
    expect(await inventory()).toMatchObject({ complete: false });
    await products.pull(fake.now);
    expect(products.watermark).toBe(watermark);
  });

  test.each([
    [5, 1],
    [6, 2],
  ])(
    "is read again if there is enough time: in %i seconds %i times, with a second per page and three pages",
    async (seconds, times) => {
      const list = /product_list$/;
      treez().beforeAnswer = ({ path }) => {
        if (!list.test(path)) return;
        fake.later(1 / 60);
        fake.pos.shop.addProduct();
      };
      const deadline = new Date(fake.now.getTime() + seconds * 1000);
      const page = await fake.page("inventory", { deadline });
      expect(
        treez()
          .requestsFor(list)
          .filter(({ query }) => query.get("page") === "1"),
      ).toHaveLength(times);
      expect(treez().requestsFor(list)[2]?.query.get("page")).toBe("3");
      expect(page.complete).toBe(false);
      expect(page.records.length).toBeGreaterThanOrEqual(smallSize.products);
    },
  );

  test("that may be incomplete, with no time to read it again, is read completely by the next pull", async () => {
    let pages = 0;
    treez().beforeAnswer = ({ path }) => {
      if (/product_list$/.test(path) && ++pages === 2) fake.pos.shop.products.pop();
    };
    const { next } = await fake.page("product", { deadline: new Date(0) });
    if (!("watermark" in next)) throw new Error("more pages");
    const { records } = await fake.page("product", { since: next.watermark, now: fake.later(1) });
    expect(records).toHaveLength(fake.pos.shop.products.length);
  });

  test("that changed during the first pull is read completely until it does not change", async () => {
    const pull = async (since: string | null) => {
      const { next } = await fake.page("product", { since, now: fake.later(1) });
      if (!("watermark" in next)) throw new Error("more pages");
      return next;
    };
    treez().beforeAnswer = ({ path }) => {
      if (path.includes("product_list")) fake.pos.shop.addProduct();
    };
    const moved = await pull(null);
    expect(moved).toMatchObject({ asOf: null, readAll: false });
    treez().beforeAnswer = () => undefined;
    const steady = await pull(moved.watermark);
    expect(treez().requestsFor(/lastUpdated/)).toEqual([]);
    expect(steady).toMatchObject({ asOf: fake.now.toISOString(), readAll: true });
    expect(await pull(steady.watermark)).toMatchObject({ asOf: fake.now.toISOString(), readAll: false });
    expect(treez().requestsFor(/lastUpdated/)).not.toEqual([]);
  });

  test("in random order comes to an end, incomplete", async () => {
    inRandomOrder(fake.pos.shop.products.length);
    const products = await fake.pull("product");
    expect(products.records.size).toBeLessThanOrEqual(smallSize.products);
    expect(await inventory()).toMatchObject({ complete: false });
  });

  test("that repeats rows without reaching its total fails", async () => {
    inRandomOrder(1_000_000);
    treez().beforeAnswer = () => expect(treez().requests.length).toBeLessThan(200);
    await expect(inventory()).rejects.toMatchObject({ failure: "notUnderstood", code: "unordered" });
  });

  test.each([1, 2])("fails if page %i is empty although the total is larger", async (page) => {
    treez().rewriteAt<List>(/product_list/, (body, { query }) => {
      if (query.get("page") === `${page}`) body.data.product_list = [];
      return body;
    });
    const failure = { failure: "notUnderstood", code: "page" };
    await expect(inventory()).rejects.toMatchObject(failure);
    await expect(fake.pull("product")).rejects.toMatchObject(failure);
  });

  test("continues after a page that claims to have no rows", async () => {
    treez().rewriteAt<List>(/product_list/, ({ data, ...body }) => ({ ...body, data: { ...data, page_count: 0 } }));
    expect(await inventory()).toMatchObject({ complete: true });
  });

  /** Fills each page with random products. */
  function inRandomOrder(total_count: number) {
    const chance = dice("random order", 1);
    treez().rewriteAt<List>(/product_list/, (body) => {
      const product_list = Array.from({ length: treez().productPageSize }, () => {
        const product = chance.pick(fake.pos.shop.products as [ShopProduct]);
        return treezProduct(product, fake.pos.shop.packagesOf(product));
      });
      return { ...body, data: { page_count: product_list.length, total_count, product_list } };
    });
  }

  test("without totals ends if the last page is repeated beyond the end", async () => {
    let last: unknown;
    treez().rewriteAt<List>(/product_list/, ({ data: { product_list }, ...body }) => {
      if (product_list.length > 0) last = { ...body, data: { product_list } };
      return last;
    });
    treez().beforeAnswer = () => expect(treez().requests.length).toBeLessThan(50);
    const pulled = await inventory();
    expect([pulled.complete, pulled.records.size]).toEqual([false, smallSize.products]);
  });

  test("without totals is not complete, so that nothing vanishes", async () => {
    treez().rewriteAt<List>(/product_list/, ({ data: { total_count: _, ...data }, ...body }) => ({ ...body, data }));
    const pulled = await inventory();
    expect(pulled.complete).toBe(false);
    expect(pulled.records.size).toBe(smallSize.products);
  });
});

describe("locations", () => {
  /** Changes the locations in products. */
  const rewritePlaces = (places: (detail: { location_id?: string }[]) => unknown) => {
    treez().rewriteAt(/product_list/, (body) =>
      JSON.parse(JSON.stringify(body, (key, value) => (key === "sellable_quantity_detail" ? places(value) : value))),
    );
  };
  const names = async () => {
    const { records } = await fake.pull("location");
    return [...records.values()].map(({ pos_location_id, name }) => [pos_location_id, name]);
  };

  test("have ids if products have them, and then tickets are not requested", async () => {
    fake.pos.shop.sell(fake.now.getTime() - 60_000);
    expect(await names()).toEqual(rooms.map(({ uuid, name }) => [uuid, name]));
    expect(treez().requestsFor(/ticket/)).toEqual([]);
  });

  test("include those of the last day's tickets", async () => {
    rewritePlaces((details) =>
      details.map(({ location_id, ...detail }) => detail).filter((_, at) => at >= details.length / 2),
    );
    for (const sale of fake.pos.shop.sales) sale.changedAt = Math.min(sale.changedAt, fake.now.getTime() - 2 * dayMs);
    expect(await names()).toEqual([["Vault", "Vault"]]);
    fake.pos.shop.sell(fake.now.getTime() - 60_000);
    expect((await names()).toSorted()).toEqual([
      ["Sales Floor", "Sales Floor"],
      ["Vault", "Vault"],
    ]);
  });

  test("are the store itself if none is found, or if tickets cannot be read", async () => {
    rewritePlaces(() => []);
    fake.pos.shop.sell(fake.now.getTime() - 60_000);
    treez().respond(/ticket/, refusal(403, "no"));
    expect(await names()).toEqual([["greenway", "greenway"]]);
    treez().faults = () => undefined;
    expect(await names()).toEqual([["Sales Floor", "Sales Floor"]]);
  });
});

test.each(["sale", "customer"] as const)(
  "a page of %ss ends at the deadline, and each page makes progress",
  async (kind) => {
    const pulled = fake.puller(kind);
    for await (const page of fake.pages<"sale" | "customer">(kind, { deadline: fake.now })) {
      // A token, a page, and a check for more.
      expect(treez().requests.splice(0).length).toBeLessThanOrEqual(3);
      pulled.take(page as never);
    }
    const withoutDeadline = await fake.pull(kind);
    expect(pulled.records).toEqual(withoutDeadline.records);
    expect(pulled.pages).toBeGreaterThan(withoutDeadline.pages);
  },
);

describe("sales", () => {
  test("have changes of up to 28 days, requested with milliseconds and the shop's offset; after that all are read again", async () => {
    const pulled = fake.puller("sale");
    await pulled.pull(fake.now);
    const old = fake.pos.shop.sell(fake.later(20 * day).getTime() - 10 * dayMs);
    await pulled.pull(fake.later(7 * day));
    expect(pulled.records.has(old.uuid)).toBe(true);
    const changes = treez().requestsFor(/lastUpdated/);
    expect(changes[0]?.path).toMatch(/after\/2026-03-10T05:45:00\.000-06:00\/page\/1\/pagesize\/50$/);
    const { length } = changes;
    const missed = fake.pos.shop.sell(fake.now.getTime() + dayMs);
    await pulled.pull(fake.later(29 * day));
    expect(treez().requestsFor(/lastUpdated/)).toHaveLength(length);
    expect(pulled.records.has(missed.uuid)).toBe(false);
    expect((await fake.pull("sale", {}, { quietDays: 60 })).records.has(missed.uuid)).toBe(true);
  });

  test("are read completely if a pull continues when changes are too old to be requested", async () => {
    const { watermark } = await fake.pull("sale");
    const since = JSON.stringify({ ...JSON.parse(watermark ?? ""), upTo: "2026-02-12T00:00:00.000Z" });
    for (let sales = 0; sales < 250; sales++) fake.pos.shop.sell(fake.now.getTime() - 60_000);
    const { now } = fake;
    const first = await fake.page("sale", { since });
    expect(treez().requests.at(-1)?.path).toContain("lastUpdated");
    if (!("position" in first.next)) throw new Error("one page");
    fake.later(3.5 * day);
    treez().requests.length = 0;
    const pulled = fake.puller("sale");
    for await (const page of fake.pages("sale", { since, now, position: first.next.position })) pulled.take(page);
    expect(treez().requestsFor(/lastUpdated/)).toEqual([]);
    expect(pulled.records).toEqual((await fake.pull("sale")).records);
  });

  test("are requested by day without empty tickets", async () => {
    await fake.pull("sale");
    const [request] = treez().requestsFor(/closedate/);
    expect(request?.query.get("hide_empty_tickets")).toBe("true");
  });

  test("take few steps for days without tickets", async () => {
    const pulled = await fake.pull("sale");
    const empty = treez().requestsFor(/closedate/).length - pulled.pages;
    expect(empty).toBeGreaterThan(8);
  });
});
