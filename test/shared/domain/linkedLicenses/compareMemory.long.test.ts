import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { functionSizes } from "../../../../infra/constructs/functionSizes.ts";
import { serviceBucket } from "../../../../shared/domain/documents/bucket.ts";
import { importRegister } from "../../../../shared/domain/licenses/importRegister.ts";
import { publicLicenseId } from "../../../../shared/domain/licenses/licenseId.ts";
import { readPresent } from "../../../../shared/domain/licenses/presentGeneration.ts";
import type { FileRow } from "../../../../shared/domain/licenses/readFileLicenses.ts";
import { readEntries } from "../../../../shared/domain/licenses/registerEntries.ts";
import type { LicenseComparison } from "../../../../shared/domain/linkedLicenses/compareLinkedLicenses.ts";
import { findEntries, readLicenses } from "../../../../shared/domain/linkedLicenses/findLicenses.ts";
import { newLinkWrites, operator } from "../../../../shared/domain/linkedLicenses/link.ts";
import { createCrb } from "../../../../shared/store/crbs.ts";
import { peakMemoryOf } from "../../../bench/memory/peakMemory.ts";
import { crbRecord } from "../../../crbRecord.ts";
import { givenServiceProvider } from "../../../functions/callHandler.ts";
import { useTestBucket } from "../../../useTestBucket.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { manyRows } from "../licenses/manyRows.ts";

const table = useTestTable();
useTestBucket();

const businesses = 100;
/** The maximum number of licenses that are linked to a CRB. */
const linksOfEach = 100;

/** The rows of a register. One in ten has the given status. */
function* rowsWith(status: string): Generator<FileRow> {
  for (const row of manyRows({ first: 0, count: 100_000 })) {
    const isChanged = "values" in row && row.line % 20 === 0;
    yield isChanged ? { ...row, values: { ...row.values, reported_license_status: status } } : row;
  }
}

test("10,000 linked licenses are compared in the memory of the function", async () => {
  const stores = { table: table(), bucket: serviceBucket() };
  const register = { state: "CO", authority: "" } as const;
  await importRegister(stores, register, rowsWith("Active"));
  const present = (await readPresent(table())) ?? expect.fail();
  const all: string[] = [];
  for await (const { state, id } of readEntries(stores.bucket, present.generation)) {
    all.push(publicLicenseId(state, id));
  }
  // The linked licenses are scattered over the whole list.
  const ids = all.filter((_, i) => i % (all.length / (businesses * linksOfEach)) === 0);
  const { spId } = await givenServiceProvider(table());
  const entries = await findEntries(stores.bucket, present.generation, new Set(ids));
  const now = new Date();
  for (let start = 0; start < ids.length; start += linksOfEach) {
    const some = ids.slice(start, start + linksOfEach);
    const placed = some.map((id) => [id, entries.get(id) ?? expect.fail()] as const);
    const registered = await readLicenses(stores.bucket, present, new Map(placed), now);
    const record = crbRecord(randomUUID());
    await createCrb(table(), { record, serviceProviderId: spId, connection: null });
    const links = [...registered].map(([licenseId, license]) => {
      const names = { spId, crbId: record.id, licenseId };
      return newLinkWrites(table(), names, license, { linkedBy: operator, business: record, now }).writes;
    });
    for (let first = 0; first < links.length; first += 50)
      await table().transact(links.slice(first, first + 50).flat());
  }
  await importRegister(stores, register, rowsWith("Suspended"));

  const program = new URL("comparingLinksProcess.ts", import.meta.url);
  const { peak, compared } = await peakMemoryOf<{ compared: LicenseComparison }>(program, {});
  expect(compared).toMatchObject({ links: 10_000, failures: 0 });
  expect(compared.changed).toBeGreaterThan(800);
  expect(compared.events).toBe(compared.changed);
  const peakMb = peak / 1024 ** 2;
  console.log(`peak ${peakMb.toFixed(0)} MB`);
  expect(peakMb).toBeLessThanOrEqual(functionSizes.comparison.memory);
}, 600_000);
