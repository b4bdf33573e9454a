import { beforeEach, describe, expect, test } from "vitest";
import { type License, license as licenseSchema } from "../../../shared/api/schemas/license.ts";
import { freeImport, ImportHeldError, importRegister } from "../../../shared/licenses/importRegister.ts";
import type { Table } from "../../../shared/table/client.ts";
import { licenseList, packedSetKey } from "../../../shared/table/keys.ts";
import { searchLicenses } from "../../../shared/table/licenses.ts";
import { createTestTable, testTableOf } from "../../testTable.ts";
import { interceptCalls, TestClock } from "../table/rankedList/listUnderTest.ts";
import { fileRows } from "./registerFile.ts";

let table: Table;
let clock: TestClock;
beforeEach(async () => {
  table = await createTestTable();
  clock = new TestClock("2026-03-01T12:00:00.000Z");
});

const register = { state: "CO", authority: undefined } as const;

async function find(terms: Parameters<typeof searchLicenses>[1] = {}) {
  const { total, records } = await (await searchLicenses(table, terms, { offset: 0, limit: 1000 })).read();
  return { total, licenses: records.map((text) => JSON.parse(text) as License) };
}
const numbersOf = ({ licenses }: Awaited<ReturnType<typeof find>>) =>
  licenses.map(({ license_identifier: number }) => number);

test("the same file again changes nothing, a changed row is moved to the front and found by its new values", async () => {
  const rows: Record<string, string>[] = [
    {},
    { license_identifier: "R-2", licensee: "Blue Ridge" },
    { license_identifier: "R-3" },
  ];
  const first = await importRegister(table, register, fileRows(rows), { clock });
  expect(first).toEqual({ created: 3, changed: 0, unchanged: 0, refused: [] });
  const before = await find();
  expect(before.total).toBe(3);
  expect(before.licenses[0]).toMatchObject({ updated_at: "2026-03-01T12:00:00.000Z" });

  clock.advance(60_000);
  const again = await importRegister(table, register, fileRows(rows), { clock });
  expect(again).toEqual({ created: 0, changed: 0, unchanged: 3, refused: [] });
  expect(await find()).toEqual(before);

  rows[0] = { licensee: "Red Canyon", reported_license_status: "Expired" };
  const changed = await importRegister(table, register, fileRows(rows), { clock });
  expect(changed).toEqual({ created: 0, changed: 1, unchanged: 2, refused: [] });
  expect(numbersOf(await find())[0]).toBe("R-1");
  expect(numbersOf(await find({ name: "canyon" }))).toEqual(["R-1"]);
  expect(numbersOf(await find({ name: "green" }))).toEqual(["R-3"]);
  expect((await find({ name: "canyon" })).licenses[0]).toMatchObject({
    uniform_license_status_description: "Inactive",
    created_at: "2026-03-01T12:00:00.000Z",
    updated_at: "2026-03-01T12:01:00.000Z",
  });
});

test("a register of more than a thousand licences makes sets of the big lists, anew when something has changed", async () => {
  const rows = Array.from({ length: 1_005 }, (_, i) => ({
    licensee: "A",
    license_identifier: i < 3 ? String(i) : "0",
    licensing_authority_name: String(i),
  }));
  const setOf = (pk: string) => table.get(packedSetKey(pk), { consistent: true });
  const made = async () =>
    Promise.all([licenseList("ALL"), licenseList("WORD", "a"), licenseList("NUMBER", "1")].map(setOf));
  await importRegister(table, register, fileRows(rows), { clock });
  const first = await made();
  expect(first).toEqual([expect.anything(), expect.anything(), undefined]);
  await importRegister(table, register, fileRows(rows), { clock });
  expect(await made()).toEqual(first);
  await importRegister(table, register, fileRows([...rows, { license_identifier: "new" }]), { clock });
  const [all, word] = await made();
  expect(all?.generation).not.toBe(first[0]?.generation);
  expect(word?.generation).toBe(all?.generation);
});

test("what a later file leaves out stays", async () => {
  await importRegister(table, register, fileRows([{}, { license_identifier: "R-2" }]), { clock });
  await importRegister(table, register, fileRows([{ license_identifier: "R-2" }]), { clock });
  expect((await find()).total).toBe(2);
});

test("a number that two states give is two licences; the same one twice in a file is refused", async () => {
  await importRegister(table, register, fileRows([{}]), { clock });
  const oregon = { state: "OR", authority: undefined } as const;
  const { refused } = await importRegister(table, oregon, fileRows([{}, { license_identifier: "r-1" }]), { clock });
  expect(refused).toEqual([{ line: 3, reason: "is the same licence as line 2" }]);
  expect((await find({ licenseNumber: "r-1" })).total).toBe(2);
  expect((await find({ licenseNumber: "R-1", state: "OR" })).total).toBe(1);
});

test("rows that cannot be read are refused by line, the others taken as the contract has them", async () => {
  const { created, refused } = await importRegister(
    table,
    register,
    [
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
      ]),
      { line: 99, unreadable: "has 3 columns instead of 5" },
    ],
    { clock },
  );
  expect(created).toBe(1);
  expect(refused).toEqual([
    { line: 3, reason: "reported_license_status is required" },
    {
      line: 4,
      reason: "med_rec_classification is none of the listed values; expires_at must be a date, yyyy-MM-dd or M/d/yyyy",
    },
    { line: 5, reason: "address_region is not CO" },
    { line: 6, reason: "license_identifier or licensee is required" },
    { line: 7, reason: "licensee must have at most 255 characters" },
    { line: 8, reason: "licensee must hold no control characters" },
    { line: 9, reason: "licensing_authority_name is required, or --authority" },
    { line: 10, reason: "status_date or issued_at is required" },
    { line: 99, reason: "has 3 columns instead of 5" },
  ]);
  for (const license of (await find()).licenses) expect(licenseSchema.parse(license)).toEqual(license);
});

describe("an import that was killed", () => {
  const rows = [{ licensee: "Blue Ridge" }, { license_identifier: "R-2" }, { license_identifier: "R-3" }];

  test.each(Array.from({ length: 24 }, (_, i) => i))(
    "at call %i is finished by the next one, of any file",
    async (at) => {
      await importRegister(table, register, fileRows([{}, { license_identifier: "R-2", licensee: "Old" }]), { clock });
      const mortal = testTableOf(table);
      const calls = interceptCalls(mortal);
      let count = 0;
      const kill = () => {
        if (count++ >= Math.floor(at / 2)) throw new Error("killed");
      };
      if (at % 2) calls.after = kill;
      else calls.before = kill;
      await importRegister(mortal, register, fileRows(rows), { clock }).catch((error: Error) =>
        expect(error.message).toBe("killed"),
      );
      await freeImport(table);
      clock.advance(60_000);
      await importRegister(table, register, [], { clock });
      const left = await find();
      const one = left.licenses.find(({ license_identifier: number }) => number === "R-1");
      expect(numbersOf(await find({ name: "ridge" }))).toEqual(one?.licensee === "Blue Ridge" ? ["R-1"] : []);
      await importRegister(table, register, fileRows(rows), { clock });
      expect(numbersOf(await find()).sort()).toEqual(["R-1", "R-2", "R-3"]);
      expect(numbersOf(await find({ name: "green" })).sort()).toEqual(["R-2", "R-3"]);
      expect(numbersOf(await find({ name: "blue" }))).toEqual(["R-1"]);
      expect(await find({ name: "old" })).toEqual({ total: 0, licenses: [] });
    },
  );

  test("keeps another one waiting for two minutes", async () => {
    const mortal = testTableOf(table);
    interceptCalls(mortal).before = (command) => {
      if (command === "TransactWriteItemsCommand") throw new Error("killed");
    };
    await expect(importRegister(mortal, register, fileRows(rows), { clock })).rejects.toThrow("killed");
    await expect(importRegister(table, register, fileRows(rows), { clock })).rejects.toThrow(ImportHeldError);
    clock.advance(121_000);
    expect((await importRegister(table, register, fileRows(rows), { clock })).created).toBe(3);
  });
});
