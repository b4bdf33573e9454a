import fc from "fast-check";
import { expect, test } from "vitest";
import { uniformLicenseTypes } from "../../../../shared/api/enumerations.ts";
import { searchLicenses as operation } from "../../../../shared/api/operations/serviceProviders.ts";
import { type License, license } from "../../../../shared/api/schemas/license.ts";
import type { LicenseTerms } from "../../../../shared/domain/licenses/licenseTerms.ts";
import { replacePresent } from "../../../../shared/domain/licenses/presentGeneration.ts";
import { searchLicenses } from "../../../../shared/domain/licenses/searchLicenses.ts";
import { writeGeneration } from "../../../../shared/domain/licenses/writeGeneration.ts";
import { licensesKey } from "../../../../shared/store/keys/licenses.ts";
import { expectedLicenses } from "./expectedLicenses.ts";
import { hostileName } from "./hostileNames.ts";
import { useLicenseStores } from "./useLicenseStores.ts";

const createStores = useLicenseStores();
const sample = license.parse(operation.success.example.data[0]);

const aLicense: fc.Arbitrary<License> = fc
  .record({
    licensee: fc.option(hostileName),
    number: fc.option(fc.oneof(hostileName, fc.constantFrom("R-1", "r-1", "R-10", "İ"))),
    businesses: fc.array(hostileName, { maxLength: 3 }),
    region: fc.constantFrom("CO", "OR", "co", "__proto__", null),
    country: fc.constantFrom("Canada", "United States", null),
    authority: fc.constantFrom("", "Board"),
    type: fc.constantFrom(...uniformLicenseTypes.slice(0, 3)),
  })
  .map(({ licensee, number, businesses, region, country, authority, type }) => ({
    ...sample,
    licensee,
    license_identifier: number,
    businesses: businesses.map((name) => ({ name })),
    licensing_authority_name: authority,
    licensing_authority_address: { ...sample.licensing_authority_address, region, country },
    uniform_license_type_description: type,
  }));

/** Prefixes of some words of a name, in upper case. */
const prefixesOf = (name: string) =>
  fc
    .array(fc.tuple(fc.constantFrom(...name.split(/\s+/)), fc.integer({ min: 1, max: 9 })), {
      minLength: 1,
      maxLength: 3,
    })
    .map((words) => words.map(([word, length]) => word.slice(0, length).toUpperCase()).join(" "));

/** At most two terms, usually values of one of the licenses. */
const someTerms = (all: readonly License[]): fc.Arbitrary<LicenseTerms> =>
  fc.constantFrom(...all).chain(({ licensee, license_identifier: number, businesses, ...one }) => {
    const mostly = <Value>(...arbitraries: fc.Arbitrary<Value>[]) =>
      fc.oneof(...arbitraries.map((arbitrary, i) => ({ weight: i === 0 ? 1 : 4, arbitrary })));
    const terms = fc.record({
      licenseNumber: mostly(hostileName, fc.constant((number ?? "R-1").toUpperCase())),
      name: mostly(hostileName, ...[licensee ?? "g", ...businesses.map(({ name }) => name)].map(prefixesOf)),
      state: fc.constantFrom("CO", "OR", "CAN", "NLA"),
      licenseType: mostly(fc.constant(uniformLicenseTypes[3]), fc.constant(one.uniform_license_type_description)),
    } satisfies { [Name in keyof LicenseTerms]: unknown });
    const names = fc.subarray(["licenseNumber", "name", "state", "licenseType"] as const, { maxLength: 2 });
    return fc
      .tuple(terms, names)
      .map(([values, some]): LicenseTerms => Object.fromEntries(some.map((name) => [name, values[name]])));
  });

const cases = fc
  .array(aLicense, { minLength: 20, maxLength: 60, size: "max" })
  .chain((all) => fc.tuple(fc.constant(all), fc.array(someTerms(all), { minLength: 10, maxLength: 20 })));

test("any search of any licenses finds those that the specification says, in order, on each page", async () => {
  const stores = await createStores();
  let found = 0;
  await fc.assert(
    fc.asyncProperty(
      cases,
      fc.constantFrom(0, 0, 1, 9),
      fc.integer({ min: 1, max: 20 }),
      async ([all, searches], offset, limit) => {
        const entry = { state: "CO", id: "", hash: "", created: "", updated: "" };
        const records = (async function* () {
          for (const one of all) yield { entry, body: JSON.stringify(one) };
        })();
        const name = await writeGeneration(stores.bucket, records);
        await stores.table.delete(licensesKey);
        await replacePresent(stores.table, undefined, { generation: name, days: {} }, new Date());
        for (const terms of searches) {
          const expected = expectedLicenses(all, terms);
          const page = await (await searchLicenses(stores, terms, { offset, limit })).read();
          expect(page.total).toBe(expected.length);
          expect(page.records).toEqual(expected.slice(offset, offset + limit).map((one) => JSON.stringify(one)));
          if (page.total > 0) found++;
        }
      },
    ),
    { numRuns: 60 },
  );
  expect(found).toBeGreaterThan(300);
});
