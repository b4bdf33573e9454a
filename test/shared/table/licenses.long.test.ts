import { beforeAll, describe, expect, test } from "vitest";
import type { License } from "../../../shared/api/schemas/license.ts";
import { type FileRow, importRegister } from "../../../shared/licenses/importRegister.ts";
import type { Table } from "../../../shared/table/client.ts";
import { licenseList } from "../../../shared/table/keys.ts";
import { renewLicenseSets } from "../../../shared/table/licenseSetWriter.ts";
import { searchLicenses } from "../../../shared/table/licenses.ts";
import type { LicenseTerms } from "../../../shared/table/licenseTerms.ts";
import { changePackedLists } from "../../../shared/table/packedListWriter.ts";
import { countReadUnits } from "../../readUnits.ts";
import { createTestTable, testTableOf } from "../../testTable.ts";
import { fileRows } from "../licenses/registerFile.ts";

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
    const { records } = await (await searchLicenses(table, {}, { offset: 0, limit: 1 })).read();
    const license = JSON.parse(records[0] ?? "") as License;
    // A twenty-fifth of the licences, and a twentieth, which have a five-hundredth in common.
    const mixed = (number: number, factor: number) => (Math.imul(number + 1, factor) >>> 7) & 0xffff;
    const isLeaf = (number: number) => mixed(number, 0x9e3779b1) % 25 === 0;
    const isStorage = (number: number) => mixed(number, 0x85ebca6b) % 20 === 0;
    const word = (number: number) => Buffer.from(String((number * 7_919_317) % 10 ** 9)).toString("base64url");
    const change = new Map(
      Array.from({ length: count - 1 }, (_, i) => {
        const updated = new Date(Date.UTC(2026, 0, 1) - i * 311_000).toISOString();
        const body = JSON.stringify({
          ...license,
          licensee: `Green ${isLeaf(i) ? "Leaf" : ""} ${word(i)} ${word(i + 7)} LLC`,
          uniform_license_type_description: isStorage(i) ? "Storage" : "Cultivation",
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
    const changeOf = (has: (index: number) => boolean) => new Map([...change].filter((_, index) => has(index)));
    await changePackedLists(
      table,
      new Map([
        [licenseList("ALL"), change],
        [licenseList("WORD", "leaf"), changeOf(isLeaf)],
        [licenseList("TYPE", "Storage"), changeOf(isStorage)],
        [licenseList("STATE_TYPE", "CO/Storage"), changeOf(isStorage)],
      ]),
    );
    // These hold every licence, too, and are made by copying, which is quicker.
    for (const pk of [lists.state[0], lists.word[0]]) await copyList(licenseList("ALL"), pk);
    await renewLicenseSets(table);
  }, 240_000);

  async function copyList(from: string, to: string): Promise<void> {
    for (const { sk } of await table.queryPartition(to)) await table.delete({ pk: to, sk });
    const items = await table.queryPartition(from);
    for (let i = 0; i < items.length; i += 20) {
      await Promise.all(items.slice(i, i + 20).map((item) => table.put({ ...item, pk: to })));
    }
  }

  test.each(Object.keys(lists) as (keyof typeof lists)[])(
    "by %s cost thirty read units a page at most",
    async (name) => {
      for (const offset of [0, 250, 50_000, 99_850]) {
        const reader = testTableOf(table);
        const units = countReadUnits(reader);
        const { total, records } = await (await searchLicenses(reader, lists[name][1], { offset, limit: 100 })).read();
        expect([total, records.length]).toEqual([count, 100]);
        expect(Buffer.byteLength(records.join()) / 100).toBeGreaterThan(1100);
        expect(units()).toBeGreaterThan(1);
        expect(units()).toBeLessThan(30);
      }
    },
  );

  test.each<[string, LicenseTerms, number]>([
    ["two words", { name: "leaf green" }, 4_000],
    ["a state and a word", { state: "CO", name: "leaf" }, 4_000],
    ["a type and a word", { licenseType: "Storage", name: "leaf" }, 200],
    ["a state, a type and a word", { state: "CO", licenseType: "Storage", name: "leaf" }, 200],
    ["the commonest values", { state: "CO", name: "green" }, count],
  ])("by %s cost fifty read units a page at most", async (_, terms, about) => {
    const { total } = await (await searchLicenses(table, terms, { offset: 0, limit: 1 })).read();
    expect(total / about).toBeCloseTo(1, 0.5);
    for (const offset of [0, total - 100]) {
      const reader = testTableOf(table);
      const units = countReadUnits(reader);
      const { records } = await (await searchLicenses(reader, terms, { offset, limit: 100 })).read();
      expect(records).toHaveLength(100);
      expect(units()).toBeGreaterThan(1);
      expect(units()).toBeLessThan(50);
    }
  });

  test("cost no more than two to see that nothing has changed", async () => {
    for (const [, terms] of Object.values(lists)) {
      const reader = testTableOf(table);
      const units = countReadUnits(reader);
      await searchLicenses(reader, terms, { offset: 0, limit: 100 });
      expect(units()).toBeLessThanOrEqual(2);
    }
  });

  test("by number cost one", async () => {
    const reader = testTableOf(table);
    const units = countReadUnits(reader);
    expect(
      (await (await searchLicenses(reader, { licenseNumber: "r-1" }, { offset: 0, limit: 100 })).read()).total,
    ).toBe(1);
    expect(units()).toBeLessThanOrEqual(1);
  });
});
