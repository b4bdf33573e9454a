import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { intentOf } from "../../../../shared/domain/documents/removals.ts";
import { documentItem } from "../../../../shared/domain/documents/storedDocument.ts";
import { addDocument } from "../../../../shared/domain/onboarding/addDocument.ts";
import { newAnswersItem } from "../../../../shared/domain/onboarding/answers.ts";
import { readOnboarding } from "../../../../shared/domain/onboarding/readOnboarding.ts";
import { standardTemplate } from "../../../../shared/domain/onboarding/standardTemplate.ts";
import type { Item } from "../../../../shared/store/client.ts";
import { createCrb } from "../../../../shared/store/crbs.ts";
import { answersKey } from "../../../../shared/store/keys/onboarding.ts";
import type { Clock } from "../../../../shared/time/clock.ts";
import { crbRecord } from "../../../crbRecord.ts";
import { givenOnboarding } from "../../../functions/onboarding/givenOnboarding.ts";
import { useTestBucket } from "../../../useTestBucket.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { TestClock } from "../../store/orderedList/listUnderTest.ts";

// DynamoDB may return a transaction's items one after the other (DynamoDB's guide, "Read-committed"). Local engines
// never do.

const table = useTestTable();
useTestBucket();

/** A CRB with two documents and answers at version 3. Version 2 added one document, version 3 the other. */
async function createCrbWithDocuments(versions: object = { version: 3, documents: 5 }) {
  const record = crbRecord(randomUUID());
  await createCrb(table(), { record, serviceProviderId: randomUUID(), connection: null });
  const { version, documents, ...answers } = newAnswersItem(record, standardTemplate, new Date());
  await table().put({ ...answers, ...versions } as Item);
  const ids = [randomUUID(), randomUUID()];
  const put = (...shown: [number, number] | [undefined, undefined]) =>
    Promise.all(
      shown.map((version, i) => {
        const file = {
          storage_key: "x",
          file_name: `${version}.pdf`,
          uploaded_by: "x",
          uploaded_by_person: null,
          upload_date: "2026-03-01",
        };
        const { version: shownVersion, ...item } = documentItem({
          record: { id: ids[i] ?? "", org_id: record.id, ...file, deleted: false },
          requirementId: randomUUID(),
          review: { status: "pending" },
          rank: `2026-03-01#0000000${i}`,
          version: version ?? 0,
        });
        return table().put({ ...item, ...(version !== undefined && { version }) } as Item);
      }),
    );
  const names = async (clock?: Clock) =>
    (await readOnboarding(table(), record.id, clock))?.documents.map(({ record }) => record.file_name);
  return { put, names };
}

test.each<[string, [number, number]]>([
  ["a document older than the answers", [0, 3]],
  ["a document newer than the answers", [4, 3]],
  ["an older document next to one that is newer by as much", [1, 4]],
])("%s is read again until all items are of one version", async (_, shown) => {
  const { put, names } = await createCrbWithDocuments();
  await put(...shown);
  let pauses = 0;
  const clock = { now: () => new Date(), sleep: async () => void (++pauses === 3 && (await put(2, 3))) };
  expect(await names(clock)).toEqual(["3.pdf", "2.pdf"]);
});

test("answers without version or written by older code are returned with any documents", async () => {
  const { put, names } = await createCrbWithDocuments({ version: 7 });
  await put(undefined, undefined);
  expect(await names()).toHaveLength(2);
  await put(3, 8);
  expect(await names()).toHaveLength(2);
});

test("a restored table without all items of a transaction is read as it is, and the next change fixes it", async () => {
  const { crbId, add, status, requirementId, clientId } = await givenOnboarding(table());
  await add();
  const key = answersKey(crbId);
  await table().update(key, { documents: 1 });
  const clock = new TestClock(new Date().toISOString());
  expect((await readOnboarding(table(), crbId, clock))?.documents).toHaveLength(1);
  const intent = intentOf("x", new Date());
  await table().put(intent as Item);
  const added = {
    id: randomUUID(),
    crbId,
    requirementId,
    fileName: "a.txt",
    storageKey: "x",
    uploadedBy: clientId,
    intent,
  };
  await addDocument(table(), added, undefined, clock);
  const withoutSleep = { now: () => clock.now(), sleep: () => expect.fail("The items are not of one version yet.") };
  expect((await readOnboarding(table(), crbId, withoutSleep))?.documents).toHaveLength(2);
  expect(await status()).toBe("bank_awaiting_review");
});
