import { describe, expect, test } from "vitest";
import { customerRecord, locationRecord, productRecord } from "../../../../../shared/pos/connectors/intacct/records.ts";
import {
  adjustment,
  customer,
  definition,
  invoice,
  item,
  location,
  response,
} from "../../../../../shared/pos/connectors/intacct/responses.ts";
import { adjustmentRecords, invoiceRecords } from "../../../../../shared/pos/connectors/intacct/sales.ts";

test("a customer is a company", () => {
  const row = customer.parse({
    CUSTOMERID: "C-1",
    NAME: "Greenway",
    "DISPLAYCONTACT.EMAIL1": "buyer@example.com",
    "DISPLAYCONTACT.PHONE1": "303 555 0101",
    "DISPLAYCONTACT.MAILADDRESS.ADDRESS1": "1 Pearl",
    "DISPLAYCONTACT.MAILADDRESS.ADDRESS2": "",
    "DISPLAYCONTACT.MAILADDRESS.CITY": "Boulder",
    "DISPLAYCONTACT.MAILADDRESS.STATE": "CO",
    "DISPLAYCONTACT.MAILADDRESS.ZIP": "80302",
    WHENMODIFIED: "03/10/2026 19:30:00",
  });
  expect(customerRecord(row)).toMatchObject({
    pos_customer_id: "C-1",
    first_name: null,
    last_name: "Greenway",
    email_address: "buyer@example.com",
    phone: "303 555 0101",
    address_1: "1 Pearl",
    address_2: null,
    city: "Boulder",
    state: "CO",
    zip_code: "80302",
    pos_updated_date: "2026-03-10T19:30:00.000Z",
  });
});

test.each<[object, object]>([
  [{}, { name: "Item I-1", price: null, unit_cost: null, medicated: null, sku: null }],
  [
    { NAME: "Gelato", PRODUCTLINEID: "Flower", UPC: "012", BASEPRICE: "21.585", STANDARD_COST: "1.00512" },
    {
      name: "Gelato",
      svc_product_category_name: "flower",
      medicated: true,
      sku: "012",
      price: 2159,
      unit_cost: 100.512,
    },
  ],
  [{ PRODUCTLINEID: "Apparel" }, { pos_product_category_name: "Apparel", medicated: false }],
  [{ BASEPRICE: "-1" }, { price: null }],
])("an item %j is converted", (fields, expected) => {
  expect(productRecord(item.parse({ ITEMID: "I-1", ...fields }))).toMatchObject({ pos_product_id: "I-1", ...expected });
});

test("a location has another id than a warehouse", () => {
  expect(locationRecord(location.parse({ LOCATIONID: "7" }))).toMatchObject({
    pos_location_id: "location-7",
    name: "Location 7",
  });
});

describe("invoices", () => {
  const records = (fields: object) =>
    invoiceRecords(
      invoice.parse({ RECORDNO: "1", STATE: "Posted", WHENCREATED: "03/10/2026", TOTALENTERED: "41.4", ...fields }),
      "America/Denver",
    );

  test("have paid and open amounts", () => {
    const fields = {
      RECORDID: "INV-7",
      CUSTOMERID: "C-1",
      TOTALPAID: "20.005",
      TOTALDUE: "21.4",
      DESCRIPTION: "thanks",
    };
    const lines = [{ RECORDKEY: "1", ITEMID: "I-1", ITEMNAME: "Gelato" }];
    expect(records({ ...fields, lines })).toMatchObject([
      {
        pos_sale_id: "1",
        transaction_type: "sale",
        date: "2026-03-10T06:00:00.000Z",
        subtotal: null,
        total_discounts: null,
        tax_paid: null,
        total_paid: 4140,
        payments: [{ type: "unknown", amount_paid: 2001 }],
        line_items: [{ pos_product_id: "I-1", product_name: "Gelato", num_units: null, price_per_unit: null }],
        customer: { pos_customer_id: "C-1" },
        invoice: { id: "INV-7", pos_customer_id: "C-1", memo: "thanks", open_balance: 2140, total: 4140 },
      },
    ]);
  });

  const line = (ITEMID: string, AMOUNT: string | null, ITEMNAME = ITEMID) => ({
    RECORDKEY: "1",
    ITEMID,
    ITEMNAME,
    AMOUNT,
  });
  const entry = (ITEMID: string, QUANTITY: string, PRICE: string, TOTAL: string, UNIT = "Each") => ({
    ...{ DOCNO: "INV-7", ITEMID, ITEMNAME: ITEMID, QUANTITY, UNIT, PRICE, TOTAL },
  });
  const unknown = { subtotal: null, total_discounts: null, tax_paid: null };

  test.each<[string, object[], object]>([
    [
      "and a tax",
      [line("I-1", "36"), line("TAX", "5.40", "State tax")],
      {
        ...{ subtotal: 3600, total_discounts: 0, tax_paid: 540, discounts: [] },
        line_items: [{ pos_product_id: "I-1", num_units: null, price_per_unit: null }],
        taxes: [{ flat_amount: 540, pct_amount: null, name: "State tax" }],
      },
    ],
    [
      "a discount, and taxes",
      [line("I-1", "40"), line("OFF", "-4", "Volume"), line("T1", "5", "Excise Tax (CA)"), line("TAXES-LOCAL", ".4")],
      {
        ...{ subtotal: 3600, total_discounts: 400, tax_paid: 540, discounts: [{ flat_amount: 400, name: "Volume" }] },
        taxes: [{ name: "Excise Tax (CA)" }, { name: "TAXES-LOCAL" }],
      },
    ],
    // A tax may be in the price, or in no line.
    ["without a tax", [line("I-1", "41.4")], { ...unknown, taxes: [] }],
    ["that do not add up", [line("I-1", "40"), line("TAX", "5.40")], { ...unknown, taxes: [{ flat_amount: 540 }] }],
    [
      "without amounts",
      [line("I-1", null), line("TAX", null)],
      { ...unknown, line_items: [{ pos_product_id: "I-1" }] },
    ],
    [
      "named like a tax",
      [line("I-1", "1", "Tax-free lighter"), line("I-2", "2", "Syntax T-shirt"), line("I-3", "3", "tax exempt bag")],
      { ...unknown, taxes: [], line_items: [{}, {}, {}] },
    ],
    ...[
      ...["Non-Tax Flower 1 lb", "No tax flower", "Pre-tax bulk flower", "Exempt from tax", "Flower (tax included)"],
      ...["Flower, taxes incl.", "Sales not subject to tax", "Tax preparation service"],
    ].map((name): [string, object[], object] => [
      `named ${name}`,
      [line("I-1", "4000", name), line("TAX", "5.40")],
      { ...unknown, taxes: [{ flat_amount: 540 }], line_items: [{ product_name: name }] },
    ]),
    [
      "named as a product and a tax",
      [line("I-1", "36", "Tax_free bag"), line("T-2", "5.40", "Cannabis Excise Tax (CO) 15%")],
      { subtotal: 3600, tax_paid: 540, line_items: [{ product_name: "Tax_free bag" }] },
    ],
  ])("with lines %s are converted", (_, lines, expected) => {
    expect(records({ lines })).toMatchObject([expected]);
  });

  test.each<[string, object[], object[]]>([
    [
      "in pieces",
      [entry("I-1", "2", "18", "36")],
      [{ pos_product_id: "I-1", num_units: 2, price_per_unit: 1800, grams: null }],
    ],
    ["by weight", [entry("I-1", "1", "36", "36", "Ounce")], [{ num_units: 1, price_per_unit: 3600, grams: 28.3495 }]],
    [
      "in other lines",
      [entry("I-1", "1", "16", "16"), entry("I-2", "4", "5", "20")],
      [{ pos_product_id: "I-1" }, { pos_product_id: "I-2", num_units: 4 }],
    ],
    ["at a price before a discount", [entry("I-1", "2", "20", "36")], [{ num_units: 2, price_per_unit: null }]],
    // Another document with the number of the invoice.
    ["of another amount", [entry("I-1", "2", "20", "40")], [{ pos_product_id: "I-1", num_units: null }]],
    ["twice", [entry("I-1", "2", "18", "36"), entry("I-1", "2", "18", "36")], [{ num_units: null }]],
    ["of no amount", [entry("I-1", "0", "0", "0")], [{ num_units: null }]],
  ])("have the units and prices of Order Entry, %s", (_, entries, line_items) => {
    const lines = [line("I-1", "36"), line("TAX", "5.40")];
    expect(records({ lines, entries })).toMatchObject([{ subtotal: 3600, tax_paid: 540, line_items }]);
  });

  test.each(["Posted", "Paid", "Partially Paid", "Partially  Paid", "PAID", "No Value"])(
    "that are %s are sales",
    (STATE) => {
      expect(records({ STATE })).toMatchObject([{ transaction_type: "sale" }]);
    },
  );

  test.each(["Draft", "Submitted", "Partially Approved", "Reversal"])("that are %s are not sales", (STATE) => {
    expect(records({ STATE })).toEqual([]);
  });

  test.each(["Teleported", "A", "", null])("in state %j may be sales, and are rejected", (STATE) => {
    expect(records({ STATE })).toEqual({ field: "STATE", reason: "unknown_status" });
  });

  test.each(["Reversed", "Voided"])("that are %s are voided", (STATE) => {
    const lines = [{ RECORDKEY: "1" }];
    expect(records({ STATE, TOTALPAID: "41.4", lines })).toMatchObject([
      { transaction_type: "adjustment", total_paid: 0, payments: [], line_items: [], invoice: { total: 0 } },
    ]);
  });

  test.each<[object, number]>([
    [{ CURRENCY: "USD", BASECURR: "usd" }, 1],
    [{}, 1],
    [{ CURRENCY: "", BASECURR: null }, 1],
    [{ CURRENCY: "CAD", BASECURR: "USD" }, 0],
    [{ CURRENCY: "USD", BASECURR: "CAD" }, 0],
  ])("in %j are stored %i times", (fields, times) => {
    expect(records(fields)).toHaveLength(times);
  });

  test.each([null, "", "yesterday", "13/40/2026"])("of %j are rejected", (WHENCREATED) => {
    expect(records({ WHENCREATED })).toEqual({ field: "WHENCREATED", reason: "no_instant" });
  });
});

describe("adjustments", () => {
  const records = (fields: object) =>
    adjustmentRecords(
      adjustment.parse({ RECORDNO: "1", STATE: "Posted", WHENCREATED: "03/10/2026", ...fields }),
      "America/Denver",
    );

  test.each<[object, object]>([
    [
      { TOTALENTERED: "-4.9", TOTALPAID: "0", TOTALDUE: "-4.9" },
      {
        transaction_type: "return",
        total_paid: -490,
        payments: [{ type: "other", amount_paid: -490 }],
        invoice: { total: -490, open_balance: 0 },
      },
    ],
    [
      { TOTALENTERED: "4.9", TOTALPAID: "4", TOTALDUE: "0.9" },
      {
        transaction_type: "adjustment",
        total_paid: 490,
        payments: [{ type: "unknown", amount_paid: 400 }],
        invoice: { total: 490, open_balance: 90 },
      },
    ],
    [
      { STATE: "Reversed", TOTALENTERED: "-4.9" },
      { transaction_type: "adjustment", total_paid: 0, payments: [] },
    ],
  ])("with %j are converted", (fields, expected) => {
    expect(records(fields)).toMatchObject([{ pos_sale_id: "adjustment-1", ...expected }]);
  });

  test("that are drafts are not sales, and those of an unknown state are rejected", () => {
    expect(records({ STATE: "Draft", TOTALENTERED: "-4.9" })).toEqual([]);
    expect(records({ STATE: "", TOTALENTERED: "-4.9" })).toEqual({ field: "STATE", reason: "unknown_status" });
  });
});

test.each<[object, string[], string[]]>([
  [
    { Fields: { Field: [{ ID: "A" }, { ID: "B" }] }, Relationships: { Relationship: { OBJECTPATH: "C" } } },
    ["A", "B"],
    ["C"],
  ],
  [{ Fields: { Field: { ID: "A" } }, Relationships: "" }, ["A"], []],
  [{ Fields: { Field: { ID: "A" } } }, ["A"], []],
])("a definition %j has the right fields", (Type, fields, related) => {
  expect(definition.parse({ Type })).toEqual({ fields: new Set(fields), related: new Set(related) });
});

test.each<[unknown, object[]]>([
  ["", []],
  [undefined, []],
  [{ error: "" }, []],
  [{ error: { errorno: "X" } }, [{ errorno: "X" }]],
  [{ error: [{ errorno: "X" }, { errorno: "Y" }] }, [{ errorno: "X" }, { errorno: "Y" }]],
])("errors in %j are read", (errormessage, expected) => {
  const read = response.parse({ response: { control: { status: "failure" }, errormessage } });
  expect(read.response.errormessage).toMatchObject(expected);
});
