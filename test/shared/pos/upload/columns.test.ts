import { describe, expect, test } from "vitest";
import { fieldPaths, neededFields, nested, readHeader } from "../../../../shared/pos/upload/columns.ts";
import { uploadedRecords } from "../../../../shared/pos/upload/uploadedRecords.ts";

const schemas = uploadedRecords({ timezone: "America/Denver", businessType: "retail" });
const { location, sale, inventory } = schemas;

test("the fields of a record are told by their paths, and those that must be there", () => {
  expect(fieldPaths(location)).toEqual(["pos_location_id", "name", "pos_location_type", "pos_updated_date"]);
  expect(fieldPaths(sale)).toContain("line_items.*.line_item_discounts.*.flat_amount");
  expect(fieldPaths(sale)).toContain("customer.dob");
  expect(fieldPaths(sale)).not.toContain("customer");
  expect([neededFields(location), neededFields(inventory)]).toEqual([
    ["pos_location_id", "name"],
    ["pos_inventory_id", "name", "total_quantity"],
  ]);
});

describe("a first line", () => {
  test("may name columns in any order and letter case", () => {
    expect(readHeader(schemas, "location", [" Name ", "POS_LOCATION_ID"])).toEqual({
      columns: ["name", "pos_location_id"],
    });
    const { columns, fault } = readHeader(schemas, "sale", [
      "pos_sale_id",
      "date",
      "payments.12.type",
      "line_items.1.line_item_fees.2.fee_name",
    ]);
    expect([columns.length, fault]).toEqual([4, undefined]);
  });

  test.each([
    [["pos_location_id", "name", "Jane Doe"], "has columns that are no field of location: column 3"],
    [["pos_location_id", "name", ""], "has columns that are no field of location: column 3"],
    [["pos_location_id", "name", "__proto__"], "has columns that are no field of location: column 3"],
    [["name", "First_Name", "Jane"], "has columns that are no field of location: first_name (2), column 3"],
    [
      ["pos_customer_id", "first_name"],
      "has columns that are no field of location: pos_customer_id (1), first_name (2). Is this a file of customers?",
    ],
    [
      Array.from({ length: 12 }, () => "x"),
      `has columns that are no field of location: ${Array.from({ length: 10 }, (_, i) => `column ${i + 1}`).join(", ")} and 2 more`,
    ],
    [["pos_location_id", "name", "NAME"], "has a column 3 that is named like one before it"],
    [["pos_location_type"], "has no column pos_location_id and no column name"],
  ])("%j: %s", (header, fault) => expect(readHeader(schemas, "location", header).fault).toBe(fault));

  test.each([
    "payments",
    "payments.type",
    "payments.0.type",
    "payments.01.type",
    "payments.1000.type",
    "payments.1.type.2",
    "payments.*.type",
    "customer",
    "invoice.id",
  ])("with a column %s is none of a sale's", (column) =>
    expect(readHeader(schemas, "sale", [column]).fault).toBe("has columns that are no field of sale: column 1"),
  );
});

test("the values of a row become a record, empty ones and what is made of them alone are left out", () => {
  const values = {
    pos_sale_id: "S1",
    employee_id: " ",
    "customer.dob": "",
    "payments.1.type": "",
    "payments.2.type": "cash",
    "line_items.1.line_item_fees.2.fee_name": "Bag",
  };
  expect(nested(values)).toEqual({
    pos_sale_id: "S1",
    payments: [undefined, { type: "cash" }],
    line_items: [{ line_item_fees: [undefined, { fee_name: "Bag" }] }],
  });
  expect(nested({ a: "", "b.1.c": " " })).toEqual({});
});
