import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { licenses } from "../../../../infra/tools/operator/licenses.ts";
import { operator } from "../../../../infra/tools/operator/operator.ts";
import { openTarget, type Target } from "../../../../infra/tools/operator/target.ts";
import type { LicenseTerms } from "../../../../shared/domain/licenses/licenseTerms.ts";
import { searchLicenses } from "../../../../shared/domain/licenses/searchLicenses.ts";
import { useDemoStage } from "../../../useDemoStage.ts";
import { runHere } from "../../local/runHere.ts";
import { temporaryDirectories } from "../../local/temporaryDirectories.ts";

const temporaryDirectory = temporaryDirectories();
const data = temporaryDirectory();
useDemoStage(data);
let target: Target;
beforeAll(async () => {
  target = openTarget({ stage: "local", data });
});
afterAll(() => target?.close());

const run = (...parameters: string[]) => runHere(licenses, parameters);

function givenFile(text: string): string {
  const file = join(temporaryDirectory(), "register.csv");
  writeFileSync(file, text);
  return file;
}

async function find(terms: LicenseTerms) {
  const stores = { table: target.table, bucket: target.documents() };
  return (await searchLicenses(stores, terms, { offset: 0, limit: 1 })).read();
}
const total = async (terms: LicenseTerms) => (await find(terms)).total;

test("the demo has a few hundred licenses in several states", async () => {
  expect(await total({})).toBe(309);
  for (const state of ["CO", "MI", "OR", "CAN", "NLA"] as const) expect(await total({ state })).toBeGreaterThan(5);
});

test("an import reports rejected rows by line, and a second one changes nothing", async () => {
  const file = givenFile(
    [
      "\uFEFFLicense Number,Licensee,License Type,Status,Issue Date,DBA,Licensing Authority Name",
      'W-1,"Evergreen, the ""Best"" LLC",Retail Store,Active,1/31/2024,Evergreen; Best,Board',
      'W-2,"Two',
      'Lines",Retail Store,Active,2024-01-31,,Board',
      "W-3,Short row",
      "",
      "W-4,Laboratory Co,Testing Laboratory,Pending,2024-02-01,,",
      "W-5,Rainier Farm,Cultivation,Expired,2024-13-01,,Board",
      'W-6,Bad "quote,Cultivation,Expired,2024-11-01,,Board',
      "",
    ].join("\r\n"),
  );
  const first = await run("import", file, "--state", "wa", "--authority", "Liquor Board", "--data", data);
  expect(first.err).toBe("4 rows were rejected. Correct the file and import it again.\n");
  expect(first.out.split("\n")).toEqual([
    "  line 4: licensee must not contain line breaks or tabs",
    "  line 5: reported_license_type_description is required; reported_license_status is required",
    "  line 8: issued_at must be a date, yyyy-MM-dd or M/d/yyyy",
    "  line 9: has a quote inside an unquoted value, or text after a closing quote",
    `${file}, register of WA: 2 imported (2 new, 0 changed, 0 unchanged), 4 rejected`,
    "",
  ]);
  expect(first.code).toBe(1);
  const { records } = await find({ state: "WA", name: "best" });
  expect(JSON.parse(records[0] ?? "")).toMatchObject({
    licensee: 'Evergreen, the "Best" LLC',
    status_date: "2024-01-31",
    businesses: [{ name: "Evergreen" }, { name: "Best" }],
    uniform_license_type_description: "Retail/Dispensary",
  });
  const again = await run("import", file, "--state", "WA", "--authority", "Liquor Board", "--data", data);
  expect(again.out).toContain("2 imported (0 new, 0 changed, 2 unchanged), 4 rejected");
  expect(await total({ state: "WA" })).toBe(2);
});

test("lapsed licenses are listed, and an import says how many linked licenses have changed", async () => {
  const list = (...options: string[]) =>
    runHere(operator, ["--data", data, "licenses", "lapsed", "--json", ...options]);
  const [license = expect.fail("no license")] = JSON.parse((await list()).out);
  expect(license).toMatchObject({
    name: "High Country Remedies",
    license_identifier: "CO-R-90001",
    holder_matches: "same",
    status: "expiring",
  });
  const { records } = await find({ licenseNumber: "CO-R-90001" });
  const { licensing_authority_name: authority, expires_at } = JSON.parse(records[0] ?? "{}");
  const file = givenFile(
    [
      "License Number,Licensee,License Type,Status,Status Date,Expiration Date",
      `CO-R-90001,High Country Remedies LLC,Retail Store,Suspended,2026-01-05,${expires_at}`,
    ].join("\n"),
  );
  const options = ["--state", "CO", "--authority", authority, "--part", "demo", "--data", data];
  const imported = await run("import", file, ...options);
  expect(imported.out).toContain("Linked licenses with a changed status: 1 of 1. The service providers get events.");
  expect(JSON.parse((await list("--status", "inactive")).out)).toMatchObject([{ status: "inactive" }]);
  expect(JSON.parse((await list("--status", "expiring")).out)).toEqual([]);
  expect((await list("--status", "lost")).err).toContain("--status must be one of active");
});

test("a file that a state publishes is read by its layout, and licenses that a later file lacks are reported", async () => {
  const rows = Array.from(
    { length: 4 },
    (_, i) => `OCM-RETL-26-00000${i},Adult-Use Retail,Active,Leaf ${i} LLC,2027-03-31`,
  );
  const header = "License Number,License Type,License Status,Entity Name,Expiration Date";
  const importNewYork = async (lines: string[]) =>
    (await run("import", givenFile([header, ...lines].join("\n")), "--state", "NY", "--data", data)).out;
  const first = await importNewYork(rows);
  expect(first).toContain("Layout: New York, Office of Cannabis Management, current licenses.");
  expect(first).toContain("4 imported (4 new");
  expect(await importNewYork(rows.slice(1))).toContain(
    "Licenses that are missing from the register since this import: 1.",
  );
  expect(await importNewYork(rows.slice(3))).toContain("Licenses that the file lacks: 2. If they are gone");
});

test("unread columns and statuses without a certain meaning are listed", async () => {
  const file = givenFile(
    [
      "sep=,",
      "License Number,Licensee,License Type,License Status,Issue Date,Owner Address",
      "V-1,A LLC,Retail Store,Administrative Hold,2024-01-01,1 Main St",
      "V-2,B LLC,Retail Store,administrative hold,2024-01-01,2 Main St",
      "V-3,C LLC,Retail Store,Not Active,2024-01-01,3 Main St",
    ].join("\n"),
  );
  const { code, out, err } = await run("import", file, "--state", "NV", "--authority", "Board", "--data", data);
  expect(out.split("\n")).toEqual([
    'Not read, above the names of the columns: "sep=".',
    "Columns that are not read: Owner Address.",
    expect.stringContaining("Statuses that do not say whether a license permits business"),
    '  "Administrative Hold": 2',
    `${file}, register of NV: 3 imported (3 new, 0 changed, 0 unchanged), 0 rejected`,
    "",
  ]);
  expect([code, err]).toEqual([0, ""]);
});

test("two columns of one field that differ are named, and nothing is imported", async () => {
  const file = givenFile(
    [
      "License Number,Licensee,License Type,License Status,Issue Date,Status",
      "U-1,A LLC,Retail Store,Active,2024-01-01,active",
      "U-2,B LLC,Retail Store,Active,2024-01-01,Suspended",
    ].join("\n"),
  );
  const { code, out, err } = await run("import", file, "--state", "UT", "--authority", "Board", "--data", data);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toMatch(/^[^\n]+"License Status" and "Status", which differ in line 3\. Nothing was imported\.[^\n]+\n$/);
  expect(await total({ state: "UT" })).toBe(0);
});

test.each([
  [
    "CA",
    "License search results, exported 11/28/2026",
    "licenseNumber,licenseStatus,licenseType,licenseDesignation,businessLegalName",
  ],
  ["WA", '"Licenses","as of 9/15/2026"', "license_number,licensee,license_type,license_status,issue_date"],
])("a title above the names of the columns is rejected with its remedy: %s", async (state, title, header) => {
  const file = givenFile([title, header, "C-1,Active,Retailer,Adult-Use,A LLC"].join("\n"));
  const { code, err } = await run("import", file, "--state", state, "--authority", "Board", "--data", data);
  expect(code).toBe(1);
  expect(err).toContain("Delete all lines above the names, such as a title");
});

test.each([
  [["import", "x.csv"], "Add the state of the register: --state STATE."],
  [["import", "x.csv", "--state", "XX"], "--state must be one of AL"],
  [["import", "x.csv", "--state", "CO", "--part", "{}"], "--part must have 1 to 40 letters"],
  [["import", "x.csv", "--state", "CO", "--data", "/nowhere"], "npm start"],
  [["import", "x.csv", "--state", "CO", "--stage", "prod"], ".deployed/prod.env"],
  [["import", "/nowhere.csv", "--state", "CO", "--data", data], "Cannot read /nowhere.csv: ENOENT."],
  [["import", "package.json", "--state", "CO", "--data", data], "it is JSON; export the records as CSV"],
  [["import", ".nvmrc", "--state", "CO", "--data", data], "has no column"],
])("%j is rejected in one line", async (parameters, named) => {
  const { code, out, err } = await run(...parameters);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toMatch(/^[^\n]+\n$/);
  expect(err).toContain(named);
});

test("an empty file is rejected", async () => {
  const { code, err } = await run("import", givenFile(""), "--state", "CO", "--data", data);
  expect([code, err]).toEqual([1, expect.stringContaining("is empty")]);
});
