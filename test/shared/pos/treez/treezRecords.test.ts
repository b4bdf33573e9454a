import { describe, expect, test } from "vitest";
import { customer, product, ticket } from "../../../../shared/pos/treez/answers.ts";
import { customerRecord, genderOf, patientType } from "../../../../shared/pos/treez/customers.ts";
import { inventoryRecord, placesOf } from "../../../../shared/pos/treez/inventory.ts";
import { categoryOf, netWeight, productRecord } from "../../../../shared/pos/treez/products.ts";
import { fateOf, isFee, pricePerUnit, saleRecord } from "../../../../shared/pos/treez/sales.ts";
import { offsetInstant } from "../../../../shared/pos/treez/treezPull.ts";

describe("customers", () => {
  test.each<[object, object]>([
    [{}, { pos_customer_id: "7", first_name: null, caregiver: null, loyalty_member: null, loyalty_points: null }],
    [
      { middle_name: "N/A", email: "n/a" },
      { middle_name: null, email_address: null },
    ],
    [{ drivers_license: "D" }, { pos_identification_type: "drivers", drivers_license_id: "D" }],
    [
      { drivers_license: "D", state_medical_id: "M" },
      { pos_identification_type: "medical", medical_id: "M" },
    ],
    [
      { caregiver_license_number: "C", is_caregiver: true },
      { other_id: "C", caregiver: true },
    ],
    [{ permit_expiration: "2027-03-31 00:00:00.000" }, { medical_id_expiration_date: "2027-03-31" }],
    [
      { rewards_balance: 12.5, rewards_type: "POINTS" },
      { loyalty_member: true, loyalty_points: "12.5" },
    ],
    [
      { rewards_balance: 0, rewards_type: "DOLLARS" },
      { loyalty_member: null, loyalty_points: null },
    ],
    [{ patient_type: "MEDICAL_MMID" }, { svc_customer_type: "medical", pos_customer_type: "MEDICAL_MMID" }],
    [{ addresses: [{ street1: "a" }, { street1: "b", primary: true }] }, { address_1: "b" }],
    [{ addresses: [{ street1: "a", zipcode: 80302 }] }, { address_1: "a", zip_code: "80302" }],
    [{ last_update: "2026-03-10T12:30:00.000-0700" }, { pos_updated_date: "2026-03-10T19:30:00.000Z" }],
  ])("%j", (fields, expected) => {
    expect(customerRecord(customer.parse({ customer_id: 7, ...fields }))).toMatchObject(expected);
  });

  test("genders and types", () => {
    expect(["M", "F", "U", "X", null].map(genderOf)).toEqual(["Male", "Female", null, "Other", null]);
    const types = ["ADULT", "MEDICAL_MMID", "MEDICAL-MMID", "MEDICAL_CAREGIVER", "STAFF", null];
    expect(types.map(patientType)).toEqual(["rec", "medical", "medical", "medical", null, null]);
  });
});

describe("products", () => {
  const parse = (fields: object) => product.parse({ product_id: "p", ...fields });
  const record = (fields: object) => productRecord(parse(fields));
  const named = (fields: object) => ({ product_configurable_fields: fields });

  test.each<[object, object]>([
    [
      {},
      { name: "Product p", price: null, unit_cost: null, price_tiers: null, images: null, medicated: null, sku: null },
    ],
    [named({ name: "Bud", size: "3.5g" }), { name: "Bud - 3.5g" }],
    [{ e_commerce: { menu_title: "Menu" } }, { name: "Menu" }],
    [
      { category_type: "FLOWER", ...named({ sub_type: "PRE-PACK", brand: "B", uom: "GRAMS", amount: "3.5" }) },
      {
        svc_product_category_name: "flower",
        pos_product_category_name: "FLOWER",
        pos_product_subcategory_name: "PRE-PACK",
        pos_brand_name: "B",
        pos_unit_of_measure: "GRAMS",
        svc_net_weight_grams: 3.5,
        medicated: true,
        pos_strain_name: null,
      },
    ],
    [{ category_type: "MERCH" }, { medicated: false, svc_product_category_name: "accessory" }],
    [{ pricing: { price_type: "FLAT", price_sell: "19.995" } }, { price: 2000 }],
    [{ pricing: { price_type: "FLAT", price_sell: 19.99 } }, { price: 1999 }],
    [{ pricing: { price_type: "FLAT", price_sell: null } }, { price: null }],
    [
      {
        pricing: {
          price_type: "TIER",
          price_sell: 20,
          tier_name: "T",
          tier_method: "WEIGHT",
          tier_pricing_detail: [{ start_value: 1, price_per_value: 12 }],
        },
      },
      {
        price: null,
        price_tiers: [
          {
            tier_name: "T",
            tier_price: 1200,
            pos_tier_type: "weight",
            pos_tier_type_condition_value: "1",
            tier_valid_until_date: null,
          },
        ],
      },
    ],
    [
      { pricing: { price_type: "TIER", tier_pricing_detail: [{ start_value: 1, price_per_value: 12 }] } },
      { price_tiers: [{ pos_tier_type: "quantity" }] },
    ],
    [{ product_barcodes: [{ sku: "" }, { sku: "S" }] }, { sku: "S" }],
    [{ product_barcodes: ["T"] }, { sku: "T" }],
    [named({ external_id: "E" }), { sku: "E" }],
    [
      { e_commerce: { all_images: ["a", "b"], primary_image: "c", product_description: "D" } },
      { description: "D", images: [{ url: "a" }, { url: "b" }] },
    ],
    [{ e_commerce: { all_images: [], primary_image: "c" } }, { images: [{ url: "c", description: null }] }],
  ])("%j", (fields, expected) => {
    expect(record(fields)).toMatchObject(expected);
  });

  test.each<[object, number | null]>([
    [{ uom: "GRAMS", amount: 3.5 }, 3.5],
    [{ uom: "OUNCES", amount: 0.5 }, 14.1748],
    [{ uom: "MILLIGRAMS", amount: 100 }, null],
    [{ uom: "MILLIGRAMS", amount: 100, total_flower_weight_g: 0, total_concentrate_weight_g: 0.5 }, 0.5],
    [{ uom: "MILLIGRAMS", amount: 100, total_flower_weight_g: 1, total_concentrate_weight_g: 0.5 }, 1],
    [{ uom: "EACH", amount: 1 }, null],
    [{}, null],
  ])("%j weighs %s grams", (fields, expected) => {
    expect(netWeight(parse(named(fields)))).toBe(expected);
  });

  test.each([
    ["FLOWER", null, "flower"],
    ["PREROLL", null, "flower"],
    ["CARTRIDGE", null, "oil/concentrate"],
    ["EXTRACT", null, "extract"],
    ["EDIBLE", "BEVERAGE", "edible"],
    ["PILL", null, "edible"],
    ["BEVERAGE", null, "edible_liquid"],
    ["TINCTURE", null, "liquid"],
    ["TOPICAL", null, "topical"],
    ["PLANT", null, "plant"],
    ["MERCH", null, "accessory"],
    ["MISC", null, "other"],
    ["NON-INV", null, "other"],
    ["SEEDS", null, "seed"],
    ["NEW", "GUMMY", "edible"],
    ["constructor", null, null],
    [null, null, null],
  ])("%s, %s is %s", (type, subtype, expected) => {
    expect(categoryOf(type, subtype)).toBe(expected);
  });
});

describe("inventory", () => {
  const parse = (sellable_quantity_detail: object[], sellable_quantity = 30) =>
    product.parse({ product_id: "p", sellable_quantity, sellable_quantity_detail });

  test("by place, `ALL` instead of its parts", () => {
    const row = parse([
      { location: "Floor", location_id: "f", inventory_type: "ALL", sellable_quantity: 7 },
      { location: "Floor", location_id: "f", inventory_type: "ADULT", sellable_quantity: 5 },
      { location: "Vault", inventory_type: "ALL", sellable_quantity: 2.5 },
      { location: "Empty", inventory_type: "ALL", sellable_quantity: 0 },
    ]);
    expect(inventoryRecord(row)).toMatchObject({
      pos_inventory_id: "p",
      pos_product_id: "p",
      total_quantity: 9.5,
      pos_updated_date: null,
      barcode: null,
      location_data: [
        { pos_location_id: "f", name: "Floor", quantity: 7 },
        { pos_location_id: "Vault", name: "Vault", quantity: 2.5 },
      ],
    });
    expect(placesOf(row).map(({ pos_location_id }) => pos_location_id)).toEqual(["f", "Vault", "Empty"]);
  });

  test("both kinds together where there is no `ALL`", () => {
    const row = parse([
      { location: "Floor", inventory_type: "ADULT", sellable_quantity: 5 },
      { location: "Floor", inventory_type: "MEDICAL", sellable_quantity: 2 },
    ]);
    expect(inventoryRecord(row)).toMatchObject({ total_quantity: 7, location_data: [{ quantity: 7 }] });
  });

  test("without places", () => {
    expect(inventoryRecord(parse([]))).toMatchObject({ total_quantity: 30, location_data: null });
  });
});

describe("sales", () => {
  const parse = (fields: object) =>
    ticket.parse({
      ticket_id: "t",
      order_status: "COMPLETED",
      date_closed: "2026-03-10T12:30:00.000-07:00",
      ...fields,
    });
  const item = { product_id: "p", product_size_name: "Bud 3.5g", quantity: 2, price_sell: 36, product_type: "FLOWER" };

  test.each([
    ["COMPLETED", "sale"],
    ["CANCELED", "cancelled"],
    ["REMOVED", "cancelled"],
    ["PREVIEW", "none"],
    ["IN_PROCESS", "none"],
    [null, "none"],
  ])("a ticket that is %s is %s", (order_status, expected) => {
    expect(fateOf(parse({ order_status }))).toBe(expected);
  });

  test.each<[object, object]>([
    [
      { sub_total: 36, tax_total: 5.4, discount_total: -4, total: 41.4 },
      { subtotal: 3600, tax_paid: 540, total_discounts: 400, total_paid: 4140 },
    ],
    [
      {
        post_tax_pricing: true,
        sub_total: 40,
        tax_total: 5.22,
        total: 45.5,
        fees: [{ type: "DELIVERY", total_amount: 5.5 }],
      },
      { subtotal: 3478 },
    ],
    [
      { order_status: "CANCELED", total: 40 },
      { transaction_type: "adjustment", total_paid: 0 },
    ],
    [
      { original_ticket_id: "o", total: -40 },
      { transaction_type: "return", total_paid: -4000 },
    ],
    [
      { original_ticket_id: "o", total: 40 },
      { transaction_type: "return", total_paid: -4000 },
    ],
    [
      { payment_status: "REFUNDED", refund_ticket_ids: ["r"], total: 40 },
      { transaction_type: "sale", total_paid: 4000 },
    ],
    [{ date_closed: null, last_updated_at: "2026-03-10T20:00:00.000Z" }, { date: "2026-03-10T20:00:00.000Z" }],
    [{}, { date: "2026-03-10T19:30:00.000Z", employee_id: null }],
    [{ employee_id: "e", created_by_employee: { employee_id: "f" } }, { employee_id: "e" }],
    [{ created_by_employee: { employee_id: "f" } }, { employee_id: "f" }],
    [{ created_by_employee: { employee_id: "Default" } }, { employee_id: null }],
    [{ customer_id: 7, ticket_patient_type: "MEDICAL-MMID" }, { customer: { pos_customer_id: "7", type: "medical" } }],
    [
      {
        payments: [
          { payment_method: "CASH", amount_paid: 41.4 },
          { payment_method: "DEBIT", amount_paid: 0 },
        ],
      },
      { payments: [{ type: "cash", amount_paid: 4140 }] },
    ],
  ])("%j", (fields, expected) => {
    expect(saleRecord(parse(fields))).toMatchObject(expected);
  });

  test("without any date there is no sale", () => {
    expect(saleRecord(parse({ date_closed: null }))).toBe(null);
  });

  test("a line: its price is the whole line's, after discounts", () => {
    const discount = { discount_title: "Daily", discount_method: "PERCENT", discount_amount: 10, savings: 4 };
    const fields = { product_unit: "GRAMS", product_amount: 3.5, discounts: [discount], POS_discounts: [discount] };
    const tax = [{ tax_name: "Sales", rate: 0.15, amount: 5.4 }];
    expect(saleRecord(parse({ items: [{ ...item, ...fields, tax }] }))?.line_items).toEqual([
      {
        pos_product_id: "p",
        product_name: "Bud 3.5g",
        num_units: 2,
        price_per_unit: 2000,
        grams: 7,
        product_type: "flower",
        cannabis_product: true,
        line_item_discounts: [{ name: "Daily", flat_amount: 400, pct_amount: 0.1 }],
        line_item_taxes: [{ name: "Sales", flat_amount: 540, pct_amount: 0.15 }],
        line_item_fees: [],
      },
    ]);
  });

  test.each<[object, object]>([
    [
      { discount_method: "DOLLAR", discount_amount: 4 },
      { flat_amount: 400, pct_amount: null },
    ],
    [
      { discount_method: "DOLLAR", discount_amount: 4, savings: 3 },
      { flat_amount: 300, pct_amount: null },
    ],
    [
      { discount_method: "PERCENT", discount_amount: 10 },
      { flat_amount: null, pct_amount: 0.1 },
    ],
  ])("a discount %j", (fields, expected) => {
    const [line] = saleRecord(parse({ items: [{ ...item, POS_discounts: [fields] }] }))?.line_items ?? [];
    expect(line?.line_item_discounts).toEqual([{ name: null, ...expected }]);
  });

  test.each<[string | null, number | null, (string | null)[], number | null]>([
    ["36", 2, ["4"], 2000],
    ["3", 3, [], 100],
    ["10", 3, [], 333.3333],
    ["-36", -2, ["4"], 2000],
    ["36", 0, [], null],
    ["36", null, [], null],
    [null, 2, [], null],
  ])("%s for %s, saved %j: %s cents each", (price_sell, quantity, savings, expected) => {
    const applied = savings.map((saving) => ({ savings: saving }));
    expect(pricePerUnit({ price_sell, quantity }, applied)).toBe(expected);
  });

  test.each<[string, string | null, string | null, boolean]>([
    ["DELIVERY", "DELIVERY FEE", null, true],
    ["Service_Charge", "SERVICE CHARGE", null, true],
    ["DELIVERY", "DELIVERY FEE", "Floor", false],
    ["DELIVERY", "Bud 3.5g", null, false],
  ])("beside a fee %s the item %s at %s is it: %s", (type, product_size_name, location_name, expected) => {
    const row = parse({ fees: [{ type, total_amount: 5 }], items: [{ ...item, product_size_name, location_name }] });
    expect(isFee(row.items[0] as never, row)).toBe(expected);
    expect(saleRecord(row)?.line_items).toHaveLength(expected ? 0 : 1);
  });
});

test.each([
  ["2026-01-11T21:56:05.000Z", "America/Los_Angeles", "2026-01-11T13:56:05.000-08:00"],
  ["2026-07-11T21:56:05.123Z", "America/Denver", "2026-07-11T15:56:05.123-06:00"],
  ["2026-07-11T21:56:05.123Z", "Pacific/Guam", "2026-07-12T07:56:05.123+10:00"],
  ["2026-07-11T21:56:05.123Z", "UTC", "2026-07-11T21:56:05.123+00:00"],
])("%s in %s is written %s", (instant, timezone, expected) => {
  expect(offsetInstant(new Date(instant), timezone)).toBe(expected);
});
