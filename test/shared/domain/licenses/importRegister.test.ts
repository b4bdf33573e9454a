import { beforeEach, expect, test } from "vitest";
import { type License, license as licenseSchema } from "../../../../shared/api/schemas/license.ts";
import { importRegister } from "../../../../shared/domain/licenses/importRegister.ts";
import { type LicenseStores, searchLicenses } from "../../../../shared/domain/licenses/searchLicenses.ts";
import { TestClock } from "../../store/orderedList/listUnderTest.ts";
import { fileRows, importResult } from "./registerFile.ts";
import { useLicenseStores } from "./useLicenseStores.ts";

const createStores = useLicenseStores();
let stores: LicenseStores;
let clock: TestClock;
beforeEach(async () => {
  stores = await createStores();
  clock = new TestClock("2026-03-01T12:00:00.000Z");
});

const register = { state: "CO", authority: undefined } as const;
const oregon = { state: "OR", authority: undefined } as const;
const importRows = (rows: Parameters<typeof importRegister>[2], of: Parameters<typeof importRegister>[1] = register) =>
  importRegister(stores, of, rows, { clock });

async function find(terms: Parameters<typeof searchLicenses>[1] = {}) {
  const { total, records } = await (await searchLicenses(stores, terms, { offset: 0, limit: 1000 })).read();
  return { total, licenses: records.map((text) => JSON.parse(text) as License) };
}
const licenseNumbers = ({ licenses }: Awaited<ReturnType<typeof find>>) =>
  licenses.map(({ license_identifier: number }) => number);

test("a second import of the same file changes nothing; a changed row moves to the front and is found by its new values", async () => {
  const rows: Record<string, string>[] = [
    {},
    { license_identifier: "R-2", licensee: "Blue Ridge" },
    { license_identifier: "R-3" },
  ];
  const first = await importRows(fileRows(rows));
  expect(first).toEqual(importResult({ created: 3 }));
  const before = await find();
  expect(before.total).toBe(3);
  expect(before.licenses[0]).toMatchObject({ updated_at: "2026-03-01T12:00:00.000Z" });

  clock.advance(60_000);
  const again = await importRows(fileRows(rows));
  expect(again).toEqual(importResult({ unchanged: 3 }));
  expect(await find()).toEqual(before);

  rows[0] = { licensee: "Red Canyon", reported_license_status: "Expired" };
  const changed = await importRows(fileRows(rows));
  expect(changed).toEqual(importResult({ changed: 1, unchanged: 2 }));
  expect(licenseNumbers(await find())[0]).toBe("R-1");
  expect(licenseNumbers(await find({ name: "canyon" }))).toEqual(["R-1"]);
  expect(licenseNumbers(await find({ name: "green" }))).toEqual(["R-3"]);
  expect((await find({ name: "canyon" })).licenses[0]).toMatchObject({
    uniform_license_status_description: "Inactive",
    created_at: "2026-03-01T12:00:00.000Z",
    updated_at: "2026-03-01T12:01:00.000Z",
  });
});

test("an issue date is the day of the status of an active license alone", async () => {
  const issued = { status_date: "", issued_at: "5/1/2023", expires_at: "" };
  const statuses = ["Active", "Revoked", "Expired", "Under study", "Provisional"];
  await importRows(
    fileRows(statuses.map((status) => ({ ...issued, license_identifier: status, reported_license_status: status }))),
  );
  const { licenses } = await find();
  expect(Object.fromEntries(licenses.map((one) => [one.license_identifier, one.status_date]))).toEqual({
    ...Object.fromEntries(statuses.map((status) => [status, "2026-03-01"])),
    Active: "2023-05-01",
  });
});

test("licenses that a later file omits are kept", async () => {
  await importRows(fileRows([{}, { license_identifier: "R-2" }]));
  await importRows(fileRows([{ license_identifier: "R-2" }]));
  expect((await find()).total).toBe(2);
});

test("a thousand rows in random order, imported in parts over a generation, are listed newest first with the values of their file", async () => {
  const rowsOf = (from: number, to: number, licensee: string) =>
    Array.from({ length: to - from }, (_, i) => {
      const number = from + ((i * 331) % (to - from));
      const updated_at = number % 10 === 0 ? "" : new Date(Date.UTC(2025, 0, 1 + ((number * 7) % 50))).toISOString();
      return { license_identifier: `R-${number}`, licensee, updated_at };
    });
  await importRows(fileRows(rowsOf(0, 600, "First")));
  await importRows(fileRows(rowsOf(600, 800, "Oregon")), oregon);
  clock.advance(60_000);
  const {
    refused,
    notes: _notes,
    unknownStatuses: _unknownStatuses,
    ...counts
  } = await importRows(fileRows(rowsOf(300, 601, "Second")));
  expect([counts, refused]).toEqual([{ created: 1, changed: 300, unchanged: 0, missing: 0, unconfirmed: 300 }, []]);
  const { total, licenses } = await find();
  expect(total).toBe(801);
  const found = new Map(licenses.map((one) => [`${one.licensee} ${one.license_identifier}`, one]));
  for (let number = 0; number < 800; number++) {
    const licensee = number < 300 ? "First" : number < 600 ? "Second" : "Oregon";
    expect(found.has(`${licensee} R-${number}`), `${licensee} R-${number}`).toBe(true);
  }
  expect(found.has("Second R-600")).toBe(true);
  const dates = licenses.map(({ updated_at }) => updated_at);
  expect(dates).toEqual(dates.toSorted().reverse());
  expect(new Set(licenses.slice(0, 31).map(({ updated_at }) => updated_at))).toEqual(
    new Set([clock.now().toISOString()]),
  );
  expect((await find({ name: "second" })).total).toBe(301);
});

test("the same number in two states is two licenses", async () => {
  await importRows(fileRows([{}]));
  await importRows(fileRows([{ license_identifier: "r-1" }]), oregon);
  expect((await find({ licenseNumber: "r-1" })).total).toBe(2);
  expect((await find({ licenseNumber: "R-1", state: "OR" })).total).toBe(1);
});

test("different rows with one number are all rejected, and the stored license stays without being missing", async () => {
  await importRows(fileRows([{ reported_license_status: "Suspended" }, { license_identifier: "R-2" }]));
  const before = await find({ licenseNumber: "R-1" });
  const rows = [
    {},
    { license_identifier: "R-2" },
    { license_identifier: "r-1" },
    { reported_license_status: "Revoked" },
  ];
  expect(await importRows(fileRows(rows))).toEqual(
    importResult({
      unchanged: 1,
      refused: [
        { line: 2, reason: "has the same license as line 4; keep one of the two" },
        { line: 4, reason: "has the same license as line 2; keep one of the two" },
        { line: 5, reason: "has the same license as line 2; keep one of the two" },
      ],
    }),
  );
  expect(await find({ licenseNumber: "R-1" })).toEqual(before);
});

test("a row whose license a rejected row has, too, is rejected", async () => {
  await importRows(fileRows([{ reported_license_status: "Suspended" }]));
  const { changed, refused } = await importRows(
    fileRows([{ license_identifier: "R-1" }, { reported_license_status: "Revoked", expires_at: "2026-02-30" }]),
  );
  expect([changed, refused]).toEqual([
    0,
    [
      { line: 2, reason: "has the same license as line 3, which is rejected" },
      { line: 3, reason: "expires_at must be a date, yyyy-MM-dd or M/d/yyyy" },
    ],
  ]);
  expect((await find()).licenses[0]?.uniform_license_status_description).toBe("Inactive");
});

const rounded = "is a number that a spreadsheet has rounded, such as 1.23E+11; format the column as text";
const changed = "is a number that a spreadsheet has changed to a date, such as 2-Jan; format the column as text";

test("a number with a fraction of zeros or invisible characters is the same license", async () => {
  const rows = [
    { license_identifier: "12345.0" },
    { license_identifier: "12345" },
    { license_identifier: "12\u200B345" },
  ];
  const { created, refused } = await importRows(fileRows(rows));
  expect([created, refused.map(({ reason }) => reason)]).toEqual([
    1,
    Array(2).fill("has the same license as line 2; keep one of the two"),
  ]);
  expect((await find({ licenseNumber: "12345" })).licenses).toMatchObject([{ license_identifier: "12345" }]);
});

test.each(["N/A", "NULL", "TBD", "1/1/1900", "0001-01-01", "9999-12-31", "1970-01-01"])(
  "the date %s is unknown, and its row is imported",
  async (expires_at) => {
    const rows = fileRows([{ expires_at, updated_at: expires_at }]);
    const { created, refused } = await importRows(rows);
    expect([created, refused]).toEqual([1, []]);
    expect((await find()).licenses).toMatchObject([{ expires_at: null }]);
  },
);

test("unreadable rows are rejected with their line number, and the others are stored as specified", async () => {
  const { created, refused } = await importRows([
    ...fileRows([
      {},
      { license_identifier: "R-2", reported_license_status: " " },
      { license_identifier: "R-3", expires_at: "2026-02-30", med_rec_classification: "both ways" },
      { license_identifier: "R-4", address_region: "OR" },
      { license_identifier: "", licensee: "" },
      { license_identifier: "R-5", licensee: "x".repeat(256) },
      { license_identifier: "R-6", licensee: "two\nlines" },
      { license_identifier: "R-7", licensing_authority_name: "" },
      { license_identifier: "R-8", status_date: "" },
      { license_identifier: "2.91712E+19" },
      { license_identifier: "#REF!" },
      { license_identifier: "R-9", licensee: "Caf\uFFFD LLC" },
      { license_identifier: "2-Jan", address_postal_code: "########" },
      { license_identifier: "Grand Total" },
      { license_identifier: "810012345678901234.0" },
    ]),
    { line: 99, unreadable: "has 3 columns instead of 5" },
  ]);
  expect(created).toBe(1);
  expect(refused).toEqual([
    { line: 3, reason: "reported_license_status is required" },
    {
      line: 4,
      reason: "med_rec_classification is not a listed value; expires_at must be a date, yyyy-MM-dd or M/d/yyyy",
    },
    { line: 5, reason: "address_region is not CO" },
    { line: 6, reason: "license_identifier or licensee is required" },
    { line: 7, reason: "licensee must have at most 255 characters" },
    { line: 8, reason: "licensee must not contain line breaks or tabs" },
    { line: 9, reason: "licensing_authority_name or the option --authority is required" },
    { line: 10, reason: "status_date or issued_at is required" },
    { line: 11, reason: `license_identifier ${rounded}` },
    { line: 12, reason: "license_identifier is an error of a spreadsheet, such as #REF! or ####" },
    { line: 13, reason: "licensee has bytes that are not UTF-8, or control characters; save the file as UTF-8" },
    {
      line: 14,
      reason: `license_identifier ${changed}; address_postal_code is an error of a spreadsheet, such as #REF! or ####`,
    },
    { line: 15, reason: "license_identifier is the label of a total or another line of a report, not a license" },
    { line: 16, reason: `license_identifier ${rounded}` },
    { line: 99, reason: "has 3 columns instead of 5" },
  ]);
  for (const license of (await find()).licenses) expect(licenseSchema.parse(license)).toEqual(license);
});

test("each status without a certain meaning is counted once, without regard to letter case, and the most frequent comes first", async () => {
  const statuses = ["Active - Litigation Hold", "Delinquent", "DELINQUENT", "Active", "Not Active", "Conditional"];
  const rows = statuses.map((reported_license_status, i) => ({
    license_identifier: `R-${i}`,
    reported_license_status,
  }));
  const { unknownStatuses } = await importRows(fileRows(rows));
  expect(unknownStatuses).toEqual([
    { status: "Delinquent", rows: 2 },
    { status: "Active - Litigation Hold", rows: 1 },
  ]);
});

test("the uniform status of a row replaces the meaning of its reported status", async () => {
  const row = { reported_license_status: "Delinquent", uniform_license_status_description: "active" };
  expect(await importRows(fileRows([row]))).toMatchObject({ unknownStatuses: [] });
  expect((await find()).licenses[0]?.uniform_license_status_description).toBe("Active");
});
