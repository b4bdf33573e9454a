import { expect, test } from "vitest";
import { customerRecord, inventoryRecords, productRecord } from "../../../../../shared/pos/connectors/cova/records.ts";
import { customer, location, product, stock } from "../../../../../shared/pos/connectors/cova/responses.ts";

const none = "00000000-0000-0000-0000-000000000000";

test.each<[object, object]>([
  [{ PrimaryName: "A" }, { first_name: "A" }],
  [{ MiddleName: "B" }, { middle_name: "B" }],
  [{ FamilyName: "C" }, { last_name: "C" }],
  [{ DateOfBirth: "0001-01-01T00:00:00" }, { dob: null }],
  [{ DateOfBirth: "1952-07-23T23:00:00-05:00" }, { dob: "1952-07-23" }],
  [{ MergedIntoCustomerId: none }, { merged_into_pos_customer_id: null }],
  [{ MergedIntoCustomerId: "m" }, { merged_into_pos_customer_id: "m" }],
  [
    {
      ContactMethods: [
        { ContactMethodCategory: "EMAIL", Value: "a@example.com" },
        { ContactMethodCategory: "Phone", Value: "1" },
        { ContactMethodCategory: "Phone", Value: "2", Default: true },
        { ContactMethodCategory: "Fax", Value: "3", Default: true },
      ],
    },
    { email_address: "a@example.com", phone: "2" },
  ],
  [{ Addresses: [{ AddressLine1: "1" }, { StreetAddress1: "2", Default: true }] }, { address_1: "2" }],
  [{ Addresses: null }, { address_1: null }],
  [{ ContactMethods: null }, { phone: null, email_address: null }],
  [{ CustomerType: "Patient" }, { pos_customer_type: "Patient", svc_customer_type: null, medical_id: null }],
])("a customer %j is converted", (fields, expected) => {
  expect(customerRecord(customer.parse({ Id: "c", ...fields }))).toMatchObject({ pos_customer_id: "c", ...expected });
});

test.each<[object, number | null]>([
  [{}, null],
  [{ Prices: [{ LocationId: 7001, Price: "1,009.99" }] }, 100999],
  [{ Prices: [{ LocationId: 7002, Price: 5 }] }, null],
  [{ Prices: [{ LocationId: 7001, TierId: 3, Price: 5 }], CompanyLevelRegularPrice: { Price: 6 } }, 600],
  [{ Prices: [{ LocationId: 7001, Price: -5 }] }, null],
])("a product with %j has the price %j", (fields, price) => {
  expect(productRecord(product.parse({ ProductId: "p", ...fields }), "7001")).toMatchObject({ price });
});

test.each<[object, string | null]>([
  [{ ClassificationName: "Pre-Rolls", ClassificationPath: "Cannabis > Flower > Pre-Rolls" }, "flower"],
  [{ ClassificationName: "Muscle & Joint", ClassificationPath: "Topicals > Muscle & Joint" }, "topical"],
  [{ ClassificationName: "Live Rosin", ClassificationPath: "Edibles > Live Rosin" }, "edible"],
  [{ ClassificationName: "Disposable Device", ClassificationPath: "Vape > Disposable Device" }, null],
])("a product with %j has the category %s", (fields, svc_product_category_name) => {
  expect(productRecord(product.parse({ ProductId: "p", ...fields }), "7001")).toMatchObject({
    svc_product_category_name,
  });
});

const entry = { LocationId: 7001, PackageId: "1A", InStockQuantity: 2 };
const unknown = { field: "Availability", reason: "no_quantity" };
test.each<[string, unknown, object]>([
  ["no list", undefined, unknown],
  ["null", null, unknown],
  ["an empty list", [], [{ total_quantity: 0, barcode: null }]],
  ["one package", [entry, { ...entry, InStockQuantity: "0.5" }], [{ total_quantity: 2.5, barcode: "1A" }]],
  ["two packages", [entry, { ...entry, PackageId: "1B" }], [{ total_quantity: 4, barcode: null }]],
  ["another location", [entry, { ...entry, LocationId: 7002, InStockQuantity: 500 }], [{ total_quantity: 2 }]],
  ["only another location", [{ ...entry, LocationId: 7002 }], [{ total_quantity: 0 }]],
  ["no location", [{ ...entry, LocationId: null }], [{ total_quantity: 2 }]],
  ["a missing quantity", [entry, { ...entry, InStockQuantity: null }], unknown],
  ["a quantity that is no number", [{ ...entry, InStockQuantity: "some" }], unknown],
  ["a missing quantity elsewhere", [entry, { LocationId: 7002 }], [{ total_quantity: 2 }]],
  ["a negative quantity", [{ ...entry, InStockQuantity: -1 }], [{ total_quantity: -1 }]],
])("stock with %s is converted or rejected", (_, Availability, expected) => {
  expect(inventoryRecords(stock.parse({ ProductId: "p", Availability }), "7001")).toMatchObject(expected);
});

test.each(["7001)/Entities(7002", "../7001", "", "7e3", null, "1".repeat(16)])("%j is no id of a location", (Id) => {
  expect(location.safeParse({ Id }).success).toBe(false);
});
