import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { exampleLicense } from "../../../shared/api/operations/serviceProviders.ts";
import type { License } from "../../../shared/api/schemas/license.ts";
import { correctLicenseLists } from "../../../shared/domain/linkedLicenses/correctLicenseLists.ts";
import { readLicenseStates } from "../../../shared/domain/linkedLicenses/licenseStates.ts";
import { operator } from "../../../shared/domain/linkedLicenses/link.ts";
import { maxLinks, storeLink } from "../../../shared/domain/linkedLicenses/linkLicense.ts";
import { readLinks } from "../../../shared/domain/linkedLicenses/readLinks.ts";
import { unlinkLicense } from "../../../shared/domain/linkedLicenses/unlinkLicense.ts";
import type { Table } from "../../../shared/store/client.ts";
import { changeCrb, crbRetryOptions, createCrb, openCrbs } from "../../../shared/store/crbs.ts";
import { licensesKey } from "../../../shared/store/keys/licenses.ts";
import { retryOnConflict } from "../../../shared/store/retryOnConflict.ts";
import type { Clock } from "../../../shared/time/clock.ts";
import { crbRecord } from "../../crbRecord.ts";
import { createTestTable, testTableOf } from "../../testTable.ts";
import { RealRules } from "./realRules.ts";

const present = { generation: "one", ended: {}, days: {} };

/** A license that the CRB of `crbRecord` holds. */
const registered = (i: number) => ({
  license: { ...exampleLicense, licensee: "Test Dispensary LLC", license_identifier: `N-${i}` } as unknown as License,
  hash: String(i),
  register: "CO",
  registerDay: "2026-03-01",
  missingSince: undefined,
  readOn: null,
});
const idOf = (i: number) => `CO-${String(i).padStart(22, "0")}`;

test.each([1, 2, 3])(
  "no history of parallel calls exceeds the limit or leaves a wrong list (seed %i)",
  async (seed) => {
    const bare = await createTestTable();
    const world = new RealRules({ seed, start: "2026-03-01T10:00:00.000Z" });
    const [spId, crbId] = [randomUUID(), randomUUID()];
    await bare.put({ ...licensesKey, ...present });
    await createCrb(bare, { record: crbRecord(crbId), serviceProviderId: spId, connection: null });
    const linkOn = (table: Table, clock: Clock, i: number) =>
      retryOnConflict(
        clock,
        () =>
          storeLink(
            table,
            { spId, crbId, licenseId: idOf(i) },
            { registered: registered(i), present, linkedBy: operator },
            clock,
          ),
        crbRetryOptions,
      );
    for (let i = 0; i < maxLinks - 3; i++) await linkOn(bare, bare.clock, i);
    const table = testTableOf(bare, world.clock);
    world.attach(table);
    const outcomes = await world.run([
      ...Array.from({ length: 8 }, (_, i) => ({
        name: `link ${i}`,
        work: () => linkOn(table, world.clock, maxLinks + i),
      })),
      { name: "unlink", work: () => unlinkLicense(table, { spId, crbId, licenseId: idOf(0) }, world.clock) },
      {
        name: "rename",
        work: () =>
          changeCrb(table, crbId, (crb) => ({ ...crb, record: { ...crb.record, dba: "Maple" } }), world.clock, {
            compareHolders: (after) => readLicenseStates(table, { spId, crbId }, after),
          }),
      },
    ]);
    const linked = outcomes.slice(0, 8).filter(({ error }) => !error).length;
    for (const { name, error } of outcomes) {
      if (name.startsWith("link"))
        expect(error === undefined || /license_limit|can have 100/.test(String(error)), `${name} ${error}`).toBe(true);
      else expect(error, world.history()).toBeUndefined();
    }
    expect([3, 4]).toContain(linked);
    expect(await readLinks(bare, spId, crbId, { consistent: true })).toHaveLength(maxLinks - 4 + linked);
    expect(await correctLicenseLists(bare, spId, { clock: bare.clock, isCheck: true })).toBe(0);
    const page = await (await openCrbs(bare, spId, { offset: 0, limit: 5 }, "active")).read();
    expect(page.total).toBe(1);
  },
);
