import { describe, expect, test } from "vitest";
import { type RecordKind, recordKinds } from "../../../../shared/api/kinds.ts";
import {
  fieldPaths,
  listRequiredFields,
  moneyNames,
  moneyPaths,
  nested,
} from "../../../../shared/pos/upload/columns.ts";
import { uploadedRecords } from "../../../../shared/pos/upload/uploadedRecords.ts";

const schemas = uploadedRecords({ timezone: "America/Denver", businessType: "retail" });
const { location, sale, inventory } = schemas;

test("the paths of all fields and the required fields of a record are listed", () => {
  expect(fieldPaths(location)).toEqual(["pos_location_id", "name", "pos_location_type", "pos_updated_date"]);
  expect(fieldPaths(sale)).toContain("line_items.*.line_item_discounts.*.flat_amount");
  expect(fieldPaths(sale)).toContain("customer.dob");
  expect(fieldPaths(sale)).not.toContain("customer");
  expect([listRequiredFields(location), listRequiredFields(inventory)]).toEqual([
    ["pos_location_id", "name"],
    ["pos_inventory_id", "name", "total_quantity"],
  ]);
});

describe("the amounts", () => {
  const wholesale = uploadedRecords({ timezone: "America/Denver", businessType: "wholesale" });
  const parts = [
    "subtotal",
    "total_discounts",
    "tax_paid",
    "total_paid",
    "line_items.*.price_per_unit",
    ...["discounts", "taxes", "fees"].map((list) => `line_items.*.line_item_${list}.*.flat_amount`),
    ...["discounts", "taxes", "fees"].map((list) => `${list}.*.flat_amount`),
    "payments.*.amount_paid",
  ];
  test.each<[RecordKind, string[]]>([
    ["location", []],
    ["product", ["price", "unit_cost", "price_tiers.*.tier_price"]],
    ["customer", []],
    ["inventory", []],
    ["sale", parts],
  ])("of a %s are found in its schema", (kind, paths) => {
    expect(moneyPaths(schemas[kind]).sort()).toEqual(paths.sort());
  });

  test("of a wholesale sale are those of a sale and of its invoice", () => {
    expect(moneyPaths(wholesale.sale).sort()).toEqual([...parts, "invoice.open_balance", "invoice.total"].sort());
  });

  test("have names that no other field of the kind has", () => {
    for (const schema of [...recordKinds.map((kind) => schemas[kind]), wholesale.sale]) {
      const others = fieldPaths(schema).filter((path) => !moneyPaths(schema).includes(path));
      const names = moneyNames(schema);
      expect(others.filter((path) => names.has(path.split(".").at(-1) ?? ""))).toEqual([]);
    }
  });
});

test("the values of a row become a record, without empty values, and without objects that have only empty values", () => {
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
