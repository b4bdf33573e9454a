import { randomUUID } from "node:crypto";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { RecordKind } from "../../../../shared/api/kinds.ts";
import {
  completeCustomer,
  completeLine,
  completeSales,
  keepDateOfVoided,
  readCaughtUpTo,
} from "../../../../shared/domain/replication/completeSales.ts";
import { replicate } from "../../../../shared/domain/replication/replicate.ts";
import type { Connection, Connector } from "../../../../shared/pos/connector.ts";
import {
  emptySaleCustomer,
  type PosLineItem,
  type PosSale,
  type PosSaleCustomer,
} from "../../../../shared/pos/posRecords.ts";
import type { Table } from "../../../../shared/store/client.ts";
import { recordList } from "../../../../shared/store/keys/orderedLists.ts";
import { readPage } from "../../../../shared/store/orderedList/readPage.ts";
import { toLocalTime } from "../../../../shared/time/localTime.ts";
import { useTestServiceKey } from "../../../testServiceKey.ts";
import { testTableOf } from "../../../testTable.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { type FakePos, startFakePos } from "../../pos/fakes/fakePos.ts";
import type { ShopCustomer, ShopProduct } from "../../pos/fakes/shop.ts";
import { hideFromLaggingReads } from "../../store/orderedList/laggingReads.ts";
import { TestClock } from "../../store/orderedList/listUnderTest.ts";
import { plainSale } from "./scriptedPos.ts";

useTestServiceKey();

const line: PosLineItem = {
  ...(plainSale("1", 0, "2026-03-01T00:00:00.000Z", null).line_items[0] ?? expect.fail()),
  ...{ pos_product_id: "9", product_name: null, num_units: 2, grams: null, cannabis_product: null },
};

describe("a line of a sale", () => {
  const product = {
    name: "Bud",
    svc_product_category_name: "flower",
    medicated: true,
    svc_net_weight_grams: 3.5,
    thc_mg_per_unit: 12.5,
  } as const;

  test.each<[Partial<PosLineItem>, Partial<PosLineItem>]>([
    [{}, { product_name: "Bud", product_type: "flower", cannabis_product: true, grams: 7, thc_mg_per_unit: 12.5 }],
    [{ product_name: "Shown" }, { product_name: "Shown" }],
    [{ cannabis_product: false }, { cannabis_product: false }],
    [{ grams: 1 }, { grams: 1 }],
    [{ thc_mg_per_unit: 10 }, { thc_mg_per_unit: 10 }],
    [{ num_units: -2 }, { grams: -7 }],
    [{ num_units: null }, { grams: null }],
  ])("with %j is completed from its product", (reported, expected) => {
    expect(completeLine({ ...line, ...reported }, product)).toEqual({
      ...completeLine({ ...line, ...reported }, product),
      ...expected,
    });
  });

  test("stays as it is for an unknown product, and has no weight for a product without weight", () => {
    expect(completeLine(line, undefined)).toEqual(line);
    expect(completeLine(line, { ...product, svc_net_weight_grams: null }).grams).toBe(null);
  });
});

describe("a customer of a sale", () => {
  const shown: PosSaleCustomer = { ...emptySaleCustomer, pos_customer_id: "5", type: "medical" };
  const storedCustomer = {
    dob: "1980-02-29",
    medical_id: "hash",
    medical_id_expiration_date: "2027-01-31",
    drivers_license_id: "hash",
    drivers_license_expiration_date: "2028-01-31",
    other_id: "hash",
    other_id_expiration_date: "2029-01-31",
    caregiver: true,
  };

  test.each<[string, Partial<PosSaleCustomer>, object, object]>([
    ["medical", {}, {}, { id_type: "medical", id_expiration_date: "2027-01-31" }],
    ["not medical", { type: "rec" }, {}, { id_type: "drivers", id_expiration_date: "2028-01-31" }],
    ["medical, without medical id", {}, { medical_id: null }, { id_type: "drivers" }],
    [
      "a caregiver",
      {},
      { medical_id: null, drivers_license_id: null },
      { id_type: "caregiver", id_expiration_date: "2029-01-31" },
    ],
    [
      "nothing",
      {},
      { medical_id: null, drivers_license_id: null, caregiver: null },
      { id_type: null, dob: "1980-02-29" },
    ],
    [
      "id type and birth from the POS",
      { id_type: "passport", dob: "1990-01-01" },
      {},
      { id_type: "passport", dob: "1990-01-01" },
    ],
    ["id type from the POS, without birth", { id_type: "passport" }, {}, { id_type: "passport", dob: "1980-02-29" }],
  ])("is completed from the stored customer: %s", (_, reported, has, expected) => {
    expect(completeCustomer({ ...shown, ...reported }, { ...storedCustomer, ...has })).toMatchObject({ ...expected });
  });

  test("stays as it is if unknown", () => {
    expect(completeCustomer(shown, undefined)).toEqual(shown);
  });
});

const voided = { transaction_type: "adjustment", total_paid: 0, line_items: [] };

test("a voided sale keeps its stored date", () => {
  const stored = { date: "2026-03-01T00:00:00.000Z", local_date: "2026-02-28 17:00:00.000" };
  const fresh = { ...voided, date: "2026-03-05T00:00:00.000Z", local_date: "2026-03-04 17:00:00.000" };
  const keepDate = keepDateOfVoided("America/Denver");
  expect(keepDate(fresh, stored)).toEqual({ ...fresh, ...stored });
  for (const other of [{ transaction_type: "sale" }, { total_paid: 1 }, { line_items: [line] }]) {
    expect(keepDate({ ...fresh, ...other }, stored)).toEqual({ ...fresh, ...other });
  }
});

test.each([
  ["a later day", "UTC", "2026-03-01 00:00:00.000"],
  ["an earlier time of its day", "America/Los_Angeles", "2026-02-28 16:00:00.000"],
  ["the last day of the year before", "America/Los_Angeles", "2024-12-31 23:30:00.000", "2025-01-01T07:30:00.000Z"],
])(
  "the stored date of a voided sale is %s in another time zone",
  (_, timezone, local_date, date = "2026-03-01T00:00:00.000Z") => {
    const fresh = { ...voided, date: "2026-03-05T00:00:00.000Z", local_date: "2026-03-04 00:00:00.000" };
    const stored = { date, local_date: toLocalTime(date, "America/Denver") };
    expect(keepDateOfVoided(timezone)(fresh, stored)).toEqual({ ...fresh, date, local_date });
  },
);

test("a voided sale of a POS without time zones keeps its local date in another time zone", () => {
  const local_date = "2026-02-28 17:00:00.000";
  const fresh = { ...voided, date: "2026-03-01T01:00:00.000Z", local_date };
  const stored = { date: "2026-03-01T00:00:00.000Z", local_date };
  expect(keepDateOfVoided("America/Los_Angeles")(fresh, stored)).toEqual(fresh);
});

describe("for a POS that refers to products and customers only by id", () => {
  const table = useTestTable();
  let pos: FakePos;
  let clock: TestClock;
  let connection: Connection;
  let product: ShopProduct;
  let customer: ShopCustomer;

  beforeEach(async () => {
    await pos?.server.close();
    clock = new TestClock("2026-03-10T12:00:00.000Z");
    pos = await startFakePos("dutchie", 1, { customers: 3, products: 3, packages: 3, sales: 3 }, () => clock.now());
    connection = { ...pos.connection, crbId: randomUUID() };
  });
  afterAll(() => pos.server.close());

  const run = (kind: RecordKind) => replicate(table(), connection, pos.connector(), kind, { clock });
  const later = (minutes: number) => clock.advance(minutes * 60_000);
  /** A new customer buys a new product. */
  const sell = () => {
    product = pos.shop.addProduct();
    customer = pos.shop.addCustomer();
    const sale = pos.shop.sell();
    Object.assign(sale, { customer, lines: [{ product, quantity: 1, price: 100, discount: 0, tax: 0 }] });
    return String(sale.number);
  };
  const saleOf = async (posId: string) => {
    const { records } = await readPage(table(), recordList(connection.crbId, "sale"), { offset: 0, limit: 1000 });
    return records.map((record) => JSON.parse(record)).find(({ pos_sale_id }) => pos_sale_id === posId);
  };
  const runAll = async (...kinds: RecordKind[]) => {
    for (const kind of kinds) expect(await run(kind)).toMatchObject({ outcome: "finished" });
  };

  test("sales contain the replicated names of products and data of customers", async () => {
    const posId = sell();
    await runAll("product", "customer", "sale");
    expect(await saleOf(posId)).toMatchObject({
      line_items: [{ product_name: product.name }],
      customer: { dob: customer.dob, id_type: customer.medicalId ? "medical" : "drivers" },
    });
  });

  test("a product and a customer that were stored a moment ago are found, even if reads lag", async () => {
    const posId = sell();
    await runAll("product", "customer");
    const lagging = testTableOf(table());
    hideFromLaggingReads(lagging);
    await replicate(lagging, connection, pos.connector(), "sale", { clock });
    expect(await saleOf(posId)).toMatchObject({
      line_items: [{ product_name: product.name }],
      customer: { dob: customer.dob },
    });
  });

  test("a coupon has the name of its product", async () => {
    const posId = sell();
    pos.server.rewrite = (body, { path }) =>
      path === "/reporting/transactions"
        ? (body as { items: object[] }[]).map((row) => ({
            ...row,
            items: [
              ...row.items,
              { transactionItemId: 90, productId: product.number, isCoupon: true, totalPrice: -3 },
              { transactionItemId: 91, productId: 999_999, isCoupon: true, totalPrice: -1 },
            ],
          }))
        : body;
    await runAll("product", "sale");
    expect((await saleOf(posId)).discounts).toEqual([
      { flat_amount: 300, pct_amount: null, name: product.name },
      { flat_amount: 100, pct_amount: null, name: null },
    ]);
  });

  test("products that are replicated later are added by the sale's next run, however long that takes", async () => {
    await runAll("product", "customer", "sale");
    later(60);
    const posId = sell();
    // Sales are read often, the other kinds rarely.
    for (let runs = 0; runs < 12; runs++) {
      later(5);
      await run("sale");
    }
    expect((await saleOf(posId)).line_items[0].product_name).toBe(null);
    await runAll("product", "customer");
    later(5);
    expect(await run("sale")).toMatchObject({ changed: 1 });
    expect((await saleOf(posId)).line_items[0].product_name).toBe(product.name);
    later(60);
    expect(await run("sale")).toMatchObject({ changed: 0 });
  });

  test("the table is not read if the POS reports everything", async () => {
    const sales = [{ line_items: [line], customer: null }] as unknown as PosSale[];
    expect(await completeSales({} as Table, connection, sales)).toEqual(sales);
  });

  test("no kind is caught up before products and customers have been read once", async () => {
    expect(await readCaughtUpTo(table(), connection)).toEqual(new Date(0));
    await run("product");
    expect(await readCaughtUpTo(table(), connection)).toEqual(new Date(0));
    later(1);
    await run("customer");
    // Minus the possible difference between clocks.
    expect(await readCaughtUpTo(table(), connection)).toEqual(new Date("2026-03-10T11:59:55.000Z"));
  });

  test("sales wait for no kind that the POS lacks", async () => {
    await run("product");
    const upTo = (...lacking: string[]) => readCaughtUpTo(table(), connection, (_, kind) => lacking.includes(kind));
    expect([await upTo("customer"), await upTo("customer", "product")]).toEqual([
      new Date("2026-03-10T11:59:55.000Z"),
      undefined,
    ]);
  });

  test("after a run that may have missed a product, the sale is completed by a later run that has it", async () => {
    await runAll("product", "customer", "sale");
    later(60);
    const posId = sell();
    const connector = pos.connector();
    const incomplete: Connector = {
      ...connector,
      pull: async (connection, request) => {
        const page = await connector.pull(connection, request);
        const records = page.records.filter((record) => !JSON.stringify(record).includes(product.name));
        return { ...page, records, next: { watermark: request.since ?? "", asOf: null } };
      },
    };
    await replicate(table(), connection, incomplete, "product", { clock });
    await run("customer");
    expect(await readCaughtUpTo(table(), connection)).toEqual(new Date("2026-03-10T11:59:55.000Z"));
    for (let runs = 0; runs < 6; runs++) {
      later(5);
      await run("sale");
    }
    expect((await saleOf(posId)).line_items[0].product_name).toBe(null);
    await run("product");
    later(5);
    await run("sale");
    expect((await saleOf(posId)).line_items[0].product_name).toBe(product.name);
  });

  test("two locations with the same ids have separate records", async () => {
    const fake = pos.server as import("../../pos/fakes/fakeDutchie.ts").FakeDutchie;
    fake.addLocation("med-key", 4102, { shop: pos.shop });
    connection = { ...connection, credentials: { recApiKey: "rec-key", medApiKey: "med-key" } };
    for (const kind of ["location", "sale", "inventory"] as const) {
      const result = await run(kind);
      const { total } = await readPage(table(), recordList(connection.crbId, kind), { offset: 0, limit: 1 });
      expect(result).toMatchObject({ outcome: "finished", created: total });
      expect(total % 2).toBe(0);
    }
    const { records } = await readPage(table(), recordList(connection.crbId, "location"), { offset: 0, limit: 10 });
    expect(records.map((record) => JSON.parse(record).pos_location_id).sort()).toEqual(["11", "11", "12", "12"]);
  });
});
