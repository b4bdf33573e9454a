import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { openUpload } from "../../../../infra/tools/operator/uploadRows.ts";
import { uploadedRecords } from "../../../../shared/pos/upload/uploadedRecords.ts";
import { uploadConnection } from "../../../uploadConnection.ts";

const file = join(mkdtempSync(join(inject("temporaryDirectory"), "rows-")), "rows.csv");
const schemas = uploadedRecords(uploadConnection());

/** The rows of a file of locations: the line with the id, or with the reason for which the row is rejected. */
async function rowsOf(text: string): Promise<string[]> {
  writeFileSync(file, text);
  const rows = await Array.fromAsync(openUpload(file, "location", schemas, () => undefined).rows);
  return rows.map((row) => {
    if ("unreadable" in row) return `${row.line} ${row.unreadable}`;
    return `${row.line} ${Object.values(row.value as object).join("|")}`;
  });
}

const names = "pos_location_id,name";

test.each([
  ["is empty", `${names},,\nL1,Vault,,\nL2,Floor\n`, ["2 L1|Vault", "3 L2|Floor"]],
  ["is empty between others", "pos_location_id,,name\nL1,,Vault\nL2, ,Floor\n", ["2 L1|Vault", "3 L2|Floor"]],
  ["numbers the rows from 0", `,${names}\n0,L1,Vault\n1,L2,Floor\n`, ["2 L1|Vault", "3 L2|Floor"]],
  ["numbers the rows from 1, in quotes", `"",${names}\n"1",L1,Vault\n"2",L2,Floor\n`, ["2 L1|Vault", "3 L2|Floor"]],
  ["was read again by pandas", `Unnamed: 0,${names}\n0,L1,Vault\n`, ["2 L1|Vault"]],
  [
    "was read twice by pandas",
    `Unnamed: 0.1,Unnamed: 0,${names}\n0,0,L1,Vault\n1,3,L2,Floor\n`,
    ["2 L1|Vault", "3 unnamed_column"],
  ],
  [
    "was named by a program",
    `...1,${names},Column3,__EMPTY_1\n1,L1,Vault,,\n2,L2,Floor,,x\n`,
    ["2 L1|Vault", "3 unnamed_column"],
  ],
  [
    "numbers rows around an unreadable one",
    `,${names}\n0,L1,Vault\n1,L"2,Floor\n2,L3,Bar\n`,
    ["2 L1|Vault", "3 stray_quote", "4 L3|Bar"],
  ],
  [
    "has no numbers of rows",
    `,${names}\n7,L1,Vault\nx,L2,Floor\n,L3,Bar\n`,
    ["2 unnamed_column", "3 unnamed_column", "4 L3|Bar"],
  ],
  [
    "counts down",
    `,${names}\n1,L1,Vault\n0,L2,Floor\n1,L3,Bar\n`,
    ["2 L1|Vault", "3 unnamed_column", "4 unnamed_column"],
  ],
  ["has decimals", `,${names}\n0.5,L1,Vault\n`, ["2 unnamed_column"]],
  ["is not the first and numbers the rows", "pos_location_id,,name\nL1,0,Vault\n", ["2 unnamed_column"]],
])("a column without a name that %s loses no value", async (_, text, rows) => expect(await rowsOf(text)).toEqual(rows));

test("a customer's row without its first value is rejected, because the name would be its id", async () => {
  writeFileSync(file, "pos_customer_id,first_name,city\nC1,Ana,\nAna,Durango\nC2,Ben,Cortez,\n");
  const { rows } = openUpload(file, "customer", schemas, () => undefined);
  expect(await Array.fromAsync(rows)).toEqual([
    { line: 2, value: { pos_customer_id: "C1", first_name: "Ana" } },
    { line: 3, unreadable: "column_count" },
    { line: 4, value: { pos_customer_id: "C2", first_name: "Ben", city: "Cortez" } },
  ]);
});

test("a column with another name is still rejected", async () => {
  await expect(rowsOf(`,${names},nme\n0,L1,Vault,x\n`)).rejects.toThrow('"nme" (column 4');
});
