import { expect, test } from "vitest";
import { transaction as blazeTransaction } from "../../../shared/pos/connectors/blaze/responses.ts";
import { saleRecords as blazeSales } from "../../../shared/pos/connectors/blaze/sales.ts";
import { salesOrder } from "../../../shared/pos/connectors/canix/responses.ts";
import { saleRecords as canixSales } from "../../../shared/pos/connectors/canix/sales.ts";
import { invoice as covaInvoice } from "../../../shared/pos/connectors/cova/responses.ts";
import { saleRecords as covaSales } from "../../../shared/pos/connectors/cova/sales.ts";
import { transaction } from "../../../shared/pos/connectors/dutchie/responses.ts";
import { saleRecords as dutchieSales } from "../../../shared/pos/connectors/dutchie/sales.ts";
import { saleRecords as flourishSales } from "../../../shared/pos/connectors/flourish/records.ts";
import { order as flourishOrder, retailOrder } from "../../../shared/pos/connectors/flourish/responses.ts";
import { retailSaleRecords } from "../../../shared/pos/connectors/flourish/retail.ts";
import { order } from "../../../shared/pos/connectors/flowhub/responses.ts";
import { saleRecord as flowhubSale } from "../../../shared/pos/connectors/flowhub/sales.ts";
import { invoice } from "../../../shared/pos/connectors/intacct/responses.ts";
import { invoiceRecords } from "../../../shared/pos/connectors/intacct/sales.ts";
import { order as meadowOrder } from "../../../shared/pos/connectors/meadow/responses.ts";
import { saleRecords as meadowSales } from "../../../shared/pos/connectors/meadow/sales.ts";
import { sale as posabitSale } from "../../../shared/pos/connectors/posabit/responses.ts";
import { saleRecords as posabitSales } from "../../../shared/pos/connectors/posabit/sales.ts";
import { ticket } from "../../../shared/pos/connectors/treez/responses.ts";
import { saleRecords as treezSales } from "../../../shared/pos/connectors/treez/sales.ts";

// The same sale in the form of each POS: 2 units at 20.00, 4.00 discount, 15 % tax.
const expected = {
  transaction_type: "sale",
  subtotal: 3600,
  total_discounts: 400,
  tax_paid: 540,
  total_paid: 4140,
  line_items: [{ num_units: 2, price_per_unit: 2000 }],
  payments: [{ type: "cash", amount_paid: 4140 }],
  fees: [],
};

const unknownPayment = [{ type: "unknown", amount_paid: 4140 }];

test("a sale from Blaze has the expected amounts", () => {
  const row = blazeTransaction.parse({
    id: "1",
    status: "Completed",
    transType: "Sale",
    completedTime: Date.parse("2026-03-10T19:30:00Z"),
    cart: {
      subTotal: 40,
      totalDiscount: 4,
      totalCalcTax: 5.4,
      total: 41.4,
      paymentOption: "Cash",
      items: [{ productId: "9", quantity: 2, unitPrice: 20, calcDiscount: 4 }],
    },
  });
  expect(blazeSales(row)).toMatchObject([expected]);
});

test.each([
  ["is before its discount", 40, 4],
  ["is after its discount", 36, 4],
  ["is that of discounted lines", 36, 0],
])("a sale from Canix has the expected amounts if its subtotal %s", (_, subtotal, discount) => {
  const off = discount ? null : { type: "fixed", amount: 4 };
  const row = salesOrder.parse({
    id: 1,
    status: "shipped",
    delivery_date: "2026-03-10T19:30:00Z",
    ...{ subtotal, discount, state_tax_rate: 0.15, total_price: 41.4, total_paid: 41.4 },
    contents: [{ item: { id: 9 }, weight: 2, unit_price: 20, total_price: 40, discount: off }],
  });
  expect(canixSales(row, "America/Denver")).toMatchObject([{ ...expected, payments: unknownPayment }]);
});

test.each([
  ["of units", 18, 20],
  ["of lines", 36, 40],
])("a sale from Cova has the expected amounts if its prices are %s", (_, SoldAtPrice, ListPrice) => {
  const row = covaInvoice.parse({
    ...{ Id: "1", Type: "Sale", CreatedDateUtc: "2026-03-10T19:30:00Z", ChangeDue: 3.6 },
    Products: [{ ProductId: "9", Quantity: 2, SoldAtPrice, ListPrice }],
    Taxes: [{ TaxAmount: 5.4 }],
    Payments: [{ PaymentType: "Cash", Amount: 45 }],
  });
  expect(covaSales(row)).toMatchObject([expected]);
});

test("a retail sale from Flourish has the expected amounts", () => {
  const row = retailOrder.parse({
    ...{ id: "1", order_status: "Completed", completed_timestamp: "2026-03-10T19:30:00Z" },
    ...{ sub_total_price: 36, total_discounts: 4, taxes: 5.4, total_price: 41.4, total_paid: 41.4 },
    order_lines: [{ item_id: "9", order_qty: 2, unit_price: 20, discount_price: 4 }],
    transactions: [{ amount: 41.4, payment_type: "Cash", is_successful: true }],
  });
  expect(retailSaleRecords(row)).toMatchObject([expected]);
});

test("a sale from Flourish has the expected amounts", () => {
  const row = flourishOrder.parse({
    id: "1",
    order_status: "Shipped",
    shipped_timestamp: "2026-03-10T19:30:00Z",
    ...{ sub_total_price: 36, total_discounts: 4, taxes: 5.4, total_price: 41.4, total_paid: "41.4" },
    order_lines: [{ item_id: "9", order_qty: 2, unit_price: 20, discount_price: 4 }],
  });
  expect(flourishSales(row)).toMatchObject([{ ...expected, payments: unknownPayment }]);
});

test("a sale from Dutchie has the expected amounts", () => {
  const row = transaction.parse({
    transactionId: 1,
    transactionDate: "2026-03-10T19:30:00Z",
    totalBeforeTax: 36,
    subtotal: 40,
    totalDiscount: 4,
    tax: 5.4,
    total: 41.4,
    paid: 45,
    cashPaid: 45,
    changeDue: 3.6,
    items: [{ transactionItemId: 1, productId: 9, unitPrice: 20, quantity: 2 }],
  });
  const context = { businessType: "retail", timezone: "America/Denver", locationId: "7" } as const;
  expect(dutchieSales(row, context)).toMatchObject([expected]);
});

test.each([
  ["after discounts", 36],
  ["before discounts", 40],
])("a sale from Flowhub has the expected amounts with its subtotal %s", (_, SubTotal) => {
  const row = order.parse({
    id: "1",
    orderStatus: "sold",
    completedOn: "2026-03-10T19:30:00Z",
    totals: { SubTotal, TotalDiscounts: 4, TotalTaxes: 5.4, TotalFees: 0, FinalTotal: 41.4 },
    itemsInCart: [{ productId: "9", unitPrice: 20, totalPrice: 40, quantity: 2 }],
    payments: [{ paymentType: "cash", amount: 41.4 }],
  });
  expect(flowhubSale(row, "dollars")).toMatchObject(expected);
});

test("a sale from Intacct has the expected amounts", () => {
  const row = invoice.parse({
    ...{ RECORDNO: "1", STATE: "Paid", WHENCREATED: "03/10/2026", TOTALENTERED: "41.40", TOTALPAID: "41.4" },
    lines: [
      { RECORDKEY: "1", ITEMID: "9", AMOUNT: "40" },
      { RECORDKEY: "1", ITEMID: "OFF", AMOUNT: "-4" },
      { RECORDKEY: "1", ITEMID: "TAX", AMOUNT: "5.4" },
    ],
    entries: [{ DOCNO: "1", ITEMID: "9", QUANTITY: "2", PRICE: "20", TOTAL: "40" }],
  });
  expect(invoiceRecords(row, "America/Denver")).toMatchObject([{ ...expected, payments: unknownPayment }]);
});

test("a sale from Meadow has the expected amounts", () => {
  const row = meadowOrder.parse({
    id: "1",
    status: "fulfilled",
    fulfilledAt: "2026-03-10T19:30:00Z",
    totalPrice: 4140,
    netPrice: 4140,
    customerGrandTotal: 4140,
    taxes: [{ description: "Sales tax", rate: "15", amount: 540 }],
    payments: [{ name: "Cash", amount: 4140, finalAmount: 4140 }],
    lineItems: [{ optionId: 9, quantity: 2, unitPrice: 2000, discounts: [{ type: "flat", amountUsed: 400 }] }],
  });
  expect(meadowSales(row, new Map())).toMatchObject([expected]);
});

test.each([
  ["after discounts", 3600],
  ["before discounts", 4000],
  ["after discounts, with tax", 4140],
  ["before discounts, with tax", 4540],
])("a sale from POSaBIT has the expected amounts with its subtotals %s", (_, sub_total) => {
  const amounts = { sub_total, discount: 400, tax: 540, total: 4140 };
  const row = posabitSale.parse({
    id: 1,
    ordered_at: "2026-03-10T19:30:00.000Z",
    status: "completed",
    ...amounts,
    items: [{ product_id: 9, quantity: 2, ...amounts }],
    sales_tenders: [{ payment_method_name: "Cash", total: 4140 }],
  });
  expect(posabitSales(row, "America/Denver")).toMatchObject([expected]);
});

test("a sale from Treez has the expected amounts, with a fee", () => {
  const row = ticket.parse({
    ticket_id: "1",
    order_status: "COMPLETED",
    date_closed: "2026-03-10T12:30:00.000-07:00",
    sub_total: 36,
    discount_total: -4,
    tax_total: 5.4,
    total: 46.9,
    fees: [{ type: "DELIVERY", total_amount: 5.5 }],
    payments: [{ payment_method: "CREDIT", amount_paid: 46.9 }],
    items: [{ product_id: "9", quantity: 2, price_sell: 36, discounts: [{ savings: 4 }] }],
  });
  expect(treezSales(row)).toMatchObject([
    {
      ...expected,
      total_paid: 4690,
      payments: [{ type: "credit", amount_paid: 4690 }],
      fees: [{ fee_name: "DELIVERY", percent_amount: null, flat_amount: 550, included_in_subtotal: false }],
    },
  ]);
});
