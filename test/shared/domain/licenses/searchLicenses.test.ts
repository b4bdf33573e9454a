import { beforeAll, describe, expect, test } from "vitest";
import type { License } from "../../../../shared/api/schemas/license.ts";
import { importRegister } from "../../../../shared/domain/licenses/importRegister.ts";
import type { LicenseTerms } from "../../../../shared/domain/licenses/licenseTerms.ts";
import { type LicenseStores, searchLicenses } from "../../../../shared/domain/licenses/searchLicenses.ts";
import { expectedLicenses } from "./expectedLicenses.ts";
import { fileRows } from "./registerFile.ts";
import { useLicenseStores } from "./useLicenseStores.ts";

const createStores = useLicenseStores();
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

describe("a search of licenses", () => {
  let stores: LicenseStores;
  let all: License[];
  beforeAll(async () => {
    stores = await createStores();
    const pick = <Value>(values: readonly Value[], index: number) => values[index % values.length] as Value;
    for (const [index, state] of (["CO", "OR", "CAN", "NLA"] as const).entries()) {
      const rows = Array.from({ length: 130 }, (_, i) => ({
        licensee: pick(names, i + index),
        license_identifier: i % 11 === 0 ? "" : `${i % 2 ? "a" : "B"}-${i}`,
        locality: `Place ${i}`,
        businesses: i % 5 === 0 ? `Trading ${pick(names, i * 3)}; Other One` : "",
        reported_license_type_description: pick(types, i),
        address_region: state === "CAN" ? "ON" : "",
        // Each time occurs once, so that the order is unambiguous.
        updated_at: new Date(Date.UTC(2026, 0, 1) + ((i * 37) % 130) * 86_400_000 + index * 1000).toISOString(),
      }));
      const { refused } = await importRegister(stores, { state, authority: "" }, fileRows(rows));
      expect(refused).toEqual([]);
    }
    const { records } = await (await searchLicenses(stores, {}, { offset: 0, limit: 1000 })).read();
    all = records.map((text) => JSON.parse(text));
  });

  test("without terms returns all, newest first", () => {
    expect(all).toHaveLength(520);
    expect(all).toEqual(expectedLicenses(all, {}));
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

  test("by each term, and by each pair of terms, returns what the specification says, on any page", async () => {
    for (const terms of [...pairs, { state: "CO", licenseType: "Testing", name: "green" } as const]) {
      const expected = expectedLicenses(all, terms);
      const { total, records } = await (await searchLicenses(stores, terms, { offset: 3, limit: 20 })).read();
      expect(total, JSON.stringify(terms)).toBe(expected.length);
      expect(
        records.map((text) => JSON.parse(text)),
        JSON.stringify(terms),
      ).toEqual(expected.slice(3, 23));
    }
    expect(pairs.filter((terms) => expectedLicenses(all, terms).length > 0).length).toBeGreaterThan(100);
  });

  test("for a name without a letter or digit finds nothing", async () => {
    expect(await (await searchLicenses(stores, { name: "&" }, { offset: 0, limit: 10 })).read()).toEqual({
      total: 0,
      records: [],
    });
  });
});
