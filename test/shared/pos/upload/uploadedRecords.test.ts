import { describe, expect, test } from "vitest";
import type { RecordKind } from "../../../../shared/api/kinds.ts";
import type { PosRecords } from "../../../../shared/pos/posRecords.ts";
import { uploadedRecords } from "../../../../shared/pos/upload/uploadedRecords.ts";

const retail = uploadedRecords({ timezone: "America/Denver", businessType: "retail" });
const wholesale = uploadedRecords({ timezone: "America/Denver", businessType: "wholesale" });
const inDollars = uploadedRecords({ timezone: "America/Denver", businessType: "retail" }, "dollars");

const minimal = {
  location: { pos_location_id: "L1", name: "Vault" },
  product: { pos_product_id: "P1", name: "Blue Dream" },
  customer: { pos_customer_id: "C1" },
  inventory: { pos_inventory_id: "I1", name: "Blue Dream", total_quantity: 1 },
  sale: { pos_sale_id: "S1", date: "2026-03-01T18:30:00Z" },
} as const satisfies Record<RecordKind, object>;

/** Reads a minimal record with one more field. Returns the field's value, or the reasons for the rejection. */
function read(kind: RecordKind, field: string, sent: unknown, schemas = retail): unknown {
  const { data, error } = schemas[kind].safeParse({ ...minimal[kind], [field]: sent });
  if (error) return error.issues.map(({ path, message }) => `${path.join(".")} ${message}`);
  return (data as unknown as Record<string, unknown>)[field];
}

describe("a field", () => {
  const long = "x".repeat(10_001);
  test.each<[RecordKind, string, unknown, unknown]>([
    ["customer", "first_name", "  Ana ", "Ana"],
    ["customer", "first_name", " ", null],
    ["customer", "first_name", null, null],
    ["customer", "first_name", undefined, null],
    ["customer", "zip_code", 81301, "81301"],
    ["customer", "city", "Dur\u00E4ngo\nTwo", "Dur\u00E4ngo\nTwo"],
    ["customer", "city", "Dur\uFFFDngo", ["city unreadable_character"]],
    ["customer", "city", long, ["city too_long"]],
    ["customer", "city", true, ["city wrong_type"]],
    ["customer", "city", { a: 1 }, ["city wrong_type"]],
    ["customer", "phone", 9705550141, "9705550141"],
    ["customer", "phone", "9.70555E+09", ["phone rounded_number"]],
    ["customer", "pos_customer_id", 2 ** 64, ["pos_customer_id rounded_number"]],
    ["customer", "pos_customer_id", "", ["pos_customer_id required"]],
    ["customer", "pos_customer_id", undefined, ["pos_customer_id required"]],
    ["customer", "pos_customer_id", [], ["pos_customer_id wrong_type"]],
    ["customer", "pos_customer_id", long, ["pos_customer_id too_long"]],
    ["customer", "pos_customer_id", "x".repeat(256), ["pos_customer_id too_long"]],
    ["customer", "pos_customer_id", 7, "7"],
    ["customer", "gender", "female", "Female"],
    ["customer", "gender", "F", ["gender not_listed"]],
    ["customer", "caregiver", "YES", true],
    ["customer", "caregiver", 0, false],
    ["customer", "caregiver", false, false],
    ["customer", "caregiver", "", null],
    ["customer", "caregiver", "maybe", ["caregiver not_true_or_false"]],
    ["customer", "caregiver", [true], ["caregiver wrong_type"]],
    ["customer", "loyalty_points", 12.5, "12.5"],
    ["customer", "loyalty_points", "007.50", "007.50"],
    ["customer", "loyalty_points", "many", ["loyalty_points not_a_number"]],
    ["customer", "dob", "1985-04-12", "1985-04-12"],
    ["customer", "dob", "4/12/1985", "1985-04-12"],
    ["customer", "dob", "2026-02-30", ["dob not_a_date"]],
    ["customer", "pos_updated_date", "2026-03-01T18:30:00Z", "2026-03-01T18:30:00.000Z"],
    ["customer", "pos_updated_date", "2026-03-01T18:30:00.123456-07:00", "2026-03-02T01:30:00.123Z"],
    ["customer", "pos_updated_date", "2026-03-01 18:30", "2026-03-02T01:30:00.000Z"],
    ["customer", "pos_updated_date", "3/1/2026 8:30", "2026-03-01T15:30:00.000Z"],
    ["customer", "pos_updated_date", "7/1/2026 8:30:09", "2026-07-01T14:30:09.000Z"],
    ["customer", "pos_updated_date", "3/1/2026 6:30 PM", "2026-03-02T01:30:00.000Z"],
    ["customer", "pos_updated_date", "3/1/2026, 12:05:09\u202Fam", "2026-03-01T07:05:09.000Z"],
    ["customer", "pos_updated_date", "3/1/2026 12:00 p.m.", "2026-03-01T19:00:00.000Z"],
    ["customer", "pos_updated_date", "3/1/2026 18:30:15.250", "2026-03-02T01:30:15.250Z"],
    ["customer", "pos_updated_date", "3/1/2026 13:30 PM", ["pos_updated_date not_an_instant"]],
    ["customer", "pos_updated_date", "3/1/2026 0:30 AM", ["pos_updated_date not_an_instant"]],
    ["customer", "pos_updated_date", "2026-03-01T18:30:00-05", "2026-03-01T23:30:00.000Z"],
    ["customer", "pos_updated_date", "2026-03-01T18:30:00 +0100", "2026-03-01T17:30:00.000Z"],
    ["customer", "pos_updated_date", "2026-11-01 01:30", ["pos_updated_date clock_change"]],
    ["customer", "pos_updated_date", "11/1/2026 1:30 AM", ["pos_updated_date clock_change"]],
    ["customer", "pos_updated_date", "2026-11-01T01:30:00-06:00", "2026-11-01T07:30:00.000Z"],
    ["customer", "pos_updated_date", "2026-11-01 00:59:59", "2026-11-01T06:59:59.000Z"],
    ["customer", "pos_updated_date", "2026-11-01 02:00", "2026-11-01T09:00:00.000Z"],
    ["customer", "pos_updated_date", "2026-03-08 02:30", ["pos_updated_date clock_change"]],
    ["customer", "pos_updated_date", "2026-03-08 03:00", "2026-03-08T09:00:00.000Z"],
    ["customer", "pos_updated_date", "NULL", null],
    ["customer", "pos_updated_date", "46000.77", ["pos_updated_date not_an_instant"]],
    ["customer", "pos_updated_date", 1772388600, ["pos_updated_date not_an_instant"]],
    ["customer", "medical_id_expiration_date", "1970-01-01", null],
    ["customer", "pos_updated_date", "1970-01-01T00:00:00Z", null],
    ["customer", "pos_updated_date", "12/31/1969 17:00", null],
    ["customer", "caregiver", "1.0", true],
    ["customer", "loyalty_points", "120.0", "120"],
    ["customer", "loyalty_points", "99999999999", ["loyalty_points out_of_range"]],
    ["inventory", "total_quantity", 810012345678, ["total_quantity out_of_range"]],
    ["inventory", "total_quantity", "-2147483648", ["total_quantity out_of_range"]],
    ["inventory", "total_quantity", "2147483647", 2147483647],
    [
      "inventory",
      "location_data",
      [{ pos_location_id: "L", quantity: "2147483648" }],
      ["location_data.0.quantity out_of_range"],
    ],
    ["product", "svc_net_weight_grams", 3e9, ["svc_net_weight_grams out_of_range"]],
    ["product", "thc_mg_per_unit", "100", 100],
    ["product", "thc_mg_per_unit", 0, 0],
    ["product", "thc_mg_per_unit", -1, ["thc_mg_per_unit out_of_range"]],
    ["sale", "line_items", [{ thc_mg_per_unit: -1 }], ["line_items.0.thc_mg_per_unit out_of_range"]],
    ["sale", "line_items", [{ num_units: 810012345678 }], ["line_items.0.num_units out_of_range"]],
    ["sale", "line_items", [{ grams: -3e9 }], ["line_items.0.grams out_of_range"]],
    ["sale", "discounts", [{ pct_amount: 1e21 }], ["discounts.0.pct_amount out_of_range"]],
    ["sale", "date", "0001-01-01", ["date required"]],
    ["customer", "pos_updated_date", "2026-03-01", ["pos_updated_date not_an_instant"]],
    ["customer", "pos_updated_date", "13/1/2026 8:30", ["pos_updated_date not_an_instant"]],
    ["customer", "pos_updated_date", "1999-12-31T00:00:00Z", ["pos_updated_date not_an_instant"]],
    ["inventory", "total_quantity", " 3.50 ", 3.5],
    ["inventory", "total_quantity", "-2", -2],
    ["inventory", "total_quantity", "", ["total_quantity required"]],
    ["inventory", "total_quantity", "1,234", ["total_quantity not_a_number"]],
    ["inventory", "total_quantity", "1e3", ["total_quantity not_a_number"]],
    ["inventory", "total_quantity", Number.POSITIVE_INFINITY, ["total_quantity wrong_type"]],
    ["inventory", "total_quantity", "9".repeat(400), ["total_quantity not_a_number"]],
    ["inventory", "location_data", [], null],
    ["inventory", "location_data", null, null],
    ["inventory", "location_data", [null], ["location_data.0 wrong_type"]],
    ["inventory", "location_data", {}, ["location_data wrong_type"]],
    [
      "inventory",
      "location_data",
      [{ quantity: "x" }],
      ["location_data.0.pos_location_id required", "location_data.0.quantity not_a_number"],
    ],
    ["product", "price", "3500", 3500],
    ["product", "price", "35.00", ["price not_whole_cents"]],
    ["product", "price", 19.99, ["price not_whole_cents"]],
    ["product", "price", "$35", ["price not_a_number"]],
    ["product", "price", "-1", ["price out_of_range"]],
    ["product", "price", 2 ** 31, ["price out_of_range"]],
    ["product", "price", "3,500", 3500],
    ["product", "price", "35,00", ["price not_a_number"]],
    ["product", "price", "1e3", ["price not_a_number"]],
    ["product", "price", "many", ["price not_a_number"]],
    ["product", "unit_cost", "1450.5", 1450.5],
    ["product", "unit_cost", "1450.123400", 1450.1234],
    ["product", "unit_cost", "1450.12345", ["unit_cost too_many_decimals"]],
    ["product", "unit_cost", "9007199254740993", ["unit_cost out_of_range"]],
    ["product", "unit_cost", -1, ["unit_cost out_of_range"]],
    ["product", "svc_product_category_name", "Oil/Concentrate", "oil/concentrate"],
    [
      "product",
      "price_tiers",
      [{}],
      [
        "price_tiers.0.tier_price required",
        "price_tiers.0.pos_tier_type required",
        "price_tiers.0.pos_tier_type_condition_value required",
      ],
    ],
    ["sale", "total_paid", "9007199254740993", ["total_paid out_of_range"]],
    ["sale", "total_paid", "-5", -5],
    ["sale", "date", "", ["date required"]],
    ["sale", "type", "Retail", "retail"],
    ["sale", "type", "wholesale", ["type not_listed"]],
    ["sale", "invoice", {}, [" unknown_field"]],
    ["sale", "payments", [{ type: "Visa", amount_paid: 1 }], [{ type: "credit", amount_paid: 1, pos_name: "Visa" }]],
    ["sale", "payments", [{ type: "CASH", amount_paid: 1 }], [{ type: "cash", amount_paid: 1, pos_name: "CASH" }]],
    ["sale", "payments", [{ type: "Barter", amount_paid: 1 }], [{ type: "other", amount_paid: 1, pos_name: "Barter" }]],
    [
      "sale",
      "payments",
      [{ type: "Cash App", amount_paid: 1 }],
      [{ type: "other", amount_paid: 1, pos_name: "Cash App" }],
    ],
    ["sale", "payments", [{ amount_paid: 1 }], [{ type: "unknown", amount_paid: 1 }]],
    ["sale", "payments", [{ type: "cash", tip: 1 }], ["payments.0.amount_paid required", "payments.0 unknown_field"]],
  ])("of a %s: %s %j becomes %j", (kind, field, sent, found) => expect(read(kind, field, sent)).toEqual(found));
});

describe("an amount in dollars", () => {
  test.each<[RecordKind, string, unknown, unknown]>([
    ["product", "price", "35", 3500],
    ["product", "price", 35, 3500],
    ["product", "price", "35.00", 3500],
    ["product", "price", 19.99, 1999],
    ["product", "price", "$1,035.50", 103_550],
    ["product", "price", "$ 1,035.5000", 103_550],
    ["product", "price", ".5", 50],
    ["product", "price", "1.15", 115],
    ["product", "price", "", null],
    ["product", "price", "21474836.47", 2_147_483_647],
    ["product", "price", "21474836.48", ["price out_of_range"]],
    ["product", "price", "35.005", ["price not_whole_cents"]],
    ["product", "price", "-$1", ["price out_of_range"]],
    ["product", "price", "$", ["price not_a_number"]],
    ["product", "price", "$$5", ["price not_a_number"]],
    ["product", "price", "1,03", ["price not_a_number"]],
    ["product", "price", "1,0350", ["price not_a_number"]],
    ["product", "price", "12 50", ["price not_a_number"]],
    ["product", "price", "€35", ["price not_a_number"]],
    ["product", "price", `${" ".repeat(9_000)}-${" ".repeat(9_000)}x`, ["price not_a_number"]],
    ["product", "unit_cost", "$14.505", 1450.5],
    ["product", "unit_cost", "14.123456", 1412.3456],
    ["product", "unit_cost", "14.1234567", ["unit_cost too_many_decimals"]],
    ["product", "svc_net_weight_grams", "3.5", 3.5],
    ["sale", "total_paid", "2147483647", 214_748_364_700],
    ["sale", "total_paid", "2147483647.01", ["total_paid out_of_range"]],
    ["sale", "total_paid", "-2147483647.01", ["total_paid out_of_range"]],
    ["sale", "total_paid", "-12.50", -1250],
    ["sale", "total_paid", "-$12.50", -1250],
    ["sale", "total_paid", "$-12.50", -1250],
    ["sale", "total_paid", "($12.50)", -1250],
    ["sale", "total_paid", "$(1,012.50)", -101_250],
    ["sale", "total_paid", "(-12.50)", ["total_paid not_a_number"]],
    ["sale", "total_paid", "+12.50", 1250],
    [
      "sale",
      "payments",
      [{ type: "cash", amount_paid: "12.50" }],
      [{ type: "cash", amount_paid: 1250, pos_name: "cash" }],
    ],
  ])("of a %s: %s %j becomes %j", (kind, field, sent, found) =>
    expect(read(kind, field, sent, inDollars)).toEqual(found),
  );

  test("is converted in every field of a sale, and no fraction, number of units or weight is", () => {
    const taxes = [{ flat_amount: "1.50", pct_amount: "0.15", name: null }];
    const line = {
      num_units: "2.5",
      price_per_unit: "7.125",
      grams: "3.5",
      thc_mg_per_unit: "10",
      line_item_taxes: taxes,
    };
    const sale = inDollars.sale.parse({ ...minimal.sale, subtotal: "17.81", line_items: [line], taxes });
    const inCents = [{ flat_amount: 150, pct_amount: 0.15, name: null }];
    expect(sale).toMatchObject({
      subtotal: 1781,
      line_items: [
        { num_units: 2.5, price_per_unit: 712.5, grams: 3.5, thc_mg_per_unit: 10, line_item_taxes: inCents },
      ],
      taxes: inCents,
    });
  });
});

test.each<[RecordKind, string]>([
  ["customer", "pos_customer_id"],
  ["customer", "first_name"],
  ["customer", "dob"],
  ["customer", "gender"],
  ["customer", "caregiver"],
  ["customer", "loyalty_points"],
  ["customer", "pos_updated_date"],
  ["inventory", "pos_product_id"],
  ["inventory", "total_quantity"],
  ["product", "price"],
  ["product", "unit_cost"],
])("a spreadsheet error in a %s's %s is rejected", (kind, field) => {
  for (const error of ["#N/A", " #n/a ", "#####"])
    expect(read(kind, field, error)).toEqual([`${field} spreadsheet_error`]);
});

test("N/A is an empty cell in every field, in any letter case", () => {
  for (const cell of ["N/A", "n/a", " N/a "]) {
    for (const field of ["first_name", "dob", "gender", "caregiver", "loyalty_points", "pos_updated_date"]) {
      expect(read("customer", field, cell)).toBeNull();
    }
    expect(read("product", "price", cell)).toBeNull();
    expect(read("customer", "pos_customer_id", cell)).toEqual(["pos_customer_id required"]);
    expect(read("product", "name", cell)).toEqual(["name required"]);
  }
  expect(read("customer", "city", "N/A Street")).toBe("N/A Street");
});

describe("a whole number with a fraction of zeros", () => {
  test.each<[RecordKind, string]>([
    ["product", "pos_product_id"],
    ["customer", "pos_customer_id"],
    ["customer", "drivers_license_id"],
    ["inventory", "pos_inventory_id"],
    ["inventory", "pos_product_id"],
    ["location", "pos_location_id"],
    ["sale", "pos_sale_id"],
    ["sale", "employee_id"],
    ["customer", "phone"],
    ["customer", "cell_phone"],
    ["customer", "zip_code"],
    ["customer", "medical_id"],
    ["customer", "other_id"],
    ["product", "sku"],
    ["inventory", "sku"],
    ["inventory", "barcode"],
  ])("is the id without the fraction, as a %s's %s", (kind, field) => {
    for (const id of ["12", "12.0", "12.000", " 12.0 ", 12]) expect(read(kind, field, id)).toBe("12");
    for (const id of ["12.5", "12.", "A12.0", "12.01", "0012"]) expect(read(kind, field, id)).toBe(id);
  });

  test("is the id without the fraction if a record refers to another", () => {
    const sale = { line_items: [{ pos_product_id: "12.0" }], customer: { pos_customer_id: "7.0" } };
    const invoice = { id: "3.0", pos_customer_id: "8.0" };
    expect(wholesale.sale.parse({ ...minimal.sale, ...sale, invoice })).toMatchObject({
      line_items: [{ pos_product_id: "12" }],
      customer: { pos_customer_id: "7" },
      invoice: { id: "3", pos_customer_id: "8" },
    });
    const stock = { ...minimal.inventory, location_data: [{ pos_location_id: "5.0", quantity: "1.0" }] };
    expect(retail.inventory.parse(stock)).toMatchObject({ location_data: [{ pos_location_id: "5", quantity: 1 }] });
  });

  test("stays as it is in other texts", () => expect(read("product", "name", "12.0")).toBe("12.0"));
});

test("a value that is not an object, or has inherited names as fields, is rejected as a whole", () => {
  for (const sent of [null, 1, "x", [], [minimal.customer]]) {
    expect(retail.customer.safeParse(sent).error?.issues).toMatchObject([{ message: "wrong_type", path: [] }]);
  }
  const hostile = JSON.parse('{"pos_customer_id":"C1","__proto__":{"first_name":"Ana"},"constructor":1}');
  expect(retail.customer.safeParse(hostile).error?.issues).toMatchObject([{ message: "unknown_field", path: [] }]);
});

describe("a minimal record has the default values of its kind", () => {
  test.each([
    ["retail sale", retail.sale, { type: "retail", customer: { pos_customer_id: null, dob: null }, line_items: [] }],
    ["wholesale sale", wholesale.sale, { type: "wholesale", customer: null, invoice: { id: null, total: null } }],
  ])("%s", (_, schema, part) => {
    const sale = schema.parse(minimal.sale);
    expect(sale).toMatchObject({ ...part, discounts: [], taxes: [], fees: [], payments: [], subtotal: null });
  });

  test("product", () =>
    expect(retail.product.parse(minimal.product)).toMatchObject({ price_tiers: null, images: null }));
});

test("a product's category is derived from the business's own names if it is missing", () => {
  const category = (fields: object) =>
    (retail.product.parse({ ...minimal.product, ...fields }) as PosRecords["product"]).svc_product_category_name;
  expect(category({ pos_product_category_name: "Edibles", pos_product_subcategory_name: "Gummies" })).toBe("edible");
  expect(category({ pos_product_category_name: "Edibles", svc_product_category_name: "topical" })).toBe("topical");
  expect(category({ pos_product_category_name: "Things" })).toBeNull();
});

test("a return is stored below 0, whatever its signs", () => {
  const sale = (sign: number) =>
    retail.sale.parse({
      ...minimal.sale,
      transaction_type: "Return",
      total_paid: sign * 1200,
      line_items: [{ num_units: sign, price_per_unit: 1200 }],
      payments: [{ type: "cash", amount_paid: sign * 1200 }],
    });
  expect(sale(1)).toEqual(sale(-1));
  expect(sale(1)).toMatchObject({
    total_paid: -1200,
    line_items: [{ num_units: -1, price_per_unit: 1200 }],
    payments: [{ amount_paid: -1200 }],
  });
});

test("missing elements of a list are skipped, and the others keep their numbers", () => {
  const payments = [undefined, { type: "cash", amount_paid: 1 }, undefined, { type: "debit" }];
  const { error } = retail.sale.safeParse({ ...minimal.sale, payments });
  expect(error?.issues.map(({ path }) => path)).toEqual([["payments", 3, "amount_paid"]]);
  const sale = retail.sale.parse({ ...minimal.sale, payments: payments.slice(0, 3) });
  expect(sale.payments).toEqual([{ type: "cash", amount_paid: 1, pos_name: "cash" }]);
});
