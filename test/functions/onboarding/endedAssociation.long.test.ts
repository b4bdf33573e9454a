import { describe, expect, test } from "vitest";
import { endAssociation } from "../../../shared/domain/crbs/endAssociation.ts";
import { fileKey, serviceBucket } from "../../../shared/domain/documents/bucket.ts";
import { readDocument, readDocuments } from "../../../shared/domain/documents/storedDocument.ts";
import { planUpload, readUploads } from "../../../shared/domain/documents/uploads.ts";
import { uploadKey } from "../../../shared/store/keys/onboarding.ts";
import { crashingBucket } from "../../crashingBucket.ts";
import { interceptCalls } from "../../shared/store/orderedList/listUnderTest.ts";
import { testTableOf } from "../../testTable.ts";
import { useTestBucket } from "../../useTestBucket.ts";
import { useTestTable } from "../../useTestTable.ts";
import { asking, givenOnboarding, note } from "./givenOnboarding.ts";

const table = useTestTable();
useTestBucket();

const pdf = Buffer.from("%PDF-1.7\nand more");
const announced = { file_name: "statements.pdf", file_type: "application/pdf", size: pdf.length } as const;

/** A CRB with two documents, two uploads (the file of one has arrived), and links to all of them. */
async function given() {
  const crb = await givenOnboarding(table(), [asking()]);
  const { call, crbId } = crb;
  const documents = [(await crb.add()).json.document_id, (await crb.add()).json.document_id] as [string, string];
  const linksTo = async (doc_id: string): Promise<string[]> => {
    const { json } = await call("getCrbDocumentDownload", { path: { doc_id } });
    return [json.download_link, json.file_link];
  };
  const begin = () => call("createDocumentUpload", { body: announced });
  const [waiting, arrived] = [(await begin()).json, (await begin()).json];
  expect((await send(arrived.upload_link)).status).toBe(200);
  return {
    ...crb,
    documents,
    begin,
    waiting,
    arrived,
    downloads: await Promise.all(documents.map(linksTo)),
    complete: (document_id: string) => call("completeDocumentUpload", { path: { document_id } }),
    end: () => endAssociation(table(), serviceBucket(), crbId),
  };
}

const send = (link: string) =>
  fetch(link, { method: "PUT", body: pdf, headers: { "Content-Type": "application/pdf", "If-None-Match": "*" } });
/** The status of each document's links, which must be the same for all links of a document. */
const statusesOf = (documents: string[][]) =>
  Promise.all(
    documents.map(async (links) => {
      const statuses = await Promise.all(links.map(async (link) => (await fetch(link)).status));
      expect(new Set(statuses).size).toBe(1);
      return statuses[0];
    }),
  );

describe("the end of an association", () => {
  test("ends the upload links: files are rejected, and uploads cannot be completed", async () => {
    const crb = await given();
    const place = (await readUploads(table(), crb.crbId)).find(({ document_id: id }) => id === crb.arrived.document_id);
    expect((await crb.end())?.links).toEqual({ uploads: 2, documents: 2 });
    for (const { upload_link, document_id } of [crb.waiting, crb.arrived]) {
      expect((await send(upload_link)).status).toBe(412);
      expect((await crb.complete(document_id)).status).toBe(404);
    }
    expect((await crb.begin()).status).toBe(404);
    // The file that had arrived is deleted, too.
    expect(await serviceBucket().read(place?.storage_key ?? "")).toHaveLength(0);
  });

  test("ends the download links of its CRB and of no other", async () => {
    const [crb, other] = [await given(), await given()];
    expect(await statusesOf([...crb.downloads, ...other.downloads])).toEqual([200, 200, 200, 200]);
    await crb.end();
    expect(await statusesOf([...crb.downloads, ...other.downloads])).toEqual([403, 403, 200, 200]);
    expect((await send(other.waiting.upload_link)).status).toBe(200);
  });

  test("also ends a link that is signed afterwards", async () => {
    const { crbId, documents, end } = await given();
    const { record } = (await readDocument(table(), crbId, documents[0])) ?? expect.fail();
    await end();
    const { link } = await serviceBucket().signDownload(record.storage_key, record.file_name);
    expect((await fetch(link)).status).toBe(403);
  });

  test("deletes the object of a deleted document if it is still there", async () => {
    const crb = await given();
    serviceBucket().client.middlewareStack.add(
      (next, { commandName }) =>
        (request) =>
          commandName === "DeleteObjectCommand" ? Promise.reject(new Error("refused")) : next(request),
      { step: "initialize", name: "refusal" },
    );
    await crb.remove(crb.documents[0]);
    await expect(crb.end()).rejects.toMatchObject({ kind: "unavailable" });
    serviceBucket().client.middlewareStack.remove("refusal");
    expect(await statusesOf(crb.downloads)).toEqual([200, 403]);
    await crb.end();
    expect(await statusesOf(crb.downloads)).toEqual([404, 403]);
  });

  test("ends the links of other documents even if the object of one is lost", async () => {
    const crb = await given();
    const { record } = (await readDocument(table(), crb.crbId, crb.documents[0])) ?? expect.fail();
    for (const key of [record.storage_key, fileKey(record.storage_key)]) await serviceBucket().remove(key);
    await crb.end();
    expect(await statusesOf(crb.downloads)).toEqual([404, 403]);
  });
});

describe("at the end of an association,", () => {
  /** Runs `work` on a table on which `other` runs to its end before the first transaction. */
  async function overtaken<T>(other: () => Promise<unknown>, work: (raced: ReturnType<typeof table>) => Promise<T>) {
    const raced = testTableOf(table());
    let isOver = false;
    interceptCalls(raced).before = async (command) => {
      if (command !== "TransactWriteItemsCommand" || isOver) return;
      isOver = true;
      await other();
    };
    try {
      return await work(raced);
    } finally {
      raced.client.destroy();
    }
  }

  test("a parallel upload is rejected or ends", async () => {
    const crb = await given();
    const path = crb.own({}).path as unknown as Parameters<typeof planUpload>[1];
    const planned = overtaken(crb.end, (raced) => planUpload(raced, path, { ...announced, uploaded_by: crb.clientId }));
    await expect(planned).rejects.toMatchObject({ kind: "notFound" });
    expect(await readUploads(table(), crb.crbId)).toHaveLength(2);

    for (let i = 0; i < 5; i++) {
      const other = await given();
      const [begun] = await Promise.all([other.begin(), other.end()]);
      expect([200, 401, 404]).toContain(begun.status);
      if (begun.status === 200) expect((await send(begun.json.upload_link)).status).toBe(412);
    }
  });

  test("a parallel document is rejected or its links end", async () => {
    const first = await given();
    await overtaken(first.add, (raced) => endAssociation(raced, serviceBucket(), first.crbId));
    const all = await readDocuments(table(), first.crbId);
    expect(all).toHaveLength(3);
    for (const { record } of all) {
      const { link } = await serviceBucket().signDownload(record.storage_key, record.file_name);
      expect((await fetch(link)).status).toBe(403);
    }
    for (let i = 0; i < 5; i++) {
      const crb = await given();
      const [added] = await Promise.all([crb.add(note), crb.end()]);
      expect([200, 404]).toContain(added.status);
      if (added.status !== 200) continue;
      const { record } = (await readDocument(table(), crb.crbId, added.json.document_id)) ?? expect.fail();
      const { link } = await serviceBucket().signDownload(record.storage_key, record.file_name);
      expect((await fetch(link)).status).toBe(403);
    }
  });
});

test("the end of an association that is interrupted at any call is finished by calling it again", async () => {
  for (let lives = 0, isCut = true; isCut; lives++) {
    const crb = await given();
    isCut = false;
    const crashing = crashingBucket(() => {
      isCut ||= calls++ >= lives;
      if (isCut) throw new Error("killed");
    });
    let calls = 0;
    await endAssociation(table(), crashing, crb.crbId).catch(() => undefined);
    crashing.client.destroy();
    await crb.end();
    expect(await statusesOf(crb.downloads)).toEqual([403, 403]);
    expect((await send(crb.waiting.upload_link)).status).toBe(412);
    expect(await table().get(uploadKey(crb.crbId, crb.waiting.document_id))).toBeDefined();
  }
});
