import { beforeAll, describe, expect, test } from "vitest";
import type { License } from "../../../shared/api/schemas/license.ts";
import { type FileRow, importRegister } from "../../../shared/licenses/importRegister.ts";
import type { Table } from "../../../shared/table/client.ts";
import { licenseList } from "../../../shared/table/keys.ts";
import { searchLicenses } from "../../../shared/table/licenses.ts";
import type { LicenseTerms } from "../../../shared/table/licenseTerms.ts";
import { changePackedLists } from "../../../shared/table/packedListWriter.ts";
import { countReadUnits } from "../../readUnits.ts";
import { createTestTable, testTableOf } from "../../testTable.ts";
import { fileRows } from "../licenses/registerFile.ts";

const types = ["Retail Store", "Cultivation Facility", "Laboratory", "Something Else"];
const names = [
  "Green Leaf LLC",
  "Greenhouse & Sons",
  "GREEN-ACRES, Inc.",
  "Évergreen Farm",
  "Mary's Garden",
  "Summit Collective",
  "A B C",
  "Straße 9",
];

/** What the contract says of a search, said once more and in another way. */
function expected(all: readonly License[], terms: LicenseTerms): License[] {
  const words = (text: string) =>
    text
      .toLowerCase()
      .replace(/['’]/g, "")
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return all
    .filter((one) => {
      const held = words([one.licensee, ...one.businesses.map(({ name }) => name)].join(" "));
      const { region, country } = one.licensing_authority_address;
      const state = { CAN: country === "Canada", NLA: one.licensing_authority_name === "" } as Record<string, boolean>;
      return (
        (!terms.licenseNumber || one.license_identifier?.toUpperCase() === terms.licenseNumber.toUpperCase()) &&
        (!terms.licenseType || one.uniform_license_type_description === terms.licenseType) &&
        (!terms.state || (state[terms.state] ?? region === terms.state)) &&
        (!terms.name || words(terms.name).every((word) => held.some((each) => each.indexOf(word) === 0)))
      );
    })
    .sort((a, b) => Date.parse(b.updated_at) - Date.parse(a.updated_at));
}

describe("a search of licences", () => {
  let table: Table;
  let all: License[];
  beforeAll(async () => {
    table = await createTestTable();
    const pick = <Value>(values: readonly Value[], index: number) => values[index % values.length] as Value;
    for (const [index, state] of (["CO", "OR", "CAN", "NLA"] as const).entries()) {
      const rows = Array.from({ length: 130 }, (_, i) => ({
        licensee: pick(names, i + index),
        license_identifier: i % 11 === 0 ? "" : `${i % 2 ? "a" : "B"}-${i}`,
        locality: `Place ${i}`,
        businesses: i % 5 === 0 ? `Trading ${pick(names, i * 3)}; Other One` : "",
        reported_license_type_description: pick(types, i),
        address_region: state === "CAN" ? "ON" : "",
        // Each moment once, so that the order is one.
        updated_at: new Date(Date.UTC(2026, 0, 1) + ((i * 37) % 130) * 86_400_000 + index * 1000).toISOString(),
      }));
      const { refused } = await importRegister(table, { state, authority: "" }, fileRows(rows));
      expect(refused).toEqual([]);
    }
    const { records } = await searchLicenses(table, {}, { offset: 0, limit: 1000 });
    all = records.map((text) => JSON.parse(text));
  });

  test("without terms gives all, newest first", () => {
    expect(all).toHaveLength(520);
    expect(all).toEqual(expected(all, {}));
  });

  const each: LicenseTerms[] = [
    { state: "CO" },
    { state: "CAN" },
    { state: "NLA" },
    { state: "WY" },
    { licenseType: "Retail/Dispensary" },
    { licenseType: "Unknown" },
    { licenseType: "Hemp" },
    { licenseNumber: "A-7" },
    { licenseNumber: "b-2" },
    { licenseNumber: "b" },
    { name: "g" },
    { name: "green" },
    { name: "greenh" },
    { name: "GREEN  leaf" },
    { name: "leaf gre" },
    { name: "mary's" },
    { name: "Marys gard" },
    { name: "évergreen" },
    { name: "evergreen" },
    { name: "straße" },
    { name: "trading other farm" },
    { name: "b" },
    { name: "summit summit sum s" },
    { name: "a b c d e f g h i j k" },
    { name: "house" },
    { name: "acresacresacresacresacresacres" },
  ];
  const pairs = each.flatMap((one, i) => each.slice(i).map((other) => ({ ...one, ...other })));

  test("by each term, and each with each, gives what the contract says, in any page", async () => {
    for (const terms of [...pairs, { state: "CO", licenseType: "Testing", name: "green" } as const]) {
      const wanted = expected(all, terms);
      const { total, records } = await searchLicenses(table, terms, { offset: 3, limit: 20 });
      expect(total, JSON.stringify(terms)).toBe(wanted.length);
      expect(
        records.map((text) => JSON.parse(text)),
        JSON.stringify(terms),
      ).toEqual(wanted.slice(3, 23));
    }
    expect(pairs.filter((terms) => expected(all, terms).length > 0).length).toBeGreaterThan(100);
  });

  test("for a name without letter or digit finds nobody", async () => {
    expect(await searchLicenses(table, { name: "&" }, { offset: 0, limit: 10 })).toEqual({ total: 0, records: [] });
  });
});

describe("a hundred thousand licences", () => {
  let table: Table;
  const count = 100_000;
  const lists = {
    state: [licenseList("STATE", "CO"), { state: "CO" }],
    word: [licenseList("WORD", "green"), { name: "Green" }],
    everything: [licenseList("ALL"), {}],
  } as const satisfies Record<string, readonly [string, LicenseTerms]>;

  beforeAll(async () => {
    table = await createTestTable();
    // One licence as an import stores it, then as many unlike it, in every list: more than any search would meet.
    const sample: FileRow[] = fileRows([{ businesses: "Green Leaf of Denver", individuals: "Marisol Trujillo" }]);
    await importRegister(table, { state: "CO", authority: "" }, sample);
    const { records } = await searchLicenses(table, {}, { offset: 0, limit: 1 });
    const license = JSON.parse(records[0] ?? "") as License;
    const word = (number: number) => Buffer.from(String((number * 7_919_317) % 10 ** 9)).toString("base64url");
    const change = new Map(
      Array.from({ length: count - 1 }, (_, i) => {
        const updated = new Date(Date.UTC(2026, 0, 1) - i * 311_000).toISOString();
        const body = JSON.stringify({
          ...license,
          licensee: `Green ${word(i)} ${word(i + 7)} LLC`,
          license_identifier: `402R-${word(i + 3)}`,
          locality: word(i % 500),
          licensing_authority_address: { ...license.licensing_authority_address, street: `${i} Main Street` },
          status_date: updated.slice(0, 10),
          issued_at: new Date(Date.UTC(2020, 0, 1) - i * 97_000).toISOString().slice(0, 10),
          created_at: new Date(Date.UTC(2025, 0, 1) - i * 13_000).toISOString(),
          updated_at: updated,
          edited_at: updated,
          businesses: [{ name: `Green ${word(i + 11)}` }],
          individuals: [{ name: `${word(i + 13)} ${word(i + 17)}` }],
        });
        return [`${updated} CO ${word(i + 23)}${i}`, body] as const;
      }),
    );
    await changePackedLists(table, new Map(Object.values(lists).map(([pk]) => [pk, change])));
  }, 240_000);

  test.each(Object.keys(lists) as (keyof typeof lists)[])(
    "by %s cost thirty read units a page at most",
    async (name) => {
      for (const offset of [0, 250, 50_000, 99_850]) {
        const reader = testTableOf(table);
        const units = countReadUnits(reader);
        const { total, records } = await searchLicenses(reader, lists[name][1], { offset, limit: 100 });
        expect([total, records.length]).toEqual([count, 100]);
        expect(Buffer.byteLength(records.join()) / 100).toBeGreaterThan(1100);
        expect(units()).toBeGreaterThan(1);
        expect(units()).toBeLessThan(30);
      }
    },
  );

  test("by number cost one", async () => {
    const reader = testTableOf(table);
    const units = countReadUnits(reader);
    expect((await searchLicenses(reader, { licenseNumber: "r-1" }, { offset: 0, limit: 100 })).total).toBe(1);
    expect(units()).toBeLessThanOrEqual(1);
  });
});
