import { describe, expect, test } from "vitest";
import { readHeader } from "../../../../shared/pos/upload/header.ts";
import { uploadedRecords } from "../../../../shared/pos/upload/uploadedRecords.ts";

const schemas = uploadedRecords({ timezone: "America/Denver", businessType: "retail" });

describe("the first line", () => {
  test("can have the columns in any order and letter case", () => {
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

  const notOfLocation = "it has columns that are not fields of location: ";
  test.each([
    [["pos_location_id", "name", "Shelf No."], `${notOfLocation}"Shelf No." (column 3)`],
    [["pos_location_id", "name", "x".repeat(41)], `${notOfLocation}column 3`],
    [["pos_location_id", "name", "__proto__"], `${notOfLocation}column 3`],
    [["pos_location_id", "name", "\u001B[2J"], `${notOfLocation}column 3`],
    [["pos_location_id", "name", "Price ($)"], `${notOfLocation}column 3`],
    [["pos_location_id", "Nmae"], `${notOfLocation}"Nmae" (column 2, did you mean name?)`],
    [
      ["Location ID", "pos_location_typ", "name"],
      `${notOfLocation}"Location ID" (column 1, did you mean pos_location_id?), "pos_location_typ" (column 2, did you mean pos_location_type?)`,
    ],
    [["name", "First_Name", "Jane"], `${notOfLocation}"First_Name" (column 2), "Jane" (column 3)`],
    [
      ["pos_customer_id", "first_name"],
      `${notOfLocation}"pos_customer_id" (column 1), "first_name" (column 2). Is this a file of customers?`,
    ],
    [
      Array.from({ length: 12 }, () => "x"),
      `${notOfLocation}${Array.from({ length: 10 }, (_, i) => `column ${i + 1}`).join(", ")} and 2 more. The first line must name the columns`,
    ],
    [["pos_location_id", "name", "NAME"], "column 3 has the same name as an earlier column"],
    [["pos_location_type"], "it has no column pos_location_id and no column name"],
  ])("%j has the fault: %s", (header, fault) => expect(readHeader(schemas, "location", header).fault).toBe(fault));

  test("with a misspelled field of a list element gets the element's number in the message", () =>
    expect(readHeader(schemas, "sale", ["pos_sale_id", "date", "payments.12.amount_payed"]).fault).toBe(
      'it has columns that are not fields of sale: "payments.12.amount_payed" (column 3, did you mean payments.12.amount_paid?)',
    ));

  test.each([
    [["C9", "Jane", "Sample", "1985-04-12", "Medical_ID"]],
    [["Jane", "Sample", "Anonymous"]],
    [["Jane", "Sample", "jane@example.com", "first_name"]],
    [["Jane", "Sample", "12 Main Avenue", "first_name"]],
    [["Jane", "Sample", "81301", "first_name"]],
  ])("that is a row of data is not shown: %j", (row) => {
    const { fault } = readHeader(schemas, "customer", row);
    expect(fault).toContain("column 1");
    expect(fault).toContain("The first line must name the columns");
    for (const value of row) if (value !== "first_name" && value !== "Anonymous") expect(fault).not.toContain(value);
  });

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
  ])("with a column %s is not one of a sale", (column) =>
    expect(readHeader(schemas, "sale", [column]).fault).toMatch(
      /^it has columns that are not fields of sale: column 1\b/,
    ),
  );
});
