import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { endAssociation } from "../../../shared/domain/crbs/endAssociation.ts";
import { serviceBucket } from "../../../shared/domain/documents/bucket.ts";
import { rebuildLists } from "../../../shared/domain/replication/rebuildLists.ts";
import { createCrb } from "../../../shared/store/crbs.ts";
import { associationKey } from "../../../shared/store/keys/crbs.ts";
import { documentsToReviewPartition, documentToReviewKey } from "../../../shared/store/keys/onboarding.ts";
import { crbRecord } from "../../crbRecord.ts";
import type { TestRequest } from "../../requestEvent.ts";
import { hideFromLaggingReads } from "../../shared/store/orderedList/laggingReads.ts";
import { useTestBucket } from "../../useTestBucket.ts";
import { useTestTable } from "../../useTestTable.ts";
import { asking, givenOnboarding } from "./givenOnboarding.ts";

const table = useTestTable();
useTestBucket();

async function given() {
  const crb = await givenOnboarding(table(), [asking({ name: "Lease", required: false }), asking()]);
  const read = async (query: TestRequest["query"] = {}) => (await crb.call("listDocumentsToReview", { query })).json;
  const idsToReview = async (query?: TestRequest["query"]) =>
    (await read(query)).data.map(({ document }: { document: { id: string } }) => document.id);
  const addDocument = async (): Promise<string> => (await crb.add()).json.document_id;
  return { ...crb, read, idsToReview, addDocument };
}

test("lists documents with their CRB and requirement, the newest first", async () => {
  const crb = await given();
  const [first, second] = [await crb.addDocument(), await crb.addDocument()];
  const { metadata, data } = await crb.read();
  expect(metadata).toEqual({ total: 2, count: "1 - 2" });
  const { name } = crbRecord(crb.crbId);
  const requirement = {
    requirement_id: crb.requirementId,
    requirement_name: "Lease",
    category: "license",
    required: false,
  };
  const document = {
    id: second,
    status: "pending",
    uploaded_by: crb.clientId,
    uploaded_by_person: null,
    upload_date: expect.any(String),
    file_name: "note.txt",
  };
  expect(data[0]).toEqual({ crb_id: crb.crbId, crb_name: name, ...requirement, document });
  expect(data[1].document.id).toBe(first);
  expect(await crb.idsToReview({ offset: ["1"], limit: ["1"] })).toEqual([first]);
});

test("a document leaves the list with its review or deletion, and returns when it is pending again", async () => {
  const crb = await given();
  const [first, second] = [await crb.addDocument(), await crb.addDocument()];
  await crb.review(first, "archived");
  expect(await crb.idsToReview()).toEqual([second]);
  await crb.review(first, "pending");
  expect(await crb.idsToReview()).toEqual([second, first]);
  await crb.remove(second);
  expect(await crb.idsToReview()).toEqual([first]);
  expect((await crb.read()).metadata.total).toBe(1);
});

test("no page is empty before the end of the list, even if its documents are not to review any more", async () => {
  const crb = await given();
  const [first, second] = [await crb.addDocument(), await crb.addDocument()];
  const [, entry = expect.fail()] = await table().queryPartition(documentsToReviewPartition(crb.spId));
  await crb.review(second, "approved");
  // As if the review came between the reads of the entry and of the document.
  await table().put(entry);
  const { metadata, data } = await crb.read({ limit: ["1"] });
  expect([metadata, data[0].document.id]).toEqual([{ total: 1, count: "1 - 1" }, first]);
});

test("a page has its documents even if eventually consistent reads lack them", async () => {
  const crb = await given();
  const id = await crb.addDocument();
  hideFromLaggingReads(table(), { command: "BatchGetItemCommand" });
  expect(await crb.idsToReview()).toEqual([id]);
  table().client.middlewareStack.remove("hideReads");
});

test("shows no document of another service provider", async () => {
  const [crb, other] = [await given(), await given()];
  const id = await other.addDocument();
  expect(await crb.idsToReview()).toEqual([]);
  expect(await other.idsToReview()).toEqual([id]);
});

test("shows no document of a CRB whose association has ended, even if the end was interrupted", async () => {
  const crb = await given();
  await crb.addDocument();
  const association = await table().get(associationKey(crb.spId, crb.crbId));
  await table().delete(associationKey(crb.spId, crb.crbId));
  expect((await crb.read()).metadata.total).toBe(0);
  await table().put(association as NonNullable<typeof association>);
  await endAssociation(table(), serviceBucket(), crb.crbId);
  expect((await crb.read()).metadata.total).toBe(0);
  expect(await table().queryPartition(documentsToReviewPartition(crb.spId))).toEqual([]);
});

test("a rebuild corrects the list after a torn restore, and leaves other CRBs alone", async () => {
  const crb = await given();
  const otherCrb = randomUUID();
  await createCrb(table(), { record: crbRecord(otherCrb), serviceProviderId: crb.spId, connection: null });
  const [lost, reviewed] = [await crb.addDocument(), await crb.addDocument()];
  const entries = await table().queryPartition(documentsToReviewPartition(crb.spId));
  const entryOf = (id: string) => entries.find(({ sk }) => sk.endsWith(id)) ?? expect.fail();
  const others = { ...documentToReviewKey(crb.spId, "2026-01-01T00:00:00.000Z", randomUUID()), crb_id: otherCrb };
  await crb.review(reviewed, "approved");
  await table().put(entryOf(reviewed));
  await table().put(others);
  await table().delete({ pk: entryOf(lost).pk, sk: entryOf(lost).sk });
  expect(await crb.idsToReview()).toEqual([]);
  const rebuild = async (isCheck: boolean) =>
    (await Array.fromAsync(rebuildLists(table(), crb.crbId, { kinds: ["document"], isCheck })))[0]?.differences;
  expect(await rebuild(true)).toMatchObject({ entries: 2 });
  expect(await rebuild(false)).toMatchObject({ entries: 2 });
  expect(await rebuild(true)).toMatchObject({ entries: 0 });
  expect(await crb.idsToReview()).toEqual([lost]);
  expect(await table().queryPartition(others.pk)).toContainEqual(others);
});
