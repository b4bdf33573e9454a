import { capitalized } from "../files/capitalized.ts";
import { type Draft, filesOf } from "./draft.ts";

// The text of a fake of a new POS, and of the test of its mapping. The formatter breaks its lines.

/** The store of the fake. */
export const storeId = "77";

/** The files below test/, by their path in the project. */
export function testTexts(draft: Draft): Map<string, string> {
  const files = filesOf(draft);
  return new Map([
    [files.fake, fakeText(draft)],
    [files.test, testText(draft)],
  ]);
}

/** The credentials that the fake accepts. Each is so unusual that no other text of a test contains it by chance. */
function credentialsText({ page, credentials }: Draft): string {
  const texts = credentials.map(({ name, type, header }) =>
    type === "number" ? `${name}: 910_273_645_546` : `${name}: "${page}-${header.slice(2)}"`,
  );
  return `{ ${texts.join(", ")} }`;
}

const fakeText = (
  draft: Draft,
): string => `import { type FakeAnswer, type FakeRequest, FakeServer } from "./fakeServer.ts";
import { amountsOf, iso, Shop, type ShopPackage, type ShopSale, type ShopSize } from "./shop.ts";

const storeId = "${storeId}";
const otherStoreId = "78";

/** A fake of the part of ${draft.posType} that the connector reads (docs/pos/${draft.page}.md). */
// TODO: respond as the API's documents and captured responses show, including the forms that they leave open.
export class Fake${capitalized(draft.name)} extends FakeServer {
  readonly credentials = ${credentialsText(draft)};
  readonly shop: Shop;

  constructor(seed: number | string, size: ShopSize, now?: () => Date) {
    super((request) => this.#answer(request));
    if (now) this.now = now;
    this.shop = new Shop(seed, size, () => this.now());
  }

  #answer(request: FakeRequest): FakeAnswer {
    const { path, headers } = request;
    const expected = { ${draft.credentials.map(({ name, header }) => `"${header}": this.credentials.${name}`).join(", ")} };
    const isAccepted = Object.entries(expected).every(([header, value]) => headers[header] === String(value));
    if (!isAccepted) return { status: 401, body: { message: "Unauthorized" } };
    const { packages, removed, sales } = this.shop;
    switch (path) {
      case "/v1/stores":
        return { body: { data: [{ id: storeId, name: "Boulder", address: "412 Pearl Street, Boulder, CO 80302" }] } };
      case "/v1/inventory":
        return this.#page(
          request,
          () => [...packages, ...removed],
          (stock) => packageRow(stock, removed.includes(stock)),
        );
      case "/v1/sales":
        return this.#page(request, () => sales.filter(({ kind }) => kind === "retail"), saleRow);
      default:
        return { status: 404, body: { message: "Not found" } };
    }
  }

  /** A page of the rows that changed since an instant, in the order of their numbers. Some are of another store. */
  #page<Row extends { number: number; changedAt: number }>(
    { path, query }: FakeRequest,
    list: () => readonly Row[],
    make: (row: Row) => object,
  ): FakeAnswer {
    const since = Date.parse(query.get("updated_since") ?? "1970-01-01T00:00:00Z");
    const found = this.shop.views.of(path, \`\${since}\`, () =>
      list()
        .filter(({ changedAt }) => changedAt > since)
        .toSorted((a, b) => a.number - b.number)
        .flatMap((row) => {
          const own = { row, id: String(row.number), store_id: storeId };
          const foreign = { row, id: \`\${otherStoreId}-\${row.number}\`, store_id: otherStoreId };
          return row.number % 5 === 0 ? [own, foreign] : [own];
        }),
    );
    const size = Math.min(100, Number(query.get("page_size")));
    const start = (Number(query.get("page")) - 1) * size;
    const data = found.slice(start, start + size).map(({ row, ...ids }) => ({ ...make(row), ...ids }));
    return { body: { data, total: found.length } };
  }
}

function packageRow({ tag, product, quantities, changedAt }: ShopPackage, isGone: boolean) {
  return {
    status: isGone ? "finished" : "available",
    product_id: product.number,
    product_name: product.name,
    sku: \`SKU-\${product.number}\`,
    barcode: tag,
    quantity: [...quantities.values()].reduce((sum, quantity) => sum + quantity, 0),
    updated_at: iso(changedAt),
  };
}

/** \`1,234.50\` */
const dollars = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2 });
const money = (cents: number) => dollars.format(cents / 100);

function saleRow(sale: ShopSale) {
  const { number, customer, lines, payment, at, changedAt } = sale;
  const { gross, discount, tax, fee, total } = amountsOf(sale);
  return {
    status: statusOf(sale),
    closed_at: iso(at),
    customer_id: customer?.number ?? null,
    employee_id: 9,
    subtotal: money(gross),
    discount: money(discount),
    tax: money(tax),
    fee: money(fee),
    total: money(total),
    items: lines.map((line) => ({
      product_id: line.product.number,
      name: line.product.name,
      quantity: line.quantity,
      unit_price: money(line.price),
      discount: money(line.discount),
    })),
    payments: [{ type: payment, amount: money(total) }],
    notes: \`Plantednote\${number}\`,
    updated_at: iso(changedAt),
  };
}

/** Also statuses in other letter case, and one that no document names. */
function statusOf({ number, status, original }: ShopSale): string {
  if (status === "pending") return number % 2 === 0 ? "open" : "in_review";
  if (status !== "sold") return status;
  const name = original ? "returned" : "completed";
  return number % 2 === 0 ? name : name.toUpperCase();
}
`;

const testText = ({ posType, name }: Draft): string => `import { describe, expect, test } from "vitest";
import { sale, stockPackage } from "../../../../../shared/pos/connectors/${name}/responses.ts";
import { inventoryRecords } from "../../../../../shared/pos/connectors/${name}/inventory.ts";
import { saleRecords } from "../../../../../shared/pos/connectors/${name}/sales.ts";
import { FakePosUnderTest } from "../../fakes/fakePosUnderTest.ts";

// TODO: test the facts that only ${posType} has. The tests of every POS are in realConnectors.test.ts.

test.each<[object, object]>([
  [{ quantity: "12" }, [{ pos_inventory_id: "1", total_quantity: 12, name: "Package 1", location_data: null }]],
  [{ quantity: 12, status: "Finished" }, [{ total_quantity: 0 }]],
  [{ quantity: null }, { field: "quantity", reason: "no_quantity" }],
  [{ quantity: 12, status: "quarantined" }, { field: "status", reason: "unknown_status" }],
])("a package %j", (fields, expected) => {
  expect(inventoryRecords(stockPackage.parse({ id: 1, status: "available", ...fields }))).toMatchObject(expected);
});

describe("sales", () => {
  // 2 units at 20.00, 4.00 off, 15 % tax
  const row = {
    id: 1,
    status: "completed",
    closed_at: "2026-03-10T12:30:00-07:00",
    ...{ subtotal: "40.00", discount: "4.00", tax: "5.40", fee: null, total: "41.40" },
    items: [{ product_id: 9, quantity: 2, unit_price: "20.00", discount: "4.00" }],
    payments: [{ type: "Cash", amount: "41.40" }],
  };
  const records = (fields: object) => saleRecords(sale.parse({ ...row, ...fields }));

  test.each(["40.00", "36.00"])("the worked example, its subtotal %s", (subtotal) => {
    expect(records({ subtotal })).toMatchObject([
      {
        transaction_type: "sale",
        date: "2026-03-10T19:30:00.000Z",
        ...{ subtotal: 3600, total_discounts: 400, tax_paid: 540, total_paid: 4140 },
        line_items: [{ num_units: 2, price_per_unit: 2000 }],
        payments: [{ type: "cash", amount_paid: 4140 }],
        fees: [],
      },
    ]);
  });

  test.each<[object, object]>([
    [{ status: "Open" }, []],
    [{ status: "in_review" }, { field: "status", reason: "unknown_status" }],
    [{ status: null }, { field: "status", reason: "unknown_status" }],
    [{ status: "voided" }, [{ transaction_type: "adjustment", total_paid: 0 }]],
    [{ status: "canceled" }, [{ transaction_type: "adjustment", total_paid: 0 }]],
    [{ status: "returned" }, [{ transaction_type: "return", total_paid: -4140 }]],
    [{ closed_at: "soon" }, { field: "closed_at", reason: "no_instant" }],
    [{ subtotal: "38.00" }, { field: "subtotal", reason: "unclear_subtotal" }],
    [{ subtotal: null, total: "5.40" }, { field: "subtotal", reason: "unclear_subtotal" }],
    [{ total: null }, { field: "subtotal", reason: "unclear_subtotal" }],
    [{ fee: "1.00", total: "42.40" }, [{ subtotal: 3600, fees: [{ flat_amount: 100 }] }]],
  ])("%j", (fields, expected) => {
    const made = records(fields);
    expect(made).toMatchObject(expected);
    expect(Array.isArray(made)).toBe(Array.isArray(expected));
  });
});

describe("the connector", () => {
  const fake = new FakePosUnderTest("${name}", "2026-03-10T19:30:00.000Z");

  test("drops rows of other stores, and rejects unknown statuses", async () => {
    const request = { kind: "sale", since: null, position: null, now: fake.now } as const;
    const { foreign, rejected } = await fake.pos.connector().pull(fake.pos.connection, request);
    expect(foreign).toBeGreaterThan(0);
    expect(new Set(rejected.map(({ reason }) => reason))).toEqual(new Set(["unknown_status"]));
  });

  test("a list that names all packages is complete", async () => {
    expect((await fake.puller("inventory").pull(fake.now)).complete).toBe(true);
  });

  test("requests changes of its store since 15 minutes before the last pull", async () => {
    const pulled = await fake.puller("sale").pull(fake.now);
    await pulled.pull(fake.later(60));
    const query = fake.pos.server.requestsFor("/v1/sales").at(-1)?.query;
    expect(query?.get("updated_since")).toBe("2026-03-10T19:15:00.000Z");
    expect(query?.get("store_id")).toBe("${storeId}");
  });
});
`;
