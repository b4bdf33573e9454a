import { expect, test } from "vitest";
import { endAssociation } from "../../../../shared/domain/crbs/endAssociation.ts";
import { serviceBucket } from "../../../../shared/domain/documents/bucket.ts";
import { compareLinkedLicenses } from "../../../../shared/domain/linkedLicenses/compareLinkedLicenses.ts";
import { correctLicenseLists } from "../../../../shared/domain/linkedLicenses/correctLicenseLists.ts";
import { readLicenseStates } from "../../../../shared/domain/linkedLicenses/licenseStates.ts";
import { linkLicense } from "../../../../shared/domain/linkedLicenses/linkLicense.ts";
import { unlinkLicense } from "../../../../shared/domain/linkedLicenses/unlinkLicense.ts";
import type { Table } from "../../../../shared/store/client.ts";
import { changeCrb } from "../../../../shared/store/crbs.ts";
import { givenServiceProvider } from "../../../functions/callHandler.ts";
import { testTableOf } from "../../../testTable.ts";
import { useTestBucket } from "../../../useTestBucket.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { interceptCalls } from "../../store/orderedList/listUnderTest.ts";
import { importRows, licenseIdOf } from "./givenLicenses.ts";

const table = useTestTable();
useTestBucket();

const own = "Test Dispensary LLC";
const numbers = ["own", "other", "new"] as const;

/** Two versions of a register. The second changes the status of one license and the holder of another. */
const registers = [
  { status: "Active", licensee: "Maple Partners LLC" },
  { status: "Suspended", licensee: "Juniper Society LLC" },
].map(({ status, licensee }) => [
  { number: "own", status, values: { licensee: own } },
  { number: "other", values: { licensee } },
  { number: "new", values: { licensee: own } },
]);

interface Names {
  spId: string;
  crbId: string;
}
type Change = (table: Table, names: Names) => Promise<unknown>;

const linked = async (names: Names, number: (typeof numbers)[number]) => ({
  ...names,
  licenseId: await licenseIdOf(number),
});

const changes = {
  link: async (on, names) => linkLicense({ table: on, bucket: serviceBucket() }, await linked(names, "new")),
  unlink: async (on, names) => unlinkLicense(on, await linked(names, "own")),
  edit: (on, { crbId }) => changeCrb(on, crbId, (crb) => ({ ...crb, record: { ...crb.record, ftEmployees: 3 } })),
  rename: (on, names) =>
    changeCrb(on, names.crbId, (crb) => ({ ...crb, record: { ...crb.record, dba: "Juniper Society" } }), on.clock, {
      compareHolders: (after) => readLicenseStates(on, names, after),
    }),
  compare: (on) => compareLinkedLicenses({ table: on, bucket: serviceBucket() }),
  end: (on, { crbId }) => endAssociation(on, serviceBucket(), crbId),
} satisfies Record<string, Change>;

const pairs = [
  ["edit", "compare"],
  ["rename", "compare"],
  ["compare", "rename"],
  ["compare", "unlink"],
  ["link", "rename"],
  ["rename", "link"],
  ["link", "end"],
  ["unlink", "end"],
] as const;

test.each(pairs)(
  "%s leaves right lists if %s happens before any of its calls",
  async (one, other) => {
    for (let at = 1, calls = at; at <= calls; at++) {
      await importRows(registers[0] ?? []);
      const { spId, crbId } = await givenServiceProvider(table());
      const names = { spId, crbId };
      for (const number of ["own", "other"] as const) {
        await linkLicense({ table: table(), bucket: serviceBucket() }, await linked(names, number));
      }
      await importRows(registers[1] ?? []);
      const raced = testTableOf(table());
      calls = 0;
      interceptCalls(raced).before = async (_command, input) => {
        // A comparison also reads the other service providers.
        const sent = JSON.stringify(input);
        if (!sent.includes(spId) && !sent.includes(crbId)) return;
        calls++;
        // A change that comes too late, as a link after the end of the association, is rejected.
        if (calls === at) await changes[other](table(), names).catch(() => undefined);
      };
      await changes[one](raced, names).catch(() => undefined);
      const wrong = await correctLicenseLists(table(), names.spId, { clock: table().clock, isCheck: true });
      expect(wrong, `${other} before call ${at} of ${one}`).toBe(0);
      await endAssociation(table(), serviceBucket(), names.crbId);
      expect(await correctLicenseLists(table(), names.spId, { clock: table().clock, isCheck: true })).toBe(0);
    }
  },
  600_000,
);
