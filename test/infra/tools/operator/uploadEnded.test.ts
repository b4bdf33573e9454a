import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { uploadFile } from "../../../../infra/tools/operator/uploadFile.ts";
import { connectUpload, takesUploads, uploadConnectionOf } from "../../../../shared/domain/crbs/connectUpload.ts";
import { endAssociation } from "../../../../shared/domain/crbs/endAssociation.ts";
import { purgeCrb } from "../../../../shared/domain/crbs/purge/purgeCrb.ts";
import { serviceBucket } from "../../../../shared/domain/documents/bucket.ts";
import { withdrawConsent } from "../../../../shared/domain/onboarding/consent.ts";
import { createCrb, readCrb } from "../../../../shared/store/crbs.ts";
import { outboxPartition } from "../../../../shared/store/keys/inventory.ts";
import { recordList } from "../../../../shared/store/keys/orderedLists.ts";
import { crbRecord } from "../../../crbRecord.ts";
import { TestClock } from "../../../shared/store/orderedList/listUnderTest.ts";
import { useTestServiceKey } from "../../../testServiceKey.ts";
import { useTestBucket } from "../../../useTestBucket.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { temporaryDirectories } from "../../local/temporaryDirectories.ts";

useTestServiceKey();
const table = useTestTable();
useTestBucket({ versioned: true });
const temporaryDirectory = temporaryDirectories();

const ends = {
  "has ended": (crbId: string, clock: TestClock) => endAssociation(table(), serviceBucket(), crbId, clock),
  "was purged": async (crbId: string, clock: TestClock) => {
    await endAssociation(table(), serviceBucket(), crbId, clock);
    clock.advance(3_600_000);
    expect(await purgeCrb(table(), serviceBucket(), crbId, { clock })).toMatchObject({ outcome: "purged" });
  },
  "lost the consent of its users": (crbId: string, clock: TestClock) => withdrawConsent(table(), { crbId }, clock),
};

/** A CRB whose records are uploaded, and the upload of a file whose CRB was just read. */
async function given() {
  const clock = new TestClock("2026-03-01T12:00:00.000Z");
  const crbId = randomUUID();
  await createCrb(table(), { record: crbRecord(crbId), serviceProviderId: randomUUID(), connection: null }, clock);
  await connectUpload(table(), crbId, clock);
  const connection = uploadConnectionOf((await readCrb(table(), crbId)) ?? expect.fail("no CRB"));
  const file = join(temporaryDirectory(), "rows.csv");
  const rows = Array.from({ length: 600 }, (_, i) => `L${i},Room ${i}\n`);
  writeFileSync(file, `pos_location_id,name\n${rows.join("")}`);
  const stored = () => table().queryPartition(recordList(crbId, "location").pk, { consistent: true });
  const upload = (isCurrent: () => Promise<boolean>) =>
    uploadFile(table(), connection, "location", file, { clock, isCurrent });
  return { crbId, clock, upload, stored };
}

test("a CRB with an active association accepts the file", async () => {
  const { crbId, upload, stored } = await given();
  expect(await upload(() => takesUploads(table(), crbId))).toMatchObject({ created: 600 });
  expect(await stored()).toHaveLength(600);
});

test.each(Object.entries(ends))(
  "an upload stores nothing for a CRB that %s before the upload begins",
  async (_, end) => {
    const { crbId, clock, upload, stored } = await given();
    await end(crbId, clock);
    await expect(upload(() => takesUploads(table(), crbId))).rejects.toThrow("the association has ended");
    expect(await stored()).toEqual([]);
  },
);

test.each(Object.entries(ends).filter(([name]) => name !== "was purged"))(
  "an upload that has begun stores nothing more for a CRB that %s",
  async (_, end) => {
    const { crbId, clock, upload, stored } = await given();
    const meanwhile = async () => {
      const takes = await takesUploads(table(), crbId);
      await end(crbId, clock);
      return takes;
    };
    await expect(upload(meanwhile)).rejects.toThrow("the association has ended");
    expect(await stored()).toEqual([]);
  },
);

test("an interrupted upload still updates the locations of the inventory that it has stored", async () => {
  const { crbId, clock } = await given();
  const connection = uploadConnectionOf((await readCrb(table(), crbId)) ?? expect.fail("no CRB"));
  const file = join(temporaryDirectory(), "stock.csv");
  writeFileSync(file, "pos_inventory_id,name,total_quantity\nP1,Package,1\n");
  const isCurrent = async () => {
    const takes = await takesUploads(table(), crbId);
    await table().put({ pk: outboxPartition(crbId), sk: "0", ids: [] });
    await endAssociation(table(), serviceBucket(), crbId, clock);
    return takes;
  };
  const upload = uploadFile(table(), connection, "inventory", file, { clock, isCurrent });
  await expect(upload).rejects.toThrow("the association has ended");
  expect(await table().queryPartition(outboxPartition(crbId), { consistent: true })).toEqual([]);
});
