import { describe, expect, test } from "vitest";
import type * as z from "zod";
import { customer, inventoryRow, product, room, transaction } from "../../../../shared/pos/dutchie/answers.ts";
import { customerRecord, customerTypeOf, genderOf } from "../../../../shared/pos/dutchie/customers.ts";
import { inventoryRecord, roomRecord, roomsOf, storeAsLocation } from "../../../../shared/pos/dutchie/inventory.ts";
import { payments } from "../../../../shared/pos/dutchie/payments.ts";
import { priceOf, productRecord } from "../../../../shared/pos/dutchie/products.ts";
import { isKept, saleInstant, saleRecord } from "../../../../shared/pos/dutchie/sales.ts";
import type { PosWholesaleSale } from "../../../../shared/pos/posRecords.ts";

const nobody = { types: [], points: new Map<string, string>(), keyKind: null };

describe("customers", () => {
  const record = (fields: object, context = {}) =>
    customerRecord(customer.parse({ customerId: 7, ...fields }), { ...nobody, ...context });

  test("nothing but an id", () => {
    const { pos_customer_id, ...rest } = record({});
    expect(pos_customer_id).toBe("7");
    expect(new Set(Object.values(rest))).toEqual(new Set([null]));
  });

  test.each<[object, object]>([
    [{ mmjidNumber: "M1" }, { pos_identification_type: "medical", medical_id: "M1" }],
    [{ mmjidNumber: "M1", driversLicenseHash: "AB" }, { pos_identification_type: "medical" }],
    [{ driversLicenseHash: "AbC9" }, { pos_identification_type: "drivers", drivers_license_id: "abc9" }],
    [{ mmjidExpirationDate: "2027-01-31T00:00:00Z" }, { medical_id_expiration_date: "2027-01-31" }],
    [{ dateOfBirth: "0001-01-01T00:00:00" }, { dob: null }],
    [{ dateOfBirth: "1980-02-29T00:00:00-07:00" }, { dob: "1980-02-29" }],
    [
      { isLoyaltyMember: true, isAnonymous: "false" },
      { loyalty_member: true, anonymous: false },
    ],
    [{ customerType: "Caregiver" }, { caregiver: true, svc_customer_type: "medical" }],
    [{ customerType: "Adult Use" }, { caregiver: null, svc_customer_type: "rec", pos_customer_type: "Adult Use" }],
    [{ postalCode: 80302 }, { zip_code: "80302" }],
    [{ lastModifiedDateUTC: "2026-03-10T19:30:00" }, { pos_updated_date: "2026-03-10T19:30:00.000Z" }],
  ])("%j", (fields, expected) => {
    expect(record(fields)).toMatchObject(expected);
  });

  test("points of the night's figures, and what the key is for", () => {
    expect(record({}, { points: new Map([["7", "12.50"]]), keyKind: "medical" })).toMatchObject({
      loyalty_points: "12.50",
      svc_customer_type: "medical",
    });
  });

  test.each([
    ["Gold", "medical"],
    ["Silver", "rec"],
    ["Both", "medical"],
    ["Neither", null],
    ["Med Patient", "medical"],
    ["Recreational", "rec"],
    ["Adult", "rec"],
    ["Walk-in", null],
    [null, null],
  ])("the type %s is %s", (type, expected) => {
    const types = [
      { name: "Gold", isMedical: true, isRetail: false },
      { name: "Silver", isMedical: false, isRetail: true },
      { name: "Both", isMedical: true, isRetail: true },
      { name: "Neither", isMedical: false, isRetail: false },
    ];
    expect(customerTypeOf(type, types)).toBe(expected);
  });

  test.each([
    ["M", "Male"],
    ["female", "Female"],
    ["Not Specified", null],
    ["Unknown", null],
    ["X", "Other"],
    ["constructor", "Other"],
    [null, null],
  ])("gender %s is %s", (gender, expected) => {
    expect(genderOf(gender)).toBe(expected);
  });
});

describe("products", () => {
  const record = (fields: object, kind: "rec" | "medical" = "rec") =>
    productRecord(product.parse({ productId: 7, ...fields }), kind);

  test.each<[object, object]>([
    [{}, { name: "Product 7", price: null, price_tiers: null, images: null }],
    [{ internalName: "In" }, { name: "In" }],
    [{ productName: "Out", internalName: "In" }, { name: "Out" }],
    [
      { masterCategory: "Flower", category: "Pre-Rolls" },
      {
        svc_product_category_name: "flower",
        pos_product_category_name: "Flower",
        pos_product_subcategory_name: "Pre-Rolls",
      },
    ],
    [
      { masterCategory: "Edible", category: "Edible", ecomSubcategory: "Gummies" },
      { pos_product_subcategory_name: "Gummies" },
    ],
    [{ category: "Edible" }, { pos_product_category_name: "Edible", pos_product_subcategory_name: null }],
    [{ regulatoryCategory: "Usable cannabis" }, { svc_product_category_name: "marijuana_product" }],
    [{ netWeight: 0.125, netWeightUnit: "oz" }, { svc_net_weight_grams: 3.5437 }],
    [{ netWeight: 0, netWeightUnit: "g", productGrams: 3.5 }, { svc_net_weight_grams: 3.5 }],
    [{ netWeight: 5, netWeightUnit: "each" }, { svc_net_weight_grams: null }],
    [{ price: 19.99 }, { price: 1999 }],
    [{ price: "1.005" }, { price: 101 }],
    [{ price: 0 }, { price: 0 }],
    [{ price: -1 }, { price: null }],
    [{ unitCost: 1.23456 }, { unit_cost: 123.456 }],
    [{ isCannabis: "true" }, { medicated: true }],
    [{ defaultUnit: "", unitType: "Quantity" }, { pos_unit_of_measure: "Quantity" }],
    [{ imageUrl: "a" }, { images: [{ url: "a", description: null }] }],
    [{ imageUrl: "a", imageUrls: ["b", null, ""] }, { images: [{ url: "b", description: null }] }],
  ])("%j", (fields, expected) => {
    expect(record(fields)).toMatchObject(expected);
  });

  test("priced by tiers", () => {
    const pricingTierData = [
      { startWeight: 1, endWeight: 3.5, price: 12 },
      { startWeight: 3.5, endWeight: null, price: 10.5 },
      { startWeight: 28, endWeight: null, price: null },
    ];
    const tier = { tier_name: "House", pos_tier_type: "weight", tier_valid_until_date: null };
    expect(record({ price: 0, pricingTierName: "House", pricingTierData })).toMatchObject({
      price: null,
      price_tiers: [
        { ...tier, tier_price: 1200, pos_tier_type_condition_value: "1-3.5" },
        { ...tier, tier_price: 1050, pos_tier_type_condition_value: ">=3.5" },
      ],
    });
  });

  test.each([
    ["1", "2", "3", "1", "3"],
    [null, "2", "3", "2", "3"],
    [null, null, "3", "3", "3"],
    ["1", "2", null, "1", "2"],
    ["1", null, null, "1", "1"],
  ])("of prices for adults %s, for all %s, for patients %s", (recPrice, price, medPrice, forRec, forMed) => {
    const row = product.parse({ productId: 7, recPrice, price, medPrice });
    expect([priceOf(row, "rec"), priceOf(row, "medical")]).toEqual([forRec, forMed]);
  });
});

describe("inventory and rooms", () => {
  const rooms = new Map([
    ["11", roomRecord(room.parse({ roomId: 11, roomName: "Floor", isSalesFloor: true, isVaultRoom: true }), "4101")],
  ]);

  test("a package in rooms", () => {
    const row = inventoryRow.parse({
      inventoryId: 7,
      productId: 9,
      quantityAvailable: 3.25,
      packageId: "P",
      roomQuantities: [
        { roomId: 11, room: "old name", quantityAvailable: 1.25 },
        { roomId: 12, room: "Back", quantityAvailable: 2 },
        { roomId: 13, room: "Empty", quantityAvailable: 0 },
        { roomId: null, quantityAvailable: 5 },
      ],
    });
    expect(inventoryRecord(row, "4101", rooms)).toEqual({
      pos_inventory_id: "4101:7",
      pos_product_id: "9",
      name: "Product 9",
      sku: null,
      barcode: "P",
      total_quantity: 3.25,
      pos_updated_date: null,
      location_data: [
        {
          pos_key: "4101:11",
          pos_location_id: "11",
          name: "Floor",
          pos_location_type: "Sales Floor, Vault",
          quantity: 1.25,
        },
        { pos_key: "4101:12", pos_location_id: "12", name: "Back", pos_location_type: null, quantity: 2 },
      ],
    });
    expect(roomsOf([row], "4101").map(({ pos_key, name }) => [pos_key, name])).toEqual([
      ["4101:11", "old name"],
      ["4101:12", "Back"],
      ["4101:13", "Empty"],
    ]);
  });

  test("a package of which no rooms are told", () => {
    const row = inventoryRow.parse({ inventoryId: 7, externalPackageId: "T", packageId: "P", quantityAvailable: null });
    expect(inventoryRecord(row, "4101", rooms)).toMatchObject({ barcode: "T", total_quantity: 0, location_data: null });
  });

  test("what rooms are for, in one order", () => {
    const flags = [
      "isWaitingRoom",
      "isQuarantineRoom",
      "isEcommerceRoom",
      "isPreOrderRoom",
      "isInventoryRoom",
      "isVaultRoom",
      "isPOSRoom",
      "isSalesFloor",
    ];
    const all = room.parse({ roomId: 1, ...Object.fromEntries(flags.map((flag) => [flag, true])) });
    expect(roomRecord(all, "1")).toMatchObject({
      name: "Room 1",
      pos_location_type: "Sales Floor, POS, Vault, Inventory, Pre-Order, E-Commerce, Quarantine, Waiting",
    });
    expect(roomRecord(room.parse({ roomId: 1 }), "1").pos_location_type).toBe(null);
    expect(storeAsLocation("4101", "Boulder")).toMatchObject({ pos_location_id: "store-4101", name: "Boulder" });
  });
});

describe("sales", () => {
  const parse = (fields: object): z.output<typeof transaction> =>
    transaction.parse({ transactionId: 7, transactionDate: "2026-03-10T19:30:00Z", ...fields });
  const context = { businessType: "retail", timezone: "America/Denver", locationId: "4101" } as const;
  const record = (fields: object, more = {}) => saleRecord(parse(fields), { ...context, ...more });
  const item = { transactionItemId: 1, productId: 9, quantity: 2, unitPrice: 20, totalPrice: 41.4 };

  test.each<[object, object]>([
    [{}, { pos_sale_id: "7", pos_key: "4101:7", transaction_type: "sale", employee_id: null }],
    [
      { isVoid: true, total: 5 },
      { transaction_type: "adjustment", total_paid: 0, payments: [] },
    ],
    [{ isVoid: true, isReturn: true }, { transaction_type: "adjustment" }],
    [
      { isReturn: true, total: 5, tax: 1 },
      { transaction_type: "return", total_paid: -5_00, tax_paid: -1_00 },
    ],
    [
      { isReturn: true, total: -5 },
      { transaction_type: "return", total_paid: -5_00 },
    ],
    [
      { returnOnTransactionId: 3, total: 5 },
      { transaction_type: "return", total_paid: -5_00 },
    ],
    [
      { returnOnTransactionId: 0, adjustmentForTransactionId: 3, total: 5 },
      { transaction_type: "adjustment", total_paid: 5_00 },
    ],
    [{ employeeId: 17, responsibleForSaleUserId: 0 }, { employee_id: "17" }],
    [{ employeeId: 17, responsibleForSaleUserId: 18 }, { employee_id: "18" }],
    [{ customerId: 0 }, { customer: { pos_customer_id: null, type: null } }],
    [{ customerId: -1, isMedical: false }, { customer: { pos_customer_id: null, type: "rec" } }],
    [{ customerId: 5, isMedical: true }, { customer: { pos_customer_id: "5", type: "medical" } }],
    [
      { isTaxInclusive: true, totalBeforeTax: 40, tax: 5.22, total: 40 },
      { subtotal: 3478, tax_paid: 522, total_paid: 4000 },
    ],
  ])("%j", (fields, expected) => {
    expect(record(fields)).toMatchObject(expected);
  });

  test.each<[string, object, object]>([
    ["included", { totalBeforeTax: 37, tax: 5, total: 42 }, { included_in_subtotal: true, flat_amount: 100 }],
    ["not included", { totalBeforeTax: 36, tax: 5, total: 42 }, { included_in_subtotal: false, flat_amount: 100 }],
  ])("a fee that is %s", (_, amounts, expected) => {
    const { fees } = record({ ...amounts, feesAndDonations: [{ description: "Bag", amount: 1 }] });
    expect(fees).toMatchObject([{ fee_name: "Bag", percent_amount: null, ...expected }]);
  });

  test("what a line carries does not stand on the sale again", () => {
    const discounts = [
      { discountName: "Line", amount: 1, transactionItemId: 1 },
      { discountName: "Cart", amount: 2, transactionItemId: 0 },
    ];
    const taxSummary = [{ rateName: "Sales", amount: 5.4 }];
    const taxes = [{ rateName: "Sales", rate: 0.15, amount: 5.4 }];
    const lines = record({ items: [{ ...item, discounts: discounts.slice(0, 1), taxes }], discounts, taxSummary });
    expect(lines.discounts).toEqual([{ name: "Cart", flat_amount: 200, pct_amount: null }]);
    expect(lines.taxes).toEqual([]);
    expect(lines.line_items[0]).toMatchObject({
      line_item_discounts: [{ name: "Line", flat_amount: 100, pct_amount: null }],
      line_item_taxes: [{ name: "Sales", flat_amount: 540, pct_amount: 0.15 }],
    });
    expect(record({ items: [item], taxSummary }).taxes).toEqual([
      { name: "Sales", flat_amount: 540, pct_amount: null },
    ]);
  });

  test("a coupon that was rung up is a discount", () => {
    const coupon = { transactionItemId: 2, isCoupon: true, totalPrice: -3 };
    const sale = record({ items: [item, coupon, { ...coupon, totalPrice: 0 }] });
    expect(sale.line_items).toHaveLength(1);
    expect(sale.discounts).toEqual([{ name: null, flat_amount: 300, pct_amount: null }]);
  });

  test.each<[object, number | null]>([
    [{ unitWeight: 3.5, unitWeightUnit: "g" }, 7],
    [{ unitWeight: 500, unitWeightUnit: "mg" }, 1],
    [{ unitWeight: 3.5 }, 7],
    [{ unitWeight: 1, unitWeightUnit: "ea" }, null],
    [{ unitWeight: 0 }, null],
    [{}, null],
  ])("a line of 2 x %j weighs %s grams", (fields, expected) => {
    expect(record({ items: [{ ...item, ...fields }] }).line_items[0]?.grams).toBe(expected);
  });

  test.each<[string, string | null, string, string]>([
    ["2026-03-10T19:30:00Z", "2026-03-10T13:30:00", "America/Denver", "2026-03-10T19:30:00.000Z"],
    ["2026-03-10T19:30:00", "2026-03-10T13:30:00-06:00", "America/Denver", "2026-03-10T19:30:00.000Z"],
    ["2026-03-10T13:30:00", "2026-03-10T13:30:00", "America/Denver", "2026-03-10T19:30:00.000Z"],
    ["2026-03-10T13:30:00Z", "2026-03-10T13:30:00", "America/Denver", "2026-03-10T19:30:00.000Z"],
    ["2026-03-10T13:30:00-06:00", "2026-03-10T13:30:00-06:00", "America/Denver", "2026-03-10T19:30:00.000Z"],
    ["2026-03-10T13:30:00", null, "America/Denver", "2026-03-10T13:30:00.000Z"],
    ["2026-01-10T13:30:00", "2026-01-10T13:30:00", "America/Phoenix", "2026-01-10T20:30:00.000Z"],
  ])("%s, locally %s in %s", (date, local, timezone, expected) => {
    expect(saleInstant(date, local, timezone)).toBe(expected);
  });

  test.each<[string | null, boolean, boolean]>([
    ["Retail", true, false],
    ["WholesaleOrder", false, true],
    ["Transfer", false, false],
    [null, true, false],
  ])("a transaction of type %s", (transactionType, retail, wholesale) => {
    const row = parse({ transactionType });
    expect([isKept(row, "retail"), isKept(row, "wholesale")]).toEqual([retail, wholesale]);
  });

  test("a wholesale order has an invoice", () => {
    const fields = { customerId: 5, invoiceNumber: "INV-7", invoiceName: "Net 30", total: 100, paid: 40 };
    const wholesale = record(fields, { businessType: "wholesale" }) as PosWholesaleSale;
    expect(wholesale).toMatchObject({ type: "wholesale", customer: { pos_customer_id: "5", type: null } });
    expect(wholesale.invoice).toEqual({
      id: "INV-7",
      pos_customer_id: "5",
      memo: "Net 30",
      open_balance: 6000,
      total: 10000,
    });
    expect(record({ customerId: 0, total: 5, paid: 9 }, { businessType: "wholesale" })).toMatchObject({
      customer: null,
      invoice: { pos_customer_id: null, open_balance: 0 },
    });
  });

  test("a date must be one", () => {
    expect(transaction.safeParse({ transactionId: 7, transactionDate: "soon" }).error?.issues[0]).toMatchObject({
      path: ["transactionDate"],
      message: "no_instant",
    });
  });

  describe("payments", () => {
    test.each<[object, [string, number][]]>([
      [{ paid: 45, cashPaid: 45, changeDue: 3.6 }, [["cash", 4140]]],
      [
        { paid: 10, debitPaid: 4, creditPaid: 3, checkPaid: 2, giftPaid: 1 },
        [
          ["debit", 400],
          ["credit", 300],
          ["check", 200],
          ["other", 100],
        ],
      ],
      [
        { paid: 3, mmapPaid: 1, prePaymentAmount: 2 },
        [
          ["other", 100],
          ["other", 200],
        ],
      ],
      [{ paid: 5, electronicPaid: 5, electronicPaymentMethod: "CanPay" }, [["ach", 500]]],
      [{ paid: 5, electronicPaid: 5 }, [["unknown", 500]]],
      [{ paid: 5, integratedPayments: [{ integrationType: "Aeropay", integratedPaid: 5 }] }, [["ach", 500]]],
      [{ paid: 5, manualPayments: [{ manualPaymentProcessorName: "Square Visa", manualPaid: 5 }] }, [["credit", 500]]],
      // The processor's amount is the debit amount again.
      [
        { paid: 5, debitPaid: 5, integratedPayments: [{ integrationType: "CanPay", integratedPaid: 5 }] },
        [["debit", 500]],
      ],
      // And so is the electronic one.
      [{ paid: 5, debitPaid: 5, electronicPaid: 5, manualPayments: [{ manualPaid: 5 }] }, [["debit", 500]]],
      // A cent more is no repetition.
      [
        { paid: 5, debitPaid: 3, electronicPaid: 2.01, electronicPaymentMethod: "ACH" },
        [
          ["debit", 300],
          ["ach", 201],
        ],
      ],
      // Returns come with either sign.
      [{ paid: -45, cashPaid: -45, changeDue: 0 }, [["cash", 4500]]],
      [{}, []],
    ])("%j", (fields, expected) => {
      expect(payments(parse(fields)).map(({ type, amount_paid }) => [type, amount_paid])).toEqual(expected);
    });
  });
});
