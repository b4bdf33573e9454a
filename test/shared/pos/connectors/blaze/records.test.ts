import { describe, expect, test } from "vitest";
import {
  customerRecord,
  inventoryRecords,
  productRecord,
  roomRecord,
} from "../../../../../shared/pos/connectors/blaze/records.ts";
import { member, product, transaction } from "../../../../../shared/pos/connectors/blaze/responses.ts";
import { saleRecords } from "../../../../../shared/pos/connectors/blaze/sales.ts";

const at = Date.parse("2026-03-10T19:30:00.000Z");

const document = (number: string, day: string): { number?: string; expirationDate?: number } => ({
  number,
  expirationDate: Date.parse(`${day}T00:00:00Z`),
});

describe("a member", () => {
  test.each<[object, object]>([
    [{}, { pos_customer_id: "m", svc_customer_type: null, medical_id: null, dob: null, gender: null }],
    [{ consumerType: "AdultUse" }, { svc_customer_type: "rec" }],
    [{ consumerType: "MedicinalState" }, { svc_customer_type: "medical" }],
    [{ consumerType: "MedicinalThirdParty" }, { svc_customer_type: "medical" }],
    [{ consumerType: "Other", medical: true }, { svc_customer_type: "medical" }],
    [{ consumerType: "Other", medical: false }, { svc_customer_type: null }],
    [{ medical: false }, { svc_customer_type: "rec" }],
    [{ consumerType: "adult_use", medical: true }, { svc_customer_type: "rec" }],
    [{ dob: Date.parse("1959-02-03T00:00:00Z") }, { dob: "1959-02-03" }],
    [{ dob: "1980-02-03" }, { dob: "1980-02-03" }],
    [{ sex: "MALE" }, { gender: "Male" }],
    [{ sex: "OTHER" }, { gender: "Other" }],
    [
      {
        identifications: [
          { type: "Passport", licenseNumber: "P" },
          { type: "Drivers", licenseNumber: "D", expirationDate: at },
        ],
      },
      { drivers_license_id: "D", drivers_license_expiration_date: "2026-03-10", pos_identification_type: "drivers" },
    ],
    [
      { recommendations: [{ recommendationNumber: "R", expirationDate: at }] },
      { medical_id: "R", medical_id_expiration_date: "2026-03-10", pos_identification_type: "medical" },
    ],
    ...[
      [document("R1", "2024-05-01"), document("R2", "2027-05-01")],
      [document("R2", "2027-05-01"), document("R1", "2024-05-01"), document("R0", "2023-05-01")],
      [document("R1", "2024-05-01"), document("R2", "2027-05-01"), {}],
    ].map((documents): [object, object] => [
      {
        recommendations: documents.map(({ number, expirationDate }) => ({
          recommendationNumber: number,
          expirationDate,
        })),
        identifications: documents.map(({ number, expirationDate }, i) => ({
          ...{ type: i === 0 ? "Drivers" : "DriversLicense", licenseNumber: number, expirationDate },
        })),
      },
      {
        ...{ medical_id: "R2", medical_id_expiration_date: "2027-05-01" },
        ...{ drivers_license_id: "R2", drivers_license_expiration_date: "2027-05-01" },
      },
    ]),
    [
      { recommendations: [{ recommendationNumber: "R1", expirationDate: at }, { recommendationNumber: "R2" }] },
      { medical_id: "R2", medical_id_expiration_date: null },
    ],
    [
      {
        recommendations: [
          { recommendationNumber: "R1", expirationDate: 0 },
          { recommendationNumber: "R2", expirationDate: at },
        ],
      },
      { medical_id: "R1", medical_id_expiration_date: null },
    ],
    [{ modified: at }, { pos_updated_date: "2026-03-10T19:30:00.000Z" }],
    [{ modified: 0 }, { pos_updated_date: null }],
  ])("with %j is converted", (fields, expected) => {
    expect(customerRecord(member.parse({ id: "m", ...fields }))).toMatchObject(expected);
  });
});

describe("a product", () => {
  const record = (fields: object) =>
    productRecord(product.parse({ id: "p", name: "Gelato", ...fields }), new Map([["p", "10.123456"]]));

  test.each<[object, object]>([
    [{}, { name: "Gelato", unit_cost: 1012.3456, price: null, price_tiers: null }],
    [{ name: "" }, { name: "Product p" }],
    [{ unitPrice: 35, salesPrice: 0 }, { price: 3500 }],
    [{ unitPrice: 35, salesPrice: 30 }, { price: 3000 }],
    [{ category: "Flower" }, { pos_product_category_name: "Flower", medicated: null }],
    [{ category: { name: "Flower", cannabis: true } }, { svc_product_category_name: "flower", medicated: true }],
    ...["NON_CANNABIS", "Non-Cannabis"].map((cannabisType): [object, object] => [
      { category: { cannabis: true }, cannabisType },
      { medicated: false },
    ]),
    [{ category: { cannabis: true }, cannabisType: "Default" }, { medicated: true }],
    [{ category: { cannabis: false }, cannabisType: "CANNABIS" }, { medicated: true }],
    ...["CBD", "HEMP", "Unheard of"].map((cannabisType): [object, object] => [
      { category: { cannabis: true }, cannabisType },
      { medicated: null },
    ]),
    [{ brandName: "B" }, { pos_brand_name: "B" }],
    [{ brandName: "B", brand: { name: "C" } }, { pos_brand_name: "C" }],
    [{ weightPerUnit: "EIGHTH" }, { svc_net_weight_grams: 3.5 }],
    [{ weightPerUnit: "EACH" }, { svc_net_weight_grams: null }],
    [{ weightPerUnit: "CUSTOM_GRAMS", customWeight: 1, customGramType: "OUNCE" }, { svc_net_weight_grams: 28.3495 }],
    ...["Edibles", null].map((category): [object, object] => [
      { category, weightPerUnit: "CUSTOM_GRAMS", customWeight: 100, customGramType: "MILLIGRAM" },
      { svc_net_weight_grams: null },
    ]),
    [
      { category: "Vape", weightPerUnit: "CUSTOM_GRAMS", customWeight: 500, customGramType: "MILLIGRAM" },
      { svc_net_weight_grams: 0.5 },
    ],
    [{ weightPerUnit: "CUSTOM_GRAMS", customWeight: 100 }, { svc_net_weight_grams: null }],
    [{ flowerType: "Hybrid" }, { pos_strain_name: null }],
    [
      {
        unitPrice: 0,
        priceRanges: [{ price: 12, weightTolerance: { name: "Gram", unitValue: 1 } }],
        priceBreaks: [{ price: 20, quantity: 2, displayName: "Two" }, { price: 3 }],
      },
      {
        price: null,
        price_tiers: [
          { tier_name: "Gram", tier_price: 1200, pos_tier_type: "weight", pos_tier_type_condition_value: "1" },
          { tier_name: "Two", tier_price: 2000, pos_tier_type: "quantity", pos_tier_type_condition_value: "2" },
        ],
      },
    ],
  ])("with %j is converted", (fields, expected) => {
    expect(record(fields)).toMatchObject(expected);
  });

  test("has its quantities by inventory", () => {
    const rooms = new Map([["i", roomRecord({ id: "i", name: "Safe", modified: null })]]);
    const quantities = [
      { inventoryId: "i", quantity: 2.5 },
      { inventoryId: "j", quantity: 1 },
      { inventoryId: "k", quantity: 0 },
    ];
    expect(inventoryRecords(product.parse({ id: "p", name: "Gelato", quantities }), rooms)).toMatchObject([
      {
        pos_inventory_id: "p",
        total_quantity: 3.5,
        location_data: [
          { pos_location_id: "i", name: "Safe", quantity: 2.5 },
          { pos_location_id: "j", name: null, quantity: 1 },
        ],
      },
    ]);
  });

  test.each([undefined, null, [{ inventoryId: "i", quantity: 1 }, { inventoryId: "j" }]])(
    "is rejected if its quantities are incomplete: %j",
    (quantities) => {
      const rejected = { field: "quantities", reason: "no_quantity" };
      expect(inventoryRecords(product.parse({ id: "p", quantities }), new Map())).toEqual(rejected);
    },
  );
});

describe("a transaction", () => {
  const records = (fields: object, cart: object = {}) =>
    saleRecords(
      transaction.parse({
        id: "t",
        status: "Completed",
        transType: "Sale",
        completedTime: at,
        ...fields,
        cart: { totalCalcTax: 0, totalPreCalcTax: 0, ...cart },
      }),
    );

  test.each([
    { status: "Queued" },
    { status: "HOLD" },
    { status: "InProgress" },
    { status: "Queued", transType: "Layaway" },
    { transType: "Adjustment" },
    { transType: "TRANSFER" },
    { transType: "Transfer", status: "Parked" },
  ])("is no sale with %j", (fields) => {
    expect(records(fields)).toEqual([]);
  });

  test.each([
    ["status", { status: "Parked" }],
    ["status", { status: null }],
    ["status", { status: "Parked", transType: "Refund" }],
    ["transType", { transType: "Layaway" }],
    ["transType", { transType: null }],
    ["transType", { transType: "Layaway", deleted: true }],
  ])("is rejected if its %s is unknown, as in %j", (field, fields) => {
    expect(records(fields)).toEqual({ field, reason: "unknown_status" });
  });

  test("is rejected if it is unclear whether it is deleted", () => {
    const { error } = transaction.safeParse({ id: "t", deleted: "perhaps", cart: {} });
    expect(error?.issues).toMatchObject([{ path: ["deleted"], message: "unknown_status" }]);
  });

  test("is rejected without a date", () => {
    expect(records({ completedTime: 0 })).toEqual({ field: "completedTime", reason: "no_instant" });
  });

  test.each<[object, object]>([
    [{}, { tax_paid: 0, subtotal: 4000, taxes: [] }],
    [{ totalCalcTax: null }, { tax_paid: null, subtotal: null, taxes: [] }],
    [{ totalPreCalcTax: undefined }, { tax_paid: null, subtotal: null, taxes: [] }],
    [
      { totalCalcTax: null, totalPreCalcTax: 5 },
      { tax_paid: null, subtotal: null },
    ],
  ])("has a tax only if both of its parts are stated: %j", (taxes, expected) => {
    expect(records({}, { total: 40, ...taxes })).toMatchObject([{ total_paid: 4000, ...expected }]);
  });

  const item = { productId: "p", productName: "Gelato", quantity: 2, unitPrice: 20, status: "Active" };

  test.each<[object, object, object]>([
    [{ status: "COMPLETED" }, {}, { transaction_type: "sale", date: "2026-03-10T19:30:00.000Z" }],
    [{ completedTime: 0, endTime: at + 1 }, {}, { date: "2026-03-10T19:30:00.001Z" }],
    [{ deleted: true }, { total: 5 }, { transaction_type: "adjustment", total_paid: 0 }],
    [{ deleted: true, status: "Canceled" }, { total: 5 }, { transaction_type: "adjustment", total_paid: 0 }],
    [{ status: "CANCELED" }, { total: 5 }, { transaction_type: "adjustment", total_paid: 0 }],
    [{ transType: "SALE" }, { total: 5 }, { transaction_type: "sale", total_paid: 500 }],
    [{ transType: "refund" }, { total: 5 }, { transaction_type: "return", total_paid: -500 }],
    [{ transType: "Refund" }, { refundOption: "Void", total: 5 }, { transaction_type: "return", total_paid: -500 }],
    [{}, { refundOption: "Void", total: 5 }, { transaction_type: "adjustment", total_paid: 0 }],
    [
      {},
      {
        total: 50.4,
        totalDiscount: 4,
        totalCalcTax: 5.4,
        deliveryFee: 5,
        creditCardFee: 1,
        totalFees: 7,
        tipAmount: 2,
        roundAmt: -0.1,
        taxResult: { totalCityTax: 1.4, totalStateTax: 4 },
      },
      {
        subtotal: 3610,
        total_discounts: 400,
        tax_paid: 540,
        total_paid: 5040,
        discounts: [{ flat_amount: 400, pct_amount: null, name: null }],
        taxes: [
          { flat_amount: 140, name: "City" },
          { flat_amount: 400, name: "State" },
        ],
        fees: [
          { fee_name: "Delivery", flat_amount: 500 },
          { fee_name: "Credit card", flat_amount: 100 },
          { fee_name: "Other", flat_amount: 100 },
          { fee_name: "Tip", flat_amount: 200 },
          { fee_name: "Rounding", flat_amount: -10 },
        ],
      },
    ],
    [
      {},
      { total: 40, totalCalcTax: 1, totalPreCalcTax: 4, taxResult: { totalCityTax: 77 } },
      { subtotal: 3500, tax_paid: 500, taxes: [{ flat_amount: 500, name: null }] },
    ],
    [
      {},
      {
        totalDiscount: 6,
        items: [{ ...item, calcDiscount: 4, discount: 10, discountType: "Percentage", overridePrice: 18 }],
      },
      {
        total_discounts: 600,
        discounts: [{ flat_amount: 200 }],
        line_items: [
          {
            num_units: 2,
            price_per_unit: 1800,
            product_name: "Gelato",
            line_item_discounts: [{ flat_amount: 400, pct_amount: 0.1 }],
          },
        ],
      },
    ],
    [
      { transType: "Refund" },
      { total: 41.4, totalCalcTax: 5.4, refundAmount: 41.4, paymentOption: "Cash", items: [item] },
      {
        transaction_type: "return",
        subtotal: -3600,
        tax_paid: -540,
        total_paid: -4140,
        payments: [{ type: "cash", amount_paid: -4140 }],
        line_items: [{ num_units: -2 }],
      },
    ],
    [
      { transType: "RefundWithInventory" },
      {
        total: 82.8,
        totalCalcTax: 10.8,
        refundAmount: -41.4,
        finalRefundAmt: 0,
        items: [item, { ...item, status: "Refunded", quantity: 1 }],
      },
      {
        transaction_type: "return",
        subtotal: null,
        tax_paid: null,
        total_paid: -4140,
        taxes: [],
        line_items: [{ num_units: -1 }],
      },
    ],
    ...[41.4, -41.4].map((refundAmount): [object, object, object] => [
      { transType: "Refund" },
      {
        ...{ subTotal: 40, total: 41.4, totalCalcTax: 5.4, deliveryFee: 1, appliedAfterTaxDiscount: 5 },
        ...{ refundAmount, paymentOption: "Cash", items: [item] },
      },
      {
        ...{ subtotal: -4000, tax_paid: -540, total_paid: -4140 },
        fees: [
          { fee_name: "Delivery", flat_amount: -100 },
          { fee_name: "Discount after tax", flat_amount: 500 },
        ],
        payments: [{ type: "cash", amount_paid: -4140 }],
      },
    ]),
    [{}, { total: 10, paymentOption: "CashlessATM" }, { payments: [{ type: "debit", amount_paid: 1000 }] }],
    [{}, { total: 10, paymentOption: "None" }, { payments: [] }],
    [{}, { total: 10 }, { payments: [{ type: "unknown", amount_paid: 1000 }] }],
    [
      {},
      { total: 10, paymentOption: "Split", splitPayment: { cashAmt: 4, creditDebitAmt: 6, checkAmt: 0 } },
      {
        payments: [
          { type: "cash", amount_paid: 400 },
          { type: "credit", amount_paid: 600 },
        ],
      },
    ],
    ...[
      { refundAmount: 4, payments: [{ type: "multiple", amount_paid: -400 }] },
      {
        refundAmount: 10,
        payments: [
          { type: "cash", amount_paid: -400 },
          { type: "credit", amount_paid: -600 },
        ],
      },
    ].map(({ refundAmount, payments }): [object, object, object] => [
      { transType: "Refund" },
      { total: 10, refundAmount, paymentOption: "Split", splitPayment: { cashAmt: 4, creditDebitAmt: 6 } },
      { total_paid: -100 * refundAmount, payments },
    ]),
    [
      { sellerId: "", memberId: "m" },
      { consumerType: "AdultUse" },
      { employee_id: null, customer: { pos_customer_id: "m", type: "rec" } },
    ],
  ])("with %j and a cart %j is converted", (fields, cart, expected) => {
    expect(records(fields, cart)).toMatchObject([expected]);
  });

  const fee = (fee_name: string, flat_amount: number) => ({ fee_name, flat_amount, included_in_subtotal: false });

  test.each<[string, object, object]>([
    [
      "has a discount after tax below its total",
      { subTotal: 40, totalCalcTax: 6, total: 41, afterTaxDiscount: 5, appliedAfterTaxDiscount: 5 },
      { subtotal: 4000, fees: [fee("Discount after tax", -500)] },
    ],
    [
      "has a discount after tax that its total does not contain",
      { subTotal: 40, totalCalcTax: 6, total: 46, appliedAfterTaxDiscount: 5 },
      { subtotal: 4000, fees: [] },
    ],
    [
      "has a discount of the delivery",
      { subTotal: 40, totalCalcTax: 6, total: 52, enableDeliveryFee: true, deliveryFee: 10, deliveryDiscount: 4 },
      { subtotal: 4000, fees: [fee("Delivery", 1000), fee("Delivery discount", -400)] },
    ],
    [
      "has a discount of the delivery in percent",
      {
        ...{ subTotal: 40, totalCalcTax: 6, total: 53.5, enableDeliveryFee: true, deliveryFee: 10 },
        ...{ deliveryDiscount: 25, deliveryDiscountType: "Percentage" },
      },
      { subtotal: 4000, fees: [fee("Delivery", 1000), fee("Delivery discount", -250)] },
    ],
    [
      "has fees that are switched off",
      {
        ...{ subTotal: 40, totalCalcTax: 6, total: 46, enableDeliveryFee: false, deliveryFee: 10, deliveryDiscount: 4 },
        ...{ enableCreditCardFee: "false", creditCardFee: 3 },
      },
      { subtotal: 4000, fees: [] },
    ],
    [
      "has a fee that is switched off but in its total",
      { subTotal: 40, totalCalcTax: 6, total: 49, enableCreditCardFee: false, creditCardFee: 3 },
      { subtotal: 4000, fees: [fee("Credit card", 300)] },
    ],
    [
      "has a tip that is not in its total",
      { subTotal: 40, totalCalcTax: 6, total: 46, tipAmount: 2 },
      { subtotal: 4000, fees: [] },
    ],
    [
      "has a subtotal before its own discount",
      { subTotal: 36, totalDiscount: 6, calcCartDiscount: 2, subTotalDiscount: 34, total: 39.1, totalCalcTax: 5.1 },
      { subtotal: 3400, total_discounts: 600 },
    ],
    [
      "has a subtotal with the tax inside prices",
      { subTotal: 40, total: 41, totalCalcTax: 1, totalPreCalcTax: 4, creditCardFee: 0, tipAmount: 0 },
      { subtotal: 3600, tax_paid: 500, fees: [] },
    ],
    [
      "has a subtotal that fits no reading",
      { subTotal: 77, totalCalcTax: 6, total: 48, tipAmount: 2 },
      { subtotal: 4000, fees: [fee("Tip", 200)] },
    ],
    [
      "is not fully paid",
      { subTotal: 40, total: 40, balanceDue: 15, paymentOption: "Cash" },
      { total_paid: 4000, payments: [{ type: "cash", amount_paid: 2500 }] },
    ],
  ])("whose cart %s has the cart's subtotal", (_, cart, expected) => {
    expect(records({}, cart)).toMatchObject([expected]);
  });

  const promotions = (...names: (string | null)[]) =>
    names.map((name, at) => ({ promotionId: `p${at}`, name, amount: 2 }));
  const discounted = { ...item, calcDiscount: 4 };

  test.each<[string, object, (string | null)[], (string | null)[]]>([
    [
      "an item's promotion",
      { totalDiscount: 4, items: [{ ...discounted, promotionReqs: promotions("Ten") }] },
      ["Ten"],
      [],
    ],
    ["no promotion", { totalDiscount: 4, items: [discounted] }, [null], []],
    ["several promotions", { items: [{ ...discounted, promotionReqs: promotions("Ten", "Two") }] }, [null], []],
    ["a coupon", { items: [{ ...discounted, promotionReqs: [{ promotionId: "p", couponCode: "TEN" }] }] }, ["TEN"], []],
    ["a cart's promotions", { totalDiscount: 4, promotionReqLogs: promotions("Ten", null) }, [], ["Ten", null]],
    [
      "one of a cart's promotions",
      { totalDiscount: 2, promotionReqLogs: [...promotions("Ten"), { name: "B", amount: 1 }] },
      [],
      ["Ten"],
    ],
    [
      "the rest of a cart's promotions",
      {
        ...{ totalDiscount: 6, items: [{ ...discounted, promotionReqs: [{ promotionId: "p0", name: "Ten" }] }] },
        promotionReqLogs: promotions("Ten", "Two"),
      },
      ["Ten"],
      ["Two"],
    ],
    ["promotions of another amount", { totalDiscount: 3, promotionReqLogs: promotions("Ten", "Two") }, [], [null]],
    ["a code", { totalDiscount: 3, promoCode: "CODE" }, [], ["CODE"]],
  ])("has discounts with the name of %s", (_, cart, ofLines, ofSale) => {
    const [sale] = [records({}, cart)].flat();
    if (!sale || "reason" in sale) throw new Error("rejected");
    const names = (parts: readonly { name: string | null }[]) => parts.map(({ name }) => name);
    expect(names(sale.line_items.flatMap(({ line_item_discounts }) => line_item_discounts))).toEqual(ofLines);
    expect(names(sale.discounts)).toEqual(ofSale);
  });
});
