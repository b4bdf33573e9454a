import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { kindsByName } from "../../shared/api/kinds.ts";
import { connectorProofs, type ReadablePosType, readablePosTypes } from "../../shared/api/pos/connectorProofs.ts";
import { lacks } from "../../shared/api/pos/posTypes.ts";

const words = ["Nine", "Ten", "Eleven", "Twelve", "Thirteen", "Fourteen", "Fifteen", "Sixteen", "Seventeen"];
const sentence = `${words[readablePosTypes.length - 9]} POS systems can be read; none has been read in production.`;

function expectedRow(posType: ReadablePosType): string[] {
  const missing = Object.entries(kindsByName).flatMap(([name, kind]) => (lacks(posType, kind) ? [name] : []));
  return [posType, missing.length === 0 ? "all" : `all but ${missing.join(", ")}`, connectorProofs[posType]];
}

/** The rows below the header of a table, as cells without backticks. */
function rowsOf(text: string, header: string): string[][] {
  const [, table = ""] = text.split(`${header}\n`);
  const rows = (table.split("\n\n")[0] ?? "").split("\n").slice(1);
  return rows
    .map((row) => row.replaceAll("`", "").split("|").slice(1, -1))
    .map((row) => row.map((cell) => cell.trim()));
}

const { description } = JSON.parse(readFileSync("docs/openapi.json", "utf8")).info;
const readme = readFileSync("docs/pos/README.md", "utf8");
const rows = rowsOf(readme, "| POS type | Kinds of records | Proof | Page |");

test.each([
  ["README.md", readFileSync("README.md", "utf8")],
  ["docs/pos/README.md", readme],
  ["the API description", description],
])("%s counts the POS systems that can be read, and says that none has been read in production", (_, text) => {
  expect(text).toContain(sentence);
});

test("the tables have every POS type that can be read, with its kinds of records and its proof", () => {
  const expected = readablePosTypes.map(expectedRow);
  expect(rows.map((row) => row.slice(0, 3))).toEqual(expected);
  expect(rowsOf(description, "| `pos_type` | Kinds of records | Proof |")).toEqual(expected);
});

test("the page of each POS type states its proof", () => {
  const pageIn = (link = "") => /\(([^#)]+)/.exec(link)?.[1] ?? "";
  for (const [posType = "", , , link] of rows) {
    const page = pageIn(link);
    const text = readFileSync(`docs/pos/${page}`, "utf8");
    expect(text, page).toContain(`\`${posType}\``);
    const proofs = rows.filter((row) => pageIn(row[3]) === page).map(([, , proof]) => `Proof: **${proof}**`);
    expect(text.match(/Proof: \*\*[^*]+\*\*/g)?.sort(), page).toEqual([...new Set(proofs)].sort());
  }
});
