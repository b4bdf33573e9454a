import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { beforeEach, describe, expect, test } from "vitest";
import type { License } from "../../../../../shared/api/schemas/license.ts";
import { importRegister } from "../../../../../shared/domain/licenses/importRegister.ts";
import { layouts } from "../../../../../shared/domain/licenses/layouts/layouts.ts";
import { findLayout } from "../../../../../shared/domain/licenses/layouts/registerLayout.ts";
import { RegisterColumns } from "../../../../../shared/domain/licenses/registerColumns.ts";
import { type LicenseStores, searchLicenses } from "../../../../../shared/domain/licenses/searchLicenses.ts";
import { TestClock } from "../../../store/orderedList/listUnderTest.ts";
import { useLicenseStores } from "../useLicenseStores.ts";

const createStores = useLicenseStores();
let stores: LicenseStores;
let clock: TestClock;
beforeEach(async () => {
  stores = await createStores();
  clock = new TestClock("2026-03-01T12:00:00.000Z");
});

/** Imports a CSV text with the layout that it is recognized by. */
async function importText(state: "CA" | "CO" | "MA" | "MI" | "NY", text: string) {
  const [header = [], ...rows] = parse(text, { bom: true }) as string[][];
  const layout = findLayout(layouts, state, header) ?? expect.fail("no layout fits");
  const columns = new RegisterColumns(header, layout);
  const fileRows = rows.map((row, i) => {
    const read = columns.read(row);
    return { line: i + 2, values: "values" in read ? read.values : expect.fail("two columns clash") };
  });
  return importRegister(stores, { state, authority: undefined, layout }, fileRows, { clock });
}

const sample = (name: string) => readFileSync(join(import.meta.dirname, "samples", `${name}.csv`), "utf8");

async function licenses(): Promise<Record<string, License>> {
  const { records } = await (await searchLicenses(stores, {}, { offset: 0, limit: 1000 })).read();
  const all = records.map((text) => JSON.parse(text) as License);
  return Object.fromEntries(all.map((one) => [one.license_identifier ?? "", one]));
}

describe("the layout of", () => {
  test("California reads statuses and dates, and ignores texts for absent values", async () => {
    const result = await importText("CA", sample("california"));
    expect(result).toMatchObject({ created: 3, refused: [] });
    expect(result).toMatchObject({ notes: [], unknownStatuses: [{ status: "Under Study", rows: 1 }] });
    const { "C10-0000001-LIC": store, "CCL18-0000002": farm, "C12-0000003-LIC": other } = await licenses();
    expect(store).toMatchObject({
      licensee: "Golden Poppy Collective, Inc.",
      businesses: [{ name: "Poppy Shop" }],
      licensing_authority_name: "California Department of Cannabis Control",
      med_rec_classification: "both",
      uniform_license_type_description: "Retail/Dispensary",
      uniform_license_status_description: "Active",
      status_date: "2025-06-14",
      issued_at: "2019-06-15",
      expires_at: "2026-06-14",
    });
    expect(farm).toMatchObject({ businesses: [], locality: null, uniform_license_status_description: "Inactive" });
    expect(other?.uniform_license_status_description).toBe("Unknown");
  });

  test("Colorado reads a list without statuses, expiries and dates of statuses", async () => {
    await importText("CO", sample("colorado"));
    const before = await licenses();
    expect(before["402R-00901"]).toMatchObject({
      licensee: "Alpine Shelf LLC",
      reported_license_status: "Licensed",
      uniform_license_status_description: "Active",
      expires_at: null,
      status_date: "2026-03-01",
    });
    clock.advance(86_400_000);
    expect(await importText("CO", sample("colorado"))).toMatchObject({ changed: 0, unchanged: 2 });
    expect(await licenses()).toEqual(before);
  });

  test("Massachusetts reads dates with the month first, and no tax number", async () => {
    await importText("MA", sample("massachusetts"));
    const { MR900001: store, MC900002: farm } = await licenses();
    expect(store).toMatchObject({
      issued_at: "2026-02-01",
      expires_at: "2027-01-31",
      uniform_license_status_description: "Active",
    });
    expect(farm).toMatchObject({
      locality: null,
      uniform_license_status_description: "Pre-License",
      issued_at: "2026-02-01",
      status_date: "2026-03-01",
    });
    expect(JSON.stringify([store, farm])).not.toMatch(/00-0000000|example\.com/);
  });

  test("Massachusetts also reads the older file with times and stages", async () => {
    await importText("MA", sample("massachusettsApproved"));
    expect((await licenses()).MR900003).toMatchObject({
      issued_at: "2023-02-16",
      expires_at: "2024-02-16",
      reported_license_status: "COMMENCE OPS",
      uniform_license_status_description: "Active",
    });
  });

  test("Michigan uses the row that ends last of rows with one number and status, and drops repeated rows", async () => {
    const result = await importText("MI", sample("michigan"));
    expect(result).toMatchObject({
      created: 2,
      refused: [],
      notes: [{ line: 4, reason: "has the license of line 2; line 4 is used, because no row ends later" }],
    });
    expect(await licenses()).toMatchObject({
      "AU-R-000901": {
        expires_at: "2027-05-04",
        reported_license_type_description: "Marihuana Retailer",
        uniform_license_status_description: "Active",
      },
      "AU-G-A-000902": { uniform_license_status_description: "Inactive" },
    });
  });

  test("New York reads open data, and no contact person", async () => {
    await importText("NY", sample("newYork"));
    const { "OCM-RETL-26-000901": store } = await licenses();
    expect(store).toMatchObject({
      licensee: "Hudson Leaf LLC",
      status_date: "2025-03-28",
      issued_at: "2025-03-28",
      expires_at: "2027-03-31",
      uniform_license_status_description: "Active",
    });
    expect(store?.individuals).toEqual([]);
  });
});

test("a file of one license type makes no license of another type missing", async () => {
  const [header, ...rows] = sample("california").trim().split("\n");
  await importText("CA", [header, ...rows].join("\n"));
  clock.advance(86_400_000);
  const stores = rows.filter((row) => row.includes("Commercial - Retailer"));
  expect(await importText("CA", [header, ...stores].join("\n"))).toMatchObject({ missing: 0, unconfirmed: 0 });
});

test("a layout is recognized only for its state, and without regard to letter case and blanks", () => {
  const header = ["license number ", "FACILITY NAME", "dba", "Facility_Type", "Street", "City"];
  expect(findLayout(layouts, "CO", header)?.state).toBe("CO");
  expect(findLayout(layouts, "WA", header)).toBeUndefined();
  expect(findLayout(layouts, "CO", ["License Number", "Licensee"])).toBeUndefined();
});
