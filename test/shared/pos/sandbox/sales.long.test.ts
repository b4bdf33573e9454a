import { beforeAll, describe, expect, test } from "vitest";
import type { PosDeduction, PosFee, PosSale } from "../../../../shared/pos/posRecords.ts";
import { controlledSaleId, sales } from "../../../../shared/pos/sandbox/sales.ts";
import { sandboxConnector } from "../../../../shared/pos/sandbox/sandboxConnector.ts";
import { recordVersions, worldOf } from "../../../../shared/pos/sandbox/world.ts";
import { toLocalTime } from "../../../../shared/time/localTime.ts";
import { pullAll, testConnection } from "./testConnection.ts";

const connector = sandboxConnector(15);
const day = 24 * 60 * 60 * 1000;
const start = testConnection.connectedAt;
const later = "2026-03-01T05:00:00.000Z";

const amount = (parts: readonly (PosDeduction | PosFee)[]) =>
  parts.reduce((total, { flat_amount }) => total + (flat_amount ?? Number.NaN), 0);
const byId = (sales: readonly PosSale[]) => new Map(sales.map((sale) => [sale.pos_sale_id, sale]));
const share = (sales: readonly PosSale[], holds: (sale: PosSale) => boolean) =>
  (100 * sales.filter(holds).length) / sales.length;

describe.each([
  { businessType: "retail", initial: 5000, opens: "09:00", closes: "21:00" },
  { businessType: "wholesale", initial: 1200, opens: "07:00", closes: "17:00" },
] as const)("sales of a $businessType business", ({ businessType, initial, opens, closes }) => {
  const connection = { ...testConnection, businessType };
  let sales: PosSale[];
  beforeAll(async () => {
    sales = (await pullAll("sale", connector, connection, null, later)).records;
  });

  test("have the initial number at the connection, each once", async () => {
    const { records, total } = await pullAll("sale", connector, connection, null, start);
    expect(total).toBe(initial);
    expect(byId(records).size).toBe(initial);
  });

  test("add up to the cent", () => {
    for (const sale of sales) {
      const lines = sale.line_items;
      const gross = lines.reduce((sum, line) => sum + (line.num_units ?? 0) * (line.price_per_unit ?? 0), 0);
      const discounts = amount([...sale.discounts, ...lines.flatMap((line) => line.line_item_discounts)]);
      const fees = [...sale.fees, ...lines.flatMap((line) => line.line_item_fees)];
      const included = amount(fees.filter((fee) => fee.included_in_subtotal));
      const open = sale.type === "wholesale" ? (sale.invoice.open_balance ?? Number.NaN) : 0;
      expect(sale.total_discounts).toBe(discounts);
      expect(sale.subtotal).toBe(gross - discounts + included);
      expect(sale.tax_paid).toBe(amount([...sale.taxes, ...lines.flatMap((line) => line.line_item_taxes)]));
      expect(sale.total_paid).toBe((sale.subtotal ?? 0) + (sale.tax_paid ?? 0) + amount(fees) - included);
      expect(sale.payments.reduce((sum, { amount_paid }) => sum + (amount_paid ?? 0), open)).toBe(sale.total_paid);
      if (sale.type === "wholesale") expect(sale.invoice.total).toBe(sale.total_paid);
      const cents = [sale.subtotal, discounts, sale.tax_paid, ...sale.payments.map((payment) => payment.amount_paid)];
      expect(cents.every(Number.isSafeInteger)).toBe(true);
    }
  });

  test("have the sign of their type", () => {
    for (const { transaction_type: type, total_paid, line_items, payments } of sales) {
      const sign = type === "sale" ? 1 : type === "return" ? -1 : 0;
      expect(Math.sign(total_paid ?? Number.NaN)).toBe(sign);
      for (const { amount_paid } of payments) expect(Math.sign(amount_paid ?? Number.NaN)).toBe(sign);
      for (const line of line_items) {
        expect(Math.sign(line.num_units ?? Number.NaN)).toBe(sign);
        expect(line.price_per_unit).toBeGreaterThan(0);
        for (const { flat_amount, pct_amount } of [...line.line_item_discounts, ...line.line_item_taxes]) {
          expect(Math.abs(flat_amount ?? Number.NaN)).toBeGreaterThanOrEqual(0);
          expect(pct_amount).toBeGreaterThan(0);
        }
      }
      expect(line_items.length > 0).toBe(type !== "adjustment");
    }
    expect(share(sales, (sale) => sale.transaction_type === "return")).toBeGreaterThan(2);
    expect(share(sales, (sale) => sale.transaction_type === "return")).toBeLessThan(8);
    expect(share(sales, (sale) => sale.transaction_type === "adjustment")).toBeGreaterThan(1);
  });

  test("refer to customers and products that exist at the time", async () => {
    for (const now of [start, later]) {
      const pulled = await pullAll("sale", connector, connection, null, now);
      const customers = (await pullAll("customer", connector, connection, null, now)).records;
      const products = (await pullAll("product", connector, connection, null, now)).records;
      const customersById = new Map(customers.map((customer) => [customer.pos_customer_id, customer]));
      const productsById = new Map(products.map((product) => [product.pos_product_id, product]));
      // A sale that breaks a rule on purpose is one to a person without a record.
      const isOnPurpose = ({ line_items: [line] }: PosSale) => line?.product_name?.includes("(demo: breaks");
      for (const sale of pulled.records.filter((sale) => !isOnPurpose(sale))) {
        const named = sale.customer?.pos_customer_id ?? null;
        const customer = named === null ? undefined : customersById.get(named);
        if (named !== null) expect(customer).toBeDefined();
        if (sale.type === "retail") {
          expect(sale.customer).toMatchObject({
            type: customer?.svc_customer_type ?? null,
            dob: customer?.dob ?? null,
          });
        } else if (sale.invoice.pos_customer_id !== null) {
          expect(customersById.has(sale.invoice.pos_customer_id)).toBe(true);
        }
        for (const line of sale.line_items) {
          const product = productsById.get(line.pos_product_id ?? "");
          expect(line).toMatchObject({ product_name: product?.name, product_type: product?.svc_product_category_name });
        }
      }
      expect(share(pulled.records, (sale) => !sale.customer?.pos_customer_id)).toBeGreaterThan(3);
    }
  });

  test("refer to customers who signed up some minutes earlier", async () => {
    const known = (await pullAll("customer", connector, connection, null, "2026-03-01T01:00:00.000Z")).records;
    const ids = new Set(known.map((customer) => customer.pos_customer_id));
    const { records } = await pullAll("sale", connector, connection, null, "2026-03-01T01:04:59.000Z");
    for (const { customer } of records) {
      if (customer?.pos_customer_id) expect(ids.has(customer.pos_customer_id)).toBe(true);
    }
  });

  test("are spread over the business hours of 120 days, in order", async () => {
    const { records } = await pullAll("sale", connector, connection, null, start);
    const dates = records.map(({ date }) => date);
    expect(dates.toSorted()).toEqual(dates);
    expect(Date.parse(dates[0] ?? "")).toBeGreaterThan(Date.parse(start) - 121 * day);
    expect(dates.every((date) => date <= start)).toBe(true);
    const local = dates.map((date) => toLocalTime(date, connection.timezone) ?? "");
    expect(new Set(local.map((text) => text.slice(0, 10))).size).toBe(121);
    for (const text of local) expect(text.slice(11, 16) >= opens && text.slice(11, 16) < closes).toBe(true);
  });

  test("that come outside the business hours have the last time within them", async () => {
    const night = "2026-03-01T13:00:00.000Z";
    const { records } = await pullAll("sale", connector, connection, null, night);
    const after = records.slice(initial);
    expect(after.length).toBeGreaterThan(900);
    for (const { date } of records) {
      const time = toLocalTime(date, connection.timezone)?.slice(11, 16) ?? "";
      expect(time >= opens && time < closes && date <= night).toBe(true);
    }
  });

  test("change, and a later pull leads to the same sales as a complete one at that time", async () => {
    const first = await pullAll("sale", connector, connection, null, start);
    const known = byId(first.records);
    let since = first.watermark;
    for (const now of ["2026-03-01T00:10:00.000Z", "2026-03-01T02:00:00.000Z", later]) {
      const pull = await pullAll("sale", connector, connection, since, now);
      expect(pull.complete).toBe(false);
      const changed = pull.records.filter((sale) => known.has(sale.pos_sale_id));
      expect(changed.length).toBeGreaterThan(0);
      expect(changed.length).toBeLessThan(pull.records.length);
      for (const sale of changed) {
        expect(sale).not.toEqual(known.get(sale.pos_sale_id));
        expect(sale.date).toBe(known.get(sale.pos_sale_id)?.date);
      }
      for (const sale of pull.records) known.set(sale.pos_sale_id, sale);
      since = pull.watermark;
    }
    expect(known).toEqual(byId(sales));
  });
});

test("the open balances of wholesale invoices decrease over time", async () => {
  const connection = { ...testConnection, businessType: "wholesale" as const };
  const balance = (sale: PosSale | undefined) => (sale?.type === "wholesale" ? (sale.invoice.open_balance ?? 0) : 0);
  const first = byId((await pullAll("sale", connector, connection, null, start)).records);
  expect(share([...first.values()], (sale) => balance(sale) > 0)).toBeGreaterThan(10);
  expect(share([...first.values()], (sale) => balance(sale) > 0)).toBeLessThan(50);
  const { records } = await pullAll("sale", connector, connection, start, later);
  const paid = records.filter((sale) => first.has(sale.pos_sale_id) && sale.transaction_type === "sale");
  expect(paid.length).toBeGreaterThan(50);
  for (const sale of paid) expect(balance(sale)).toBeLessThan(balance(first.get(sale.pos_sale_id)));
});

test("sales that a caller makes have other ids after a new connection, and other ids than the simulated ones", () => {
  const idsOf = (connectedAt: string) => {
    const world = worldOf({ ...testConnection, connectedAt }, 900);
    return [0, 499].map((number) => controlledSaleId(world, number));
  };
  const [first, second] = [idsOf("2026-03-01T00:00:00.000Z"), idsOf("2026-03-01T00:00:01.000Z")];
  expect(new Set([...first, ...second]).size).toBe(4);
  const world = worldOf(testConnection, 900);
  const versions = recordVersions(sales.population(world), null, 3_000);
  const ids = versions.map((version) => Number(sales.record(world, version).pos_sale_id));
  expect(Math.max(...ids)).toBeLessThan(Math.min(...first.map(Number)));
});
