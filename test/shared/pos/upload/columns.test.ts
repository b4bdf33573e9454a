import { expect, test } from "vitest";
import { fieldPaths, neededFields, nested } from "../../../../shared/pos/upload/columns.ts";
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
  expect(nested({ a: "", "b.1.c": " ", "b.2.c": "N/A", "b.2.d": "n/a " })).toEqual({});
});
