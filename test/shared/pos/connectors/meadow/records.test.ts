import { describe, expect, test } from "vitest";
import { compareSums } from "../../../../../shared/domain/replication/compareSums.ts";
import {
  isStock,
  packageRecords,
  roomRecord,
  stockRecords,
} from "../../../../../shared/pos/connectors/meadow/inventory.ts";
import { customerRecord, productRecords } from "../../../../../shared/pos/connectors/meadow/records.ts";
import {
  customer,
  order,
  orderReturn,
  product,
  stockPackage,
} from "../../../../../shared/pos/connectors/meadow/responses.ts";
import { returnRecords, saleRecords } from "../../../../../shared/pos/connectors/meadow/sales.ts";
import type { PosRetailSale } from "../../../../../shared/pos/posRecords.ts";

describe("a customer", () => {
  test.each<[object, object]>([
    [{}, { pos_customer_id: "7", svc_customer_type: null, gender: null, loyalty_points: null, medical_id: null }],
    [{ sex: "tertiary" }, { gender: "Other" }],
    [{ sex: "female" }, { gender: "Female" }],
    [
      { medicalExpiration: "2027-03-31", licenseExpiry: "2028-05-31" },
      {
        svc_customer_type: "medical",
        pos_identification_type: "medical",
        medical_id_expiration_date: "2027-03-31",
        drivers_license_expiration_date: "2028-05-31",
      },
    ],
    [
      { medicalExpiration: "2015-03-31" },
      { svc_customer_type: null, medical_id_expiration_date: "2015-03-31", pos_identification_type: "medical" },
    ],
    [{ medicalExpiration: "2026-03-10" }, { svc_customer_type: "medical" }],
    [{ medicalExpiration: "2026-03-09" }, { svc_customer_type: null }],
    [{ licenseExpiry: "2028-05-31" }, { pos_identification_type: "drivers", svc_customer_type: null }],
    [{ zip: "80302" }, { zip_code: "80302", address_1: null }],
    [
      { zip: "80302", mostRecentAddress: { street1: "1 Pearl", postalCode: "80303" } },
      { zip_code: "80303", address_1: "1 Pearl" },
    ],
    [{ loyalty: { pointsAmount: 12.5 } }, { loyalty_points: "12.5" }],
    [{ updatedAt: "2022-12-15T21:13:14.500Z" }, { pos_updated_date: "2022-12-15T21:13:14.500Z" }],
  ])("with %j is converted", (fields, expected) => {
    const now = new Date("2026-03-10T19:30:00.000Z");
    expect(customerRecord(customer.parse({ id: 7, ...fields }), now)).toMatchObject(expected);
  });
});

describe("a product", () => {
  const option = { id: 9, name: "Eighth", price: 3500 };
  const records = (fields: object, ...options: object[]) =>
    productRecords(product.parse({ id: 4, name: "Gelato", ...fields, options }));

  test("has one record per option", () => {
    expect(records({}, option, { id: 10, name: "", price: 900 })).toMatchObject([
      { pos_product_id: "9", name: "Gelato - Eighth", price: 3500 },
      { pos_product_id: "10", name: "Gelato", price: 900 },
    ]);
    expect(records({})).toEqual([]);
  });

  test.each<[object, object, object]>([
    [{ name: null }, { name: "" }, { name: "Product 4" }],
    [{}, { salesPrice: 3000 }, { price: 3000 }],
    [{}, { salesPrice: null }, { price: 3500 }],
    [{ movingAverageCostPerUnit: "10.123456" }, {}, { unit_cost: 1012.3456 }],
    [{ movingAverageCostPerUnit: "10" }, { movingAverageCostPerUnit: "9.5" }, { unit_cost: 950 }],
    [{ unit: "gram" }, { amount: "3.5" }, { svc_net_weight_grams: 3.5, pos_unit_of_measure: "gram" }],
    [{ unit: "item" }, { amount: "1" }, { svc_net_weight_grams: null }],
    [{ upc: "a" }, {}, { sku: "a" }],
    [{ upc: "a" }, { upc: "b" }, { sku: "b" }],
    [{ primaryCategory: { name: "Accessories", cannabisType: "none" } }, {}, { medicated: false }],
    [
      { primaryCategory: { name: "Edibles", cannabisType: "edible" }, subCategories: [{ name: "Gummies" }] },
      {},
      { medicated: true, svc_product_category_name: "edible", pos_product_subcategory_name: "Gummies" },
    ],
    ...["concentrated", "non-concentrated", "Edible"].map((cannabisType): [object, object, object] => [
      { primaryCategory: { cannabisType } },
      {},
      { medicated: true },
    ]),
    [{ primaryCategory: { cannabisType: "None" } }, {}, { medicated: false }],
    [{ primaryCategory: { cannabisType: "hemp" } }, {}, { medicated: null }],
    [{ primaryCategory: {} }, {}, { medicated: null }],
    [{ strainType: "hybrid" }, {}, { pos_strain_name: null }],
    [{ brand: { name: "Farms" } }, {}, { pos_brand_name: "Farms" }],
    [{ photos: [{ fullPath: "p" }, {}] }, {}, { images: [{ url: "p", description: null }] }],
  ])("with %j and the option %j is converted", (fields, more, expected) => {
    expect(records(fields, { ...option, ...more })).toMatchObject([expected]);
  });
});

test.each<[object, object, number | null]>([
  [{ unit: "item", thcAmount: "100", thcUnit: "mg" }, { amount: 1 }, 100],
  [{ unit: "item", thcAmount: "100", thcUnit: "mg", thcAmountEach: "10" }, { amount: 1 }, 100],
  [{ unit: "item", thcAmount: "100", thcUnit: "mg" }, { amount: 2 }, null],
  [{ unit: "item", thcAmountEach: "10", thcUnit: "mg" }, { amount: 1 }, null],
  [{ unit: "item", thcAmountRangeLow: "90", thcAmountRangeHigh: "110", thcUnit: "mg" }, { amount: 1 }, null],
  [{ unit: "item", thcAmountRangeLow: "90", thcUnit: "mg" }, { amount: 1 }, null],
  [{ unit: "item", thcAmountRangeLow: "90", thcAmountRangeHigh: "90", thcUnit: "mg" }, { amount: 1 }, 90],
  [{ unit: "item", thcAmount: "100" }, { amount: 1 }, null],
  [{ unit: "item", thcAmount: "20", thcUnit: "%" }, { amount: 1 }, null],
  [{ unit: "gram", thcAmount: "20", thcUnit: "%" }, { amount: "3.5" }, 700],
  [{ unit: "gram", thcAmount: "12", thcUnit: "mg" }, { amount: 1 }, null],
  [{ unit: "item", cbdAmount: "100", cbdUnit: "mg" }, { amount: 1 }, null],
])("a product with %j and the option %j has %s mg of THC", (fields, option, expected) => {
  const row = product.parse({ id: 4, name: "Gelato", ...fields, options: [{ id: 9, price: 3500, ...option }] });
  expect(productRecords(row)[0]?.thc_mg_per_unit).toBe(expected);
});

describe("stock", () => {
  const rooms = new Map([["2", roomRecord({ id: "2", name: null, type: "vehicle" })]]);
  const locationInventory = [
    { inventoryLocationId: 2, amount: "3.5" },
    { inventoryLocationId: 3, amount: "0" },
    { inventoryLocationId: 5, amount: "1" },
  ];
  const location_data = [
    { pos_location_id: "2", name: "Room 2", pos_location_type: "vehicle", quantity: 3.5 },
    { pos_location_id: "5", name: null, pos_location_type: null, quantity: 1 },
  ];

  test("in a package is converted", () => {
    const row = stockPackage.parse({
      id: 1,
      label: "1A4",
      status: "received",
      productOptionId: 9,
      product: { name: "Gelato", upc: "u" },
      locationInventory,
      updatedAt: "2023-05-05 10:17:56.561-07",
    });
    expect(packageRecords(row, rooms)).toEqual([
      {
        pos_inventory_id: "package-1",
        pos_product_id: "9",
        name: "Gelato",
        sku: "u",
        barcode: "1A4",
        total_quantity: 4.5,
        pos_updated_date: "2023-05-05T17:17:56.561Z",
        location_data,
      },
    ]);
  });

  test.each(["ready", "finished", "shipped", "transferred", "transfer-returned", "syncing", "Finished"])(
    "in a package that is %s is 0",
    (status) => {
      const row = stockPackage.parse({ id: 1, status, locationInventory });
      expect(isStock(row)).toBe(false);
      expect(packageRecords(row, rooms)).toMatchObject([{ total_quantity: 0, location_data: [] }]);
    },
  );

  test.each(["received", "Received"])("in a package that is %s counts", (status) => {
    const row = stockPackage.parse({ id: 1, status, locationInventory });
    expect(isStock(row)).toBe(true);
    expect(packageRecords(row, rooms)).toMatchObject([{ total_quantity: 4.5 }]);
  });

  test.each(["lost", null])("in a package of status %j is rejected", (status) => {
    const row = stockPackage.parse({ id: 1, status, locationInventory });
    expect(packageRecords(row, rooms)).toEqual({ field: "status", reason: "unknown_status" });
  });

  test.each([
    ["option", [{ pos_inventory_id: "option-9", pos_product_id: "9", total_quantity: 1 }]],
    ["product", [{ pos_inventory_id: "product-4", pos_product_id: "9", total_quantity: 4.5, location_data }]],
    ["none", []],
    ["weight", { field: "inventoryType", reason: "unknown_type" }],
    [null, { field: "inventoryType", reason: "unknown_type" }],
  ])("that is counted by %s is converted or rejected", (inventoryType, expected) => {
    const options = [{ id: 9, locationInventory: [{ inventoryLocationId: 2, amount: "1" }] }];
    const row = product.parse({ id: 4, name: "Gelato", inventoryType, locationInventory, options });
    expect(stockRecords(row, rooms)).toMatchObject(expected);
  });

  test.each([undefined, null, [{ inventoryLocationId: 2 }], [...locationInventory, { inventoryLocationId: 6 }]])(
    "without an amount is rejected, not set to 0: %j",
    (incomplete) => {
      const rejected = { field: "locationInventory", reason: "no_quantity" };
      const received = stockPackage.parse({ id: 1, status: "received", locationInventory: incomplete });
      expect(packageRecords(received, rooms)).toEqual(rejected);
      const options = [
        { id: 9, locationInventory },
        { id: 10, locationInventory: incomplete },
      ];
      const byOption = product.parse({ id: 4, inventoryType: "option", options });
      expect(stockRecords(byOption, rooms)).toEqual(rejected);
      const byProduct = product.parse({ id: 4, inventoryType: "product", locationInventory: incomplete, options });
      expect(stockRecords(byProduct, rooms)).toEqual(rejected);
    },
  );
});

describe("an order", () => {
  const fulfilled = {
    ...{ id: "o", status: "fulfilled", fulfilledAt: "2026-03-10T19:30:00.000Z" },
    ...{ taxes: [], credits: [] },
  };
  const methods = new Map([["3", "debit"]]);
  const records = (fields: object) => saleRecords(order.parse({ ...fulfilled, ...fields }), methods);

  test.each(["draft", "new", "packed", "Packed"])("that is %s is no sale", (status) => {
    expect(records({ status })).toEqual([]);
  });

  test.each(["delivered", null])("of status %j is rejected", (status) => {
    expect(records({ status })).toEqual({ field: "status", reason: "unknown_status" });
  });

  test.each(["FULFILLED", "Canceled"])("may have a status in any letter case: %s", (status) => {
    expect(records({ status })).toMatchObject([{ pos_sale_id: "o" }]);
  });

  describe("has the right fees", () => {
    const fee = (fee_name: string | null, flat_amount: number) => ({ fee_name, flat_amount });
    /** A delivered order of 195.00 with 15 % tax. */
    const delivered = (deliveryFee: number | null, feeAmount: number, charged: number) => ({
      ...{ netPrice: 22_425, customerGrandTotal: 22_425 + charged, deliveryFee },
      taxes: [{ description: "Excise tax", rate: "15", amount: 2_925 }],
      payments: [{ name: "Cash", amount: 22_425 + charged - feeAmount, feeAmount, finalAmount: 22_425 + charged }],
      lineItems: [{ optionId: 9, quantity: 3, unitPrice: 6_500 }],
    });

    test.each<[string, number | null, number, number, object[]]>([
      ["if the payment's fee repeats the delivery fee, which counts once", 500, 500, 500, [fee("Delivery", 500)]],
      [
        "if the payment's fee includes the delivery fee, and is split",
        500,
        850,
        850,
        [fee("Delivery", 500), fee("Payment", 350)],
      ],
      ["if both fees add up", 500, 350, 850, [fee("Delivery", 500), fee("Payment", 350)]],
      ["if two equal fees were both charged", 500, 500, 1000, [fee("Delivery", 500), fee("Payment", 500)]],
      ["if the payment's fee was not charged", 500, 350, 500, [fee("Delivery", 500)]],
      ["if the delivery fee was not charged", 500, 350, 350, [fee("Payment", 350)]],
      ["if there is only a payment's fee", null, 350, 350, [fee("Payment", 350)]],
      ["if neither fee was charged", 500, 500, 0, []],
      ["if there is another difference, which becomes a fee without a name", 500, 350, 720, [fee(null, 720)]],
    ])("%s", (_, deliveryFee, feeAmount, charged, fees) => {
      const [sale] = records(delivered(deliveryFee, feeAmount, charged)) as PosRetailSale[];
      expect(sale?.fees).toMatchObject(fees);
      expect(sale?.fees).toHaveLength(fees.length);
      expect(compareSums(sale ? [sale] : [])).toEqual({ compared: 1, mismatched: 0 });
    });

    test("is rejected if its grand total is below the net price, but not if it is canceled", () => {
      const below = delivered(null, 0, -500);
      expect(records(below)).toEqual({ field: "customerGrandTotal", reason: "unclear_fees" });
      expect(records({ ...below, status: "canceled" })).toMatchObject([{ transaction_type: "adjustment" }]);
    });

    test.each([
      [500, 500, [fee("Delivery", 500)]],
      [550, 350, [fee("Delivery", 550), fee("Payment", 350)]],
    ])("without totals counts a fee of %i once if a payment's fee of %i can include it", (delivery, payment, fees) => {
      const order = { ...delivered(delivery, payment, 0), netPrice: null };
      expect(records(order)).toMatchObject([{ fees }]);
    });
  });

  test("without a date is rejected", () => {
    expect(records({ fulfilledAt: null })).toEqual({ field: "fulfilledAt", reason: "no_instant" });
  });

  test.each<[object, object]>([
    [
      { status: "canceled", netPrice: 900 },
      { transaction_type: "adjustment", total_paid: 0 },
    ],
    [
      { netPrice: 4140, customerGrandTotal: 4140, taxes: [{ description: "Sales", rate: "9.5", amount: 540 }] },
      {
        subtotal: 3600,
        tax_paid: 540,
        total_paid: 4140,
        taxes: [{ name: "Sales", pct_amount: 0.095, flat_amount: 540 }],
      },
    ],
    [
      {
        netPrice: 3000,
        customerGrandTotal: 3000,
        credits: [
          { type: "store-credit", amountUsed: 500 },
          { type: "promo-code", description: "Five off", amountUsed: 200 },
        ],
        payments: [{ name: "Cash", finalAmount: 3000 }],
      },
      {
        subtotal: 3500,
        total_paid: 3500,
        total_discounts: 200,
        discounts: [{ name: "Five off", flat_amount: 200 }],
        payments: [
          { type: "cash", amount_paid: 3000 },
          { type: "other", amount_paid: 500 },
        ],
      },
    ],
    [
      { payments: [{ name: "House", paymentTypeId: 3, amount: 1000, feeAmount: 350, finalAmount: 1350 }] },
      {
        fees: [{ fee_name: "Payment", flat_amount: 350, included_in_subtotal: false }],
        payments: [{ type: "debit", amount_paid: 1350 }],
      },
    ],
    [{ netPrice: 900 }, { tax_paid: 0, subtotal: 900, total_discounts: 0 }],
    [
      { netPrice: 900, taxes: undefined },
      { tax_paid: null, subtotal: null, taxes: [] },
    ],
    [
      { netPrice: 900, taxes: [{ amount: 50 }, { description: "City" }] },
      { tax_paid: null, subtotal: null },
    ],
    [
      { netPrice: 900, customerGrandTotal: 900, credits: undefined, payments: [{ name: "Cash", amount: 900 }] },
      { subtotal: null, total_paid: null, total_discounts: null },
    ],
    [
      { netPrice: 900, customerGrandTotal: 900, credits: [{ type: "store-credit" }] },
      { subtotal: null, total_paid: null, payments: [{ type: "other", amount_paid: null }] },
    ],
    [{ discounts: [{ amountUsed: 5 }, { description: "Staff" }] }, { total_discounts: null }],
    [{ customer: {} }, { customer: { pos_customer_id: null, type: null, dob: null, id_type: null } }],
    [
      { isMedical: true, customer: { id: 7, birthday: "1980-01-02", medicalExpiration: "2027-03-31" } },
      {
        customer: {
          pos_customer_id: "7",
          type: "medical",
          dob: "1980-01-02",
          id_type: "medical",
          id_expiration_date: "2027-03-31",
        },
      },
    ],
    [
      { isMedical: false, customer: { id: 7, licenseExpiry: "2028-05-31", medicalExpiration: "2027-03-31" } },
      { customer: { type: "rec", id_type: "drivers", id_expiration_date: "2028-05-31" } },
    ],
    [{ fulfilledBy: {}, placedBy: { id: 4 } }, { employee_id: "4" }],
    [{ fulfilledBy: { id: 3 }, placedBy: { id: 4 } }, { employee_id: "3" }],
    [{ fulfilledBy: {} }, { employee_id: null }],
    [
      {
        lineItems: [
          {
            optionId: 9,
            productName: "Gelato",
            quantity: 2,
            unitPrice: 2000,
            productUnit: "gram",
            optionAmount: 3.5,
            discounts: [
              { description: "Daily", type: "percent", amount: 10, amountUsed: 400 },
              { type: "flat", amount: 100, amountUsed: 100 },
            ],
          },
        ],
        discounts: [{ description: "Order", type: "flat", amount: 50, amountUsed: 50 }],
      },
      {
        total_discounts: 550,
        discounts: [{ name: "Order", flat_amount: 50, pct_amount: null }],
        line_items: [
          {
            pos_product_id: "9",
            product_name: "Gelato",
            num_units: 2,
            price_per_unit: 2000,
            grams: 7,
            thc_mg_per_unit: null,
            line_item_discounts: [
              { name: "Daily", flat_amount: 400, pct_amount: 0.1 },
              { name: null, flat_amount: 100, pct_amount: null },
            ],
          },
        ],
      },
    ],
  ])("with %j is converted", (fields, expected) => {
    expect(records(fields)).toMatchObject([expected]);
  });
});

describe("a return", () => {
  const fields = {
    id: 5,
    orderId: "o",
    createdAt: "2026-03-10T19:30:00.000Z",
    refundInitial: -4500,
    refundTotal: -4905,
    taxes: [{ description: "Sales", rate: "9", amount: -405 }],
    lineItems: [{ orderLineItemId: 1, quantity: 2, type: "return" }],
    refundType: "payment-method",
    paymentTypeName: "Cash",
  };

  test.each<[object, object]>([
    [
      {},
      {
        pos_sale_id: "return-5",
        transaction_type: "return",
        subtotal: -4500,
        tax_paid: -405,
        total_paid: -4905,
        payments: [{ type: "cash", amount_paid: -4905 }],
        line_items: [{ num_units: -2, price_per_unit: null, pos_product_id: null }],
      },
    ],
    [
      { taxes: [...fields.taxes, { description: "Excise", rate: "15", amount: -675, refunded: false }] },
      { subtotal: -4500, tax_paid: -405, taxes: [{ name: "Sales" }] },
    ],
    [{ taxes: undefined }, { subtotal: null, tax_paid: null, total_paid: -4905, taxes: [] }],
    [{ taxes: [{ description: "Sales" }] }, { subtotal: null, tax_paid: null }],
    [{ refundType: "gift" }, { payments: [{ type: "unknown", amount_paid: -4905 }] }],
    [{ refundType: "store-credit" }, { payments: [{ type: "other", amount_paid: -4905 }] }],
    [
      { refundType: "none", refundTotal: 0, taxes: [] },
      { payments: [], total_paid: 0 },
    ],
    [{ voidedAt: "2026-03-11T00:00:00.000Z" }, { transaction_type: "adjustment", total_paid: 0 }],
    [{ voidedAt: "2026-03-11" }, { transaction_type: "adjustment", total_paid: 0 }],
    [{ voidedAt: "0001-01-01T00:00:00" }, { transaction_type: "return" }],
  ])("with %j is converted", (more, expected) => {
    expect(returnRecords(orderReturn.parse({ ...fields, ...more }))).toMatchObject([expected]);
  });

  test("whose void is unclear is rejected", () => {
    const { error } = orderReturn.safeParse({ ...fields, voidedAt: "pending" });
    expect(error?.issues).toMatchObject([{ path: ["voidedAt"], message: "unknown_status" }]);
  });

  test("without a date is rejected", () => {
    const row = orderReturn.parse({ ...fields, createdAt: "yesterday" });
    expect(returnRecords(row)).toEqual({ field: "createdAt", reason: "no_instant" });
  });
});
