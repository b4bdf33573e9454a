import { describe, expect, test } from "vitest";
import { retailSale, sale, wholesaleSale } from "../../../../shared/api/schemas/sale.ts";
import { discount, fee, lineItem, payment, saleCustomer, tax } from "../../../../shared/api/schemas/saleParts.ts";
import { testRecordRules } from "./recordRules.ts";
import { badDateTimes, badIds, badLocalDateTimes, dateTime, id, localDateTime, otherId } from "./values.ts";

const deduction = { flat_amount: -400, pct_amount: 0.1, name: "Loyalty" };
const delivery = { fee_name: "Delivery", percent_amount: 0.02, flat_amount: 550, included_in_subtotal: false };
const line = {
  product_id: id,
  pos_product_id: "1",
  product_name: "Haze",
  num_units: -1.5,
  price_per_unit: 1200.25,
  grams: 3.5,
  product_type: "flower",
  cannabis_product: true,
  line_item_discounts: [deduction],
  line_item_taxes: [deduction],
  line_item_fees: [delivery],
};
const buyer = {
  customer_id: id,
  pos_customer_id: "7",
  type: "medical",
  dob: "1988-09-14",
  id_type: "medical_with_state_card",
  id_expiration_date: "2029-09-14",
};
const invoice = { id: "INV-1", pos_customer_id: "7", memo: "Note", open_balance: 0.5, total: 4140 };
const content = {
  id,
  pos_sale_id: "1",
  crb_id: otherId,
  subtotal: -3600,
  total_discounts: -400.5,
  tax_paid: 540,
  total_paid: 4140,
  date: dateTime,
  local_date: localDateTime,
  svc_created_date: dateTime,
  svc_updated_date: dateTime,
  transaction_type: "return",
  pos_name: "Dutchie",
  employee_id: "5",
  line_items: [line],
  discounts: [deduction],
  taxes: [deduction],
  payments: [{ type: "ach", amount_paid: -4140 }],
  customer: buyer,
  fees: [delivery],
};
const retail = {
  ...content,
  type: "retail",
  compliance_status: "svc_checked",
  compliance_exceptions: ["Above the daily limit"],
  compliance_warnings: [],
};
const wholesale = { ...content, type: "wholesale", invoice };

const nullable = [
  "pos_sale_id",
  "subtotal",
  "total_discounts",
  "tax_paid",
  "total_paid",
  "transaction_type",
  "employee_id",
];
const rejected = {
  id: badIds,
  date: badDateTimes,
  local_date: badLocalDateTimes,
  transaction_type: ["void", "Sale"],
  pos_name: ["dutchie"],
  subtotal: ["3600", Number.NaN],
  line_items: [[null], {}],
  payments: [[{ type: "ach" }]],
};

// Parsed by `sale`, so that the tests include its choice between the two schemas by `type`.
describe("RetailSale", () => {
  testRecordRules({
    schema: sale,
    record: retail,
    nullable: [...nullable, "compliance_status", "compliance_exceptions", "compliance_warnings"],
    optional: ["employee_id"],
    rejected: {
      ...rejected,
      type: ["wholesale", "other"],
      compliance_status: ["checked"],
      compliance_warnings: [[null]],
    },
  });

  test("has no invoice", () => {
    expect(retailSale.safeParse({ ...retail, invoice }).success).toBe(false);
  });
});

describe("WholesaleSale", () => {
  testRecordRules({
    schema: sale,
    record: wholesale,
    nullable: [...nullable, "customer"],
    optional: ["employee_id"],
    rejected: { ...rejected, type: ["retail", "other"] },
  });

  test("has no compliance fields", () => {
    expect(wholesaleSale.safeParse({ ...wholesale, compliance_status: null }).success).toBe(false);
  });
});

describe("invoice", () =>
  testRecordRules({ schema: wholesaleSale.shape.invoice, record: invoice, nullable: Object.keys(invoice) }));

describe("LineItem", () =>
  testRecordRules({
    schema: lineItem,
    record: line,
    nullable: Object.keys(line).filter((field) => !field.startsWith("line_item_")),
    rejected: { product_id: badIds, product_type: ["Flower"], num_units: ["1"] },
  }));

describe.each([
  ["Discount", discount],
  ["Tax", tax],
])("%s", (_, schema) => testRecordRules({ schema, record: deduction, nullable: Object.keys(deduction) }));

describe("Fee", () => testRecordRules({ schema: fee, record: delivery, nullable: Object.keys(delivery) }));

describe("Payment", () =>
  testRecordRules({
    schema: payment,
    record: { type: "unknown", amount_paid: -0.5 },
    nullable: [],
    rejected: { type: ["Cash", "gift"], amount_paid: ["1"] },
  }));

describe("SaleCustomer", () =>
  testRecordRules({
    schema: saleCustomer,
    record: buyer,
    nullable: Object.keys(buyer),
    rejected: {
      customer_id: badIds,
      type: ["recreational"],
      dob: ["1988-9-14", "1988-02-30", dateTime],
      id_type: ["id"],
    },
  }));
