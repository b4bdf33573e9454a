import type { Context } from "aws-lambda";
import { expect, test } from "vitest";
import { handler } from "../../../functions/documents/sweeper.ts";
import { fileKey, serviceBucket } from "../../../shared/domain/documents/bucket.ts";
import { removalOf, storeWithIntent, sweepRemovals } from "../../../shared/domain/documents/removals.ts";
import { readDocuments } from "../../../shared/domain/documents/storedDocument.ts";
import { exists } from "../../../shared/store/client.ts";
import { removalPartition } from "../../../shared/store/keys/onboarding.ts";
import { useTestBucket } from "../../useTestBucket.ts";
import { useTestTable } from "../../useTestTable.ts";
import { crashingAfter, writesOf } from "../crashingAfter.ts";
import { givenOnboarding, note } from "./givenOnboarding.ts";

const table = useTestTable();
const bucket = useTestBucket();

const removals = () => table().queryPartition(removalPartition, { consistent: true });
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);
const sweeper = () => handler({}, { getRemainingTimeInMillis: () => 60_000 } as Context);

/** Expects every document to have its two objects, and every object its document or its planned removal. */
async function expectSound(crbId: string, objects: number) {
  const documents = await readDocuments(table(), crbId);
  const alive = documents.filter(({ record }) => !record.deleted);
  for (const { record } of alive) {
    for (const key of [record.storage_key, fileKey(record.storage_key)]) {
      expect(await serviceBucket().read(key), record.id).toBeDefined();
    }
  }
  expect(bucket.count()).toBe(objects);
}

test.each([
  ["the intent", 1, 0, 0],
  ["the file", 2, 1, 0],
  ["the base64 text", 3, 2, 0],
  ["the record", 4, 2, 1],
  ["its event's place", 5, 2, 1],
])(
  "a call that is killed after it has stored %s of a new document leaves no object without document",
  async (_, writes, objects, documents) => {
    const { add, own, crbId, template } = await givenOnboarding(table());
    const before = bucket.count();
    await crashingAfter(writes, "addRequirementDocument", own({ body: note }));
    expect((await template()).json.standard_requirements[0].documents).toHaveLength(documents);
    // The sweeper removes nothing within a day, since the call may still be running.
    await sweepRemovals(table(), serviceBucket(), inHours(23));
    await expectSound(crbId, before + objects);
    expect(await removals()).toHaveLength(documents === 1 ? 0 : 1);
    expect((await add()).status).toBe(200);
    expect(await sweepRemovals(table(), serviceBucket(), inHours(25))).toEqual({ removed: 1 - documents, failed: 0 });
    await expectSound(crbId, before + 2 + 2 * documents);
    expect(await removals()).toEqual([]);
  },
);

test.each([
  ["the record", 1],
  ["its event's place", 2],
  ["the base64 text", 3],
  ["the file", 4],
  ["the planned removal", 5],
])("a deletion that is killed after the write of %s is finished by the sweeper", async (_, writes) => {
  const { add, remove, own, crbId } = await givenOnboarding(table());
  const before = bucket.count();
  const { document_id } = (await add()).json;
  await crashingAfter(writes, "deleteRequirementDocument", own({ path: { document_id } }));
  await sweeper();
  await expectSound(crbId, before);
  expect(await removals()).toEqual([]);
  expect((await remove(document_id)).status).toBe(404);
});

test("a removal that the store rejects stays planned, does not stop others, and makes the sweeper fail", async () => {
  const { crbId } = await givenOnboarding(table());
  for (let i = 0; i < 2; i++) {
    const { storageKey, intent } = await storeWithIntent(table(), serviceBucket(), crbId, {
      base64: "eA==",
      file_type: "text/plain",
    });
    await table().transact([
      table().deleteWrite(intent, exists),
      table().putWrite({ ...removalOf(storageKey, new Date()) }),
    ]);
  }
  const { client } = serviceBucket();
  let rejections = 0;
  client.middlewareStack.add(
    (next) => async (request) => {
      if (rejections++ === 0) throw new Error("refused");
      return next(request);
    },
    { step: "initialize", name: "refusal" },
  );
  await expect(sweeper()).rejects.toThrow("not all objects");
  expect(await removals()).toHaveLength(1);
  client.middlewareStack.remove("refusal");
  expect(await sweepRemovals(table(), serviceBucket(), new Date())).toEqual({ removed: 1, failed: 0 });
  expect(await removals()).toEqual([]);
});

test("the cases above cover all writes of both calls", async () => {
  const { own, template } = await givenOnboarding(table());
  expect(await writesOf("addRequirementDocument", own({ body: note }))).toBe(5);
  const [{ documents }] = (await template()).json.standard_requirements;
  const deletion = own({ path: { document_id: documents[0].id } });
  expect(await writesOf("deleteRequirementDocument", deletion)).toBe(5);
});
