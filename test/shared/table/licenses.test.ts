import { beforeAll, describe, expect, test } from "vitest";
import type { License } from "../../../shared/api/schemas/license.ts";
import { importRegister } from "../../../shared/licenses/importRegister.ts";
import type { Table } from "../../../shared/table/client.ts";
import { renewLicenseSets } from "../../../shared/table/licenseSetWriter.ts";
import { searchLicenses } from "../../../shared/table/licenses.ts";
import type { LicenseTerms } from "../../../shared/table/licenseTerms.ts";
import { createTestTable, testTableOf } from "../../testTable.ts";
import { fileRows } from "../licenses/registerFile.ts";
import { interceptCalls } from "./rankedList/listUnderTest.ts";

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
    await renewLicenseSets(table, few);
    await readAll();
  });
  const few = 5;
  const readAll = async () => {
    const { records } = await (await searchLicenses(table, {}, { offset: 0, limit: 1000 })).read();
    all = records.map((text) => JSON.parse(text));
  };

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

  const expectAsTheContractSays = async (lists: number | undefined, every = 1) => {
    const some = pairs.filter((_, index) => index % every === 0);
    for (const terms of [...some, { state: "CO", licenseType: "Testing", name: "green" } as const]) {
      const wanted = expected(all, terms);
      const { total, records } = await (await searchLicenses(table, terms, { offset: 3, limit: 20 }, lists)).read();
      expect(total, JSON.stringify(terms)).toBe(wanted.length);
      expect(
        records.map((text) => JSON.parse(text)),
        JSON.stringify(terms),
      ).toEqual(wanted.slice(3, 23));
    }
  };

  test("by each term, and each with each, gives what the contract says, in any page", async () => {
    await expectAsTheContractSays(undefined);
    expect(pairs.filter((terms) => expected(all, terms).length > 0).length).toBeGreaterThan(100);
  });

  test("gives the same where it knows from sets what lists have in common", () => expectAsTheContractSays(few));

  test("believes no set that was made before its list changed, nor those of two numberings", async () => {
    const rows = Array.from({ length: 10 }, (_, i) => ({
      licensee: "Green Leaf Retail",
      license_identifier: `late-${i}`,
      reported_license_type_description: "Retail Store",
      updated_at: new Date(Date.UTC(2026, 1, 1) + i * 86_400_000 + 7).toISOString(),
    }));
    await importRegister(table, { state: "CO", authority: "" }, fileRows(rows));
    await readAll();
    await expectAsTheContractSays(few, 4);
    // Killed before all of them are made: some have the new numbers, others still the old ones.
    const mortal = testTableOf(table);
    let puts = 0;
    interceptCalls(mortal).before = (command) => {
      if (command === "PutItemCommand" && ++puts > 25) throw new Error("killed");
    };
    await expect(renewLicenseSets(mortal, few)).rejects.toThrow("killed");
    await expectAsTheContractSays(few, 4);
    await renewLicenseSets(table, few);
    await expectAsTheContractSays(few, 4);
  });

  test("for a name without letter or digit finds nobody", async () => {
    expect(await (await searchLicenses(table, { name: "&" }, { offset: 0, limit: 10 })).read()).toEqual({
      total: 0,
      records: [],
    });
  });
});
