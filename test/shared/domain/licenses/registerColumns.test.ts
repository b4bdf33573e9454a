import { describe, expect, test } from "vitest";
import { fieldOfColumn } from "../../../../shared/domain/licenses/columnNames.ts";
import { layouts } from "../../../../shared/domain/licenses/layouts/layouts.ts";
import { findLayout } from "../../../../shared/domain/licenses/layouts/registerLayout.ts";
import { RegisterColumns } from "../../../../shared/domain/licenses/registerColumns.ts";

const names = {
  license_identifier: ["License Number", "licenseNumber", "LICENSE_NO", "Licence Number", "license_identifier"],
  licensee: ["Licensee", "Licensee Name", "License Holder", "Business Legal Name", "legal_name", "Entity Name"],
  businesses: ["DBA", "Trade Name", "business_name", "Doing Business As"],
  reported_license_status: [
    "Status",
    "licenseStatus",
    "LICENSE_STATUS",
    "Current Status",
    "Status of License",
    "Status Description",
  ],
  status_date: [
    "Status Date",
    "licenseStatusDate",
    "Date of Status",
    "Status Effective Date",
    "Status Changed On",
    "Status Since",
  ],
  issued_at: [
    "Issue Date",
    "issueDate",
    "Date Issued",
    "License Issue Date",
    "Issued On",
    "Issuance Date",
    "LIC_START_DATE",
    "issuedate",
  ],
  expires_at: [
    ...[
      "Expiration Date",
      "expirationDate",
      "License Expiration Date",
      "EXP DATE",
      "ExpDate",
      "Expires",
      "Expires On",
      "Expiry",
    ],
    ...[
      "Date of Expiration",
      "Date Expired",
      "Valid Until",
      "Valid Through",
      "LIC_EXPIRATION_DATE",
      "License End Date",
      "Expiration",
    ],
  ],
  address_region: ["address_region", "Licensing Authority Address Region"],
};

test.each(Object.entries(names))("%s has several column names", (field, columns) => {
  expect(Object.fromEntries(columns.map((column) => [column, fieldOfColumn(column)]))).toEqual(
    Object.fromEntries(columns.map((column) => [column, field])),
  );
});

test("a column with a further word has no field", () => {
  const columns = [
    ...[
      "Lease Expiration Date",
      "Insurance Expires",
      "Expired",
      "Issued",
      "Application Status",
      "Status Code",
      "License Status Code",
    ],
    ...["Status Reason", "Original Issue Date", "Date Updated", "End Date", "Effective Date", "constructor", "", "#"],
  ];
  expect(columns.filter((column) => fieldOfColumn(column) !== undefined)).toEqual([]);
});

/** Reads one row. Columns of the type and the number are added. */
function read(columns: Record<string, string> | [string, string][]) {
  const entries = Array.isArray(columns) ? columns : Object.entries(columns);
  const table = new RegisterColumns(["License Type", ...entries.map(([column]) => column)]);
  const row = table.read(["Store", ...entries.map(([, cell]) => cell)]);
  return "values" in row ? row.values : row.clash;
}

describe("two columns of one field", () => {
  test.each([
    [{ license_status: "Active", status: "Suspended" }, "reported_license_status", ["license_status", "status"]],
    [{ status: "Suspended", license_status: "Active" }, "reported_license_status", ["status", "license_status"]],
    [{ "Issue Date": "2024-01-01", "Date Issued": "2024-01-02" }, "issued_at", ["Issue Date", "Date Issued"]],
    [{ licensee: "A LLC", "Legal Name": "B LLC" }, "licensee", ["licensee", "Legal Name"]],
    [{ City: "Bend", locality: "Salem" }, "locality", ["City", "locality"]],
  ])("clash if they differ: %j", (columns, field, clashing) => {
    expect(read(columns as Record<string, string>)).toEqual({ field, columns: clashing });
  });

  test("clash also if both have the same name", () => {
    const columns: [string, string][] = [
      ["Status", "Active"],
      ["Status", "Revoked"],
    ];
    expect(read(columns)).toEqual({ field: "reported_license_status", columns: ["Status", "Status"] });
  });

  test.each([
    [{ license_status: "Active", status: " ACTIVE" }, { reported_license_status: "Active" }],
    [{ license_status: "", status: "Suspended" }, { reported_license_status: "Suspended" }],
    [{ license_status: "Suspended", status: "N/A" }, { reported_license_status: "Suspended" }],
    [{ "Exp Date": "TBD", "Expiration Date": "1/2/2027" }, { expires_at: "1/2/2027" }],
    [{ "Exp Date": "1/2/2027", "Expiration Date": "2027-01-02T00:00:00" }, { expires_at: "1/2/2027" }],
  ])("agree in %j", (columns, values) => {
    expect(read(columns as Record<string, string>)).toMatchObject(values);
  });

  test("agree or clash in each row", () => {
    const columns = new RegisterColumns(["status", "License Status"]);
    expect(columns.read(["Active", "Active"])).toEqual({ values: { reported_license_status: "Active" } });
    expect(columns.read(["Active", "Void"])).toHaveProperty("clash");
  });
});

describe("several names of a business", () => {
  test("are all kept, and the business name is the holder if another column has the trade names", () => {
    const columns = { business_name: "A LLC", trade_name: "Green Trade", dba: "Green DBA" };
    expect(read(columns)).toMatchObject({ licensee: "A LLC", businesses: "A LLC;Green Trade;Green DBA" });
    expect(read({ dba: "Green DBA", business_name: "A LLC" })).toMatchObject({ licensee: "A LLC" });
  });

  test("do not replace the holder that the file names", () => {
    const columns = { dba: "", licensee: "A LLC", business_name: "Green", "Trade Name": "Green" };
    expect(read(columns)).toMatchObject({ licensee: "A LLC", businesses: "Green;Green" });
  });

  test("leave the holder unknown if it is not certain which name is the holder's", () => {
    for (const columns of [{ business_name: "A" }, { dba: "A", trade_name: "B" }]) {
      expect(read(columns)).not.toHaveProperty("licensee");
    }
  });
});

describe("a file with a layout", () => {
  const header = ["License Number", "Facility Name", "DBA", "Facility Type", "Street", "City", "Date Updated"];
  const cells = ["402R-1", "A LLC", "", "Retail Marijuana Store", "1 Main St", "Denver", "11/1/2026"];
  const colorado = (more: Record<string, string> = {}) => {
    const all = [...header, ...Object.keys(more)];
    const columns = new RegisterColumns(all, findLayout(layouts, "CO", all) ?? expect.fail());
    return { columns, row: columns.read([...cells, ...Object.values(more)]) };
  };

  test("names the columns that are not read", () => {
    expect(colorado().columns.unread).toEqual(["Street", "Date Updated"]);
    expect(colorado({ "Expiration Date": "" }).columns.unread).toEqual(["Street", "Date Updated"]);
  });

  test("is read with a status and dates that the layout does not have", () => {
    expect(colorado({ "Expiration Date": "6/30/2026", "License Status": "Suspended", issued: "" }).row).toMatchObject({
      values: { expires_at: "6/30/2026", reported_license_status: "Suspended" },
    });
    expect(colorado().row).toMatchObject({ values: { reported_license_status: "Licensed" } });
  });

  test("has no status in a row whose status is empty, although the publication implies one", () => {
    expect(colorado({ Status: "" }).row).not.toHaveProperty("values.reported_license_status");
  });

  test("clashes if a column of the layout and another one differ", () => {
    const all = [
      "Record Number",
      "Record Type",
      "License Name",
      "Expiration Date",
      "Status",
      "License Expiration Date",
    ];
    const columns = new RegisterColumns(all, findLayout(layouts, "MI", all) ?? expect.fail());
    const row = ["AU-R-1", "Marihuana Retailer - License", "A LLC", "05/04/2026", "Active"];
    expect(columns.read([...row, "05/04/2027"])).toMatchObject({ clash: { field: "expires_at" } });
    expect(columns.read([...row, "2026-05-04"])).toHaveProperty("values");
  });
});
