import { expect, test } from "vitest";
import { demoServiceProvider } from "../../../../infra/local/demoBusinesses.ts";
import { settingsEnvironment } from "../../../../infra/stages/stages.ts";
import { compareLinkedLicenses } from "../../../../shared/domain/linkedLicenses/compareLinkedLicenses.ts";
import { linkLicense } from "../../../../shared/domain/linkedLicenses/linkLicense.ts";
import { unlinkLicense } from "../../../../shared/domain/linkedLicenses/unlinkLicense.ts";
import { giveConsent, withdrawConsent } from "../../../../shared/domain/onboarding/consent.ts";
import { terms } from "../../../../shared/domain/onboarding/terms.ts";
import { serviceTable } from "../../../../shared/store/client.ts";
import { putServiceProvider } from "../../../../shared/store/crbs.ts";
import { useQueues } from "../../../useQueues.ts";
import { useTestBucket } from "../../../useTestBucket.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { importRows, licenseIdOf } from "../linkedLicenses/givenLicenses.ts";
import { givenStatements } from "./givenStatements.ts";

useTestTable();
useTestBucket();
useQueues();

Object.assign(process.env, settingsEnvironment("local"));

const day = 86_400_000;

test("a license has its status at both ends, also after it has expired and was unlinked", async () => {
  const { crbId, spId, clock, stores, make } = await givenStatements(serviceTable());
  await putServiceProvider(stores.table, { ...demoServiceProvider, id: spId });
  const first = clock.now();
  const dayAt = (days: number) => new Date(first.getTime() + days * day).toISOString().slice(0, 10);
  await importRows([{ number: "H-1", expires_in: 100 }], clock);
  const licenseId = await licenseIdOf("H-1");
  await linkLicense(stores, { spId, crbId, licenseId }, clock);
  // No period below begins or ends within five days after a change of the status.
  for (let days = 0; days < 110; days += 5) {
    clock.advance(5 * day);
    await compareLinkedLicenses(stores, { clock });
  }
  await unlinkLicense(stores.table, { spId, crbId, licenseId }, clock);
  clock.advance(5 * day);
  const statuses = async (start: number, end: number) => {
    const { content } = await make({ start_date: dayAt(start), end_date: dayAt(end) });
    return content.licenses.map(({ license_id, number, status_at_start, status_at_end, expires_at }) => ({
      ...{ license_id, number, status_at_start, status_at_end, expires_at },
    }));
  };
  const license = { license_id: licenseId, number: "H-1", expires_at: dayAt(100) };
  expect(await statuses(-5, 3)).toEqual([{ ...license, status_at_start: null, status_at_end: "active" }]);
  expect(await statuses(3, 30)).toEqual([{ ...license, status_at_start: "active", status_at_end: "expiring" }]);
  expect(await statuses(30, 105)).toEqual([{ ...license, status_at_start: "expiring", status_at_end: "expired" }]);
  expect(await statuses(105, 113)).toEqual([{ ...license, status_at_start: "expired", status_at_end: null }]);
  expect(await statuses(112, 113)).toEqual([]);
});

test("consents and withdrawals are shown up to as_of, also those that others have replaced", async () => {
  const { crbId, clock, stores, make } = await givenStatements(serviceTable());
  const by = "1f6c0b94-7d32-4e85-a9c1-60d4e8b27f53";
  const { version } = terms();
  const dates: string[] = [];
  for (const act of ["given", "withdrawn", "given"] as const) {
    clock.advance(day);
    if (act === "given") await giveConsent(stores.table, { crbId, by }, version, clock);
    else await withdrawConsent(stores.table, { crbId, by }, clock);
  }
  const { content } = await make();
  dates.push(...content.consents.map(({ date }) => date));
  expect(dates).toEqual([...dates].sort());
  expect(
    content.consents.map(({ event, terms_version, invitation_id }) => [event, terms_version, invitation_id]),
  ).toEqual([
    ["given", version, by],
    ["withdrawn", version, by],
    ["given", version, by],
  ]);
});
