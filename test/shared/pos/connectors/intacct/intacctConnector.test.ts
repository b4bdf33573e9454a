import { describe, expect, test } from "vitest";
import type { PullPage } from "../../../../../shared/pos/connector.ts";
import type { FakeIntacct } from "../../fakes/fakeIntacct.ts";
import { FakePosUnderTest } from "../../fakes/fakePosUnderTest.ts";
import type { Fault } from "../../fakes/fakeServer.ts";
import { rooms } from "../../fakes/shop.ts";

const fake = new FakePosUnderTest("intacct", "2026-03-10T19:30:00.000Z");
const intacct = () => fake.pos.server as FakeIntacct;
const logins = () => intacct().requests.filter(({ body }) => body.includes("<login>"));

test("the stores are the company's entities, or else its top level", async () => {
  expect(await fake.verify()).toEqual([
    { id: "E100", name: "No. 0", address: null, isOneOfSeveral: true },
    { id: "E200", name: "No. 1", address: null, isOneOfSeveral: true },
  ]);
  intacct().entities = [];
  expect(await fake.verify()).toEqual([{ id: "top-level", name: "Top level", address: null }]);
  await fake.pull("customer", { locationId: "top-level" });
  expect(logins().every(({ body }) => !body.includes("locationid"))).toBe(true);
});

test("records are read within the entity, and connections are verified at the top level", async () => {
  await fake.pull("product");
  expect(logins().map(({ body }) => /<locationid>(.*)<\/locationid>/.exec(body)?.[1])).toEqual([undefined, "E100"]);
  expect([...intacct().sessions.values()]).toEqual(["", "E100"]);
});

describe("a failed request is classified", () => {
  const respondWith = (status: number, body: string): Fault => ({ kind: "answer", answer: { status, body } });
  const xml = (errorno: string) => `<?xml version="1.0"?><response><errormessage>${errorno}</errormessage></response>`;

  test.each<[Fault, string]>([
    [respondWith(400, xml("GW-0011")), "credentialsRefused"],
    [respondWith(400, xml("GW-0012")), "notUnderstood"],
    [respondWith(403, xml("GW-0013")), "credentialsRefused"],
    [respondWith(403, "<html>cloudflare</html>"), "unreachable"],
    [respondWith(200, "<response><control><status>success</status></control></response>"), "notUnderstood"],
    [respondWith(200, "<response><control><status>failure</status></control></response>"), "unreachable"],
  ])("from %j to a login: %s", async (fault, failure) => {
    intacct().faults = () => fault;
    await expect(fake.verify()).rejects.toMatchObject({ failure });
  });

  test("if the response is above 16 MB", async () => {
    const body = `<response>${" ".repeat(16 * 1024 ** 2)}</response>`;
    intacct().faults = () => ({ kind: "answer", answer: { body } });
    const failure = { failure: "notUnderstood", code: "too_large" };
    await expect(fake.verify()).rejects.toMatchObject(failure);
  });

  test("if an object is closed to the user or unknown", async () => {
    intacct().closed.add("ARADJUSTMENT");
    const sales = fake.pull("sale");
    await expect(sales).rejects.toMatchObject({ failure: "notPermitted", code: "PL04000005" });
    intacct().unknown.add("ITEM");
    const products = fake.pull("product");
    await expect(products).rejects.toMatchObject({ failure: "notUnderstood", code: "DL03000003" });
  });
});

describe("the locations", () => {
  const warehouses = rooms.map(({ number }) => `W${number}`);
  const locations = rooms.map(({ number }) => `location-L${number}`);

  test("are the warehouses, or else the objects that Intacct calls locations", async () => {
    expect((await fake.pull("location")).ids).toEqual(warehouses);
    intacct().unknown.add("WAREHOUSE");
    expect((await fake.pull("location")).ids).toEqual(locations);
    intacct().unknown.clear();
    intacct().closed.add("WAREHOUSE");
    expect((await fake.pull("location")).ids).toEqual(locations);
  });

  test("do not vanish if the warehouses cannot be read", async () => {
    expect(await fake.page("location")).toMatchObject({ complete: true, next: { readAll: true } });
    intacct().closed.add("WAREHOUSE");
    expect(await fake.page("location")).toMatchObject({ complete: false, next: { readAll: false } });
  });

  test.each(["DL02000001", "XL03000009"])(
    "are not read from other objects after a failure %s of the warehouses",
    async (errorno) => {
      const result = { status: "failure", errormessage: { error: { errorno } } };
      intacct().rewrite = (body, { body: sent }) => {
        if (!sent.includes("WAREHOUSE")) return body;
        return {
          response: { control: { status: "success" }, operation: { authentication: { status: "success" }, result } },
        };
      };
      const failure = { failure: "notUnderstood", code: errorno };
      await expect(fake.pull("location")).rejects.toMatchObject(failure);
    },
  );

  test("are not read from other objects while the warehouses cannot be read", async () => {
    const broken: Fault = { kind: "answer", answer: { body: "<html></html>" } };
    intacct().faults = ({ body }) => (body.includes("WAREHOUSE") ? broken : undefined);
    await expect(fake.pull("location")).rejects.toMatchObject({ failure: "notUnderstood" });
  });
});

describe("with several entities", () => {
  const salesOfOtherEntity = () =>
    fake.pos.shop.sales.filter(({ kind, original }) => kind === "wholesale" && original === null);

  test("a company without entities has all rows at its top level", async () => {
    intacct().entities = [];
    const pulled = await fake.pull("sale", { locationId: "top-level" });
    expect(pulled.foreign).toBe(0);
    for (const { number } of salesOfOtherEntity()) expect(pulled.records.has(String(number))).toBe(true);
  });

  test("all rows are read if Intacct does not return their entities", async () => {
    intacct().missing.add("MEGAENTITYID");
    const pulled = await fake.pull("sale");
    expect(pulled.foreign).toBe(0);
    for (const { number } of salesOfOtherEntity()) expect(pulled.records.has(String(number))).toBe(true);
  });
});

test("only fields that the company has are requested", async () => {
  intacct().missing.add("UPC");
  const { records } = await fake.pull("product");
  expect(records.size).toBe(fake.pos.shop.products.length);
  for (const { sku, price } of records.values()) expect([sku, price]).toEqual([null, expect.any(Number)]);
});

test.each(["STATE", "TOTALENTERED", "WHENCREATED"])("without the field %s no sales are read", async (field) => {
  intacct().missing.add(field);
  const sales = fake.pull("sale");
  await expect(sales).rejects.toMatchObject({ failure: "notUnderstood", code: "definition" });
});

test("without a date of change, all records are read each time", async () => {
  intacct().missing.add("WHENMODIFIED");
  const pulled = await fake.pull("product");
  fake.pos.shop.addProduct();
  await pulled.pull(fake.later(60));
  expect(pulled.records).toEqual(await fake.afresh("product"));
});

/** Changes the rows of an object in Intacct's responses. */
function rewriteRows(object: string, change: (data: Record<string, unknown>) => object): void {
  intacct().rewrite = (body, { body: sent }) => {
    const { result } = (body as { response: { operation: { result: { data: Record<string, unknown> } } } }).response
      .operation;
    if (sent.includes(`<query><object>${object}<`)) Object.assign(result, { data: change(result.data) });
    return body;
  };
}

test("lines out of the order of their numbers are not understood", async () => {
  rewriteRows("ARINVOICEITEM", ({ ARINVOICEITEM, ...data }) => ({
    ...data,
    ARINVOICEITEM: (ARINVOICEITEM as unknown[]).toReversed(),
  }));
  await expect(fake.pull("sale")).rejects.toMatchObject({ failure: "notUnderstood", code: "order" });
});

describe("an empty page that contradicts itself does not end a list", () => {
  const contradictions: [string, (object: string) => (data: Record<string, unknown>) => object][] = [
    ["no row is returned", () => () => ({ "@totalcount": 500, "@numremaining": 500 })],
    ["no row is reported as left", () => () => ({ "@totalcount": 500, "@numremaining": 0 })],
    [
      "the rows have another name",
      (object) =>
        ({ [object]: rows }) => ({ [object.toLowerCase()]: rows }),
    ],
  ];
  const notUnderstood = { failure: "notUnderstood", code: "page" };

  test.each(contradictions)("of entities, if %s", async (_, change) => {
    rewriteRows("LOCATIONENTITY", change("LOCATIONENTITY"));
    await expect(fake.verify()).rejects.toMatchObject(notUnderstood);
  });

  test.each(contradictions)("with pages, if %s", async (_, change) => {
    rewriteRows("ITEM", change("ITEM"));
    await expect(fake.pull("product")).rejects.toMatchObject(notUnderstood);
  });

  test.each(contradictions)("of an invoice's lines, if %s", async (_, change) => {
    rewriteRows("ARINVOICEITEM", change("ARINVOICEITEM"));
    await expect(fake.pull("sale")).rejects.toMatchObject(notUnderstood);
  });
});

test("a list that reports too early that nothing is left is read to its end", async () => {
  const whole = await fake.afresh("sale");
  rewriteRows("ARINVOICEITEM", (data) => ({ ...data, "@numremaining": 0 }));
  expect((await fake.pull("sale")).records).toEqual(whole);
});

describe("invoices", () => {
  test("have their lines, even if rows come and go between pages", async () => {
    let isFirst = true;
    intacct().beforeAnswer = ({ body }) => {
      if (!body.includes("<object>ARINVOICEITEM<") || !body.includes("<query>")) return;
      if (!isFirst) fake.pos.shop.sales.find(({ lines }) => lines.length > 0)?.lines.splice(0);
      isFirst = false;
    };
    const { records } = await fake.pull("sale");
    intacct().beforeAnswer = () => undefined;
    const [, ...others] = fake.pos.shop.sales.filter(({ original }) => original === null);
    const kept = others.filter(({ number, lines }) => records.has(String(number)) && lines.length > 0);
    expect(kept.length).toBeGreaterThan(30);
    for (const { number, lines } of kept) {
      const found = records.get(String(number))?.line_items.map(({ pos_product_id }) => pos_product_id);
      expect(found?.slice(0, lines.length)).toEqual(lines.map(({ product }) => `I-${product.number}`));
    }
  });

  test("have units and prices, and only products if the company has no Order Entry", async () => {
    const [sale] = fake.pos.shop.sales;
    const linesOf = async () => (await fake.afresh("sale")).get(String(sale?.number))?.line_items ?? [];
    const [line] = sale?.lines ?? [];
    const product = { pos_product_id: `I-${line?.product.number}` };
    expect((await linesOf())[0]).toMatchObject({ ...product, num_units: line?.quantity, price_per_unit: line?.price });
    for (const closed of [intacct().unknown, intacct().closed, intacct().missing]) {
      closed.add(closed === intacct().missing ? "DOCNO" : "SODOCUMENTENTRY");
      expect((await linesOf())[0]).toMatchObject({ ...product, num_units: null, price_per_unit: null });
      closed.clear();
    }
  });

  test("are not read while Order Entry fails for another reason", async () => {
    intacct().faults = ({ body }) =>
      body.includes("<object>SODOCUMENTENTRY<") ? { kind: "answer", answer: { status: 503 } } : undefined;
    await expect(fake.pull("sale")).rejects.toMatchObject({ failure: "unreachable" });
  });

  test("set the start of the next pull, whatever else is caught up when the adjustments are read", async () => {
    const anHourAgo = new Date(fake.now.getTime() - 60 * 60_000);
    for (let position: string | null = null, caughtUpTo = anHourAgo; ; caughtUpTo = fake.now) {
      const { next }: PullPage<"sale"> = await fake.page("sale", { position, caughtUpTo });
      if ("watermark" in next) {
        expect(next).toMatchObject({ asOf: anHourAgo.toISOString(), readAll: true });
        expect(JSON.parse(next.watermark)).toMatchObject({ upTo: anHourAgo.toISOString() });
        break;
      }
      position = next.position;
    }
  });

  test("are read again for a day before the last pull", async () => {
    const pulled = await fake.pull("sale");
    await pulled.pull(fake.later(60));
    const [, since] = /<field>WHENMODIFIED<\/field><value>(.*?)</.exec(intacct().requests.at(-1)?.body ?? "") ?? [];
    expect(since).toBe("03/09/2026 19:15:00");
  });
});
