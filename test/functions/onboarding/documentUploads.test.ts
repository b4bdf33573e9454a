import { randomUUID } from "node:crypto";
import { describe, expect, test, vi } from "vitest";
import { documentAdded, upload } from "../../../shared/api/schemas/documentRequests.ts";
import { fileKey, serviceBucket } from "../../../shared/domain/documents/bucket.ts";
import { sweepRemovals } from "../../../shared/domain/documents/removals.ts";
import { readDocuments } from "../../../shared/domain/documents/storedDocument.ts";
import { removalPartition, uploadKey } from "../../../shared/store/keys/onboarding.ts";
import { useTestBucket } from "../../useTestBucket.ts";
import { useTestTable } from "../../useTestTable.ts";
import { asking, givenOnboarding } from "./givenOnboarding.ts";

const table = useTestTable();
const bucket = useTestBucket();

const pdf = Buffer.from("%PDF-1.7\nand more");
const announced = { file_name: "statements.pdf", file_type: "application/pdf", size: pdf.length };

async function given(requirements = [asking()]) {
  const onboarding = await givenOnboarding(table(), requirements);
  const { call } = onboarding;
  return {
    ...onboarding,
    begin: (body: object = announced, ids = {}) => call("createDocumentUpload", { path: ids, body }),
    complete: (document_id: string, ids = {}) => call("completeDocumentUpload", { path: { document_id, ...ids } }),
  };
}

const once = { "If-None-Match": "*" };
const send = (link: string, body: Buffer = pdf, type = "application/pdf") =>
  fetch(link, { method: "PUT", body: new Uint8Array(body), headers: { "Content-Type": type, ...once } });
const removals = () => table().queryPartition(removalPartition, { consistent: true });

describe("an upload (docs/spec.md#adding-a-document)", () => {
  test("becomes a document once its file has arrived, and completing it again returns the same response", async () => {
    const crb = await given();
    const objects = bucket.count();
    const second = Math.floor(Date.now() / 1_000) * 1_000;
    vi.setSystemTime(second);
    const { status, json } = await crb.begin();
    vi.useRealTimers();
    expect(status).toBe(200);
    expect(upload.parse(json)).toEqual(json);
    expect(json.expires_at).toBe(second + 900_000);
    expect((await send(json.upload_link)).status).toBe(200);
    const first = await crb.complete(json.document_id);
    expect(first.status).toBe(200);
    expect(documentAdded.parse(first.json)).toEqual(first.json);
    expect(first.json).toMatchObject({
      document_id: json.document_id,
      updated_requirement_response: {
        status: "pending",
        documents: [{ id: json.document_id, file_name: "statements.pdf", uploaded_by: crb.clientId }],
      },
    });
    const [document] = await readDocuments(table(), crb.crbId);
    const stored = await serviceBucket().read(document?.record.storage_key ?? "");
    expect(stored?.toString()).toBe(pdf.toString("base64"));
    const { link } = await serviceBucket().signDownload(fileKey(document?.record.storage_key ?? ""), "statements.pdf");
    const file = await fetch(link);
    expect(file.headers.get("content-type")).toBe("application/pdf");
    expect(Buffer.from(await file.arrayBuffer()).equals(pdf)).toBe(true);
    expect(await crb.status()).toBe("bank_awaiting_review");
    expect(await crb.complete(json.document_id)).toEqual(first);
    expect(await readDocuments(table(), crb.crbId)).toHaveLength(1);
    // The link is still valid, but its object exists. The sweeper removes the object within a day.
    expect((await send(json.upload_link)).status).toBe(412);
    expect(await crb.complete(json.document_id)).toEqual(first);
    // The upload, the file and its base64 text.
    expect(bucket.count()).toBe(objects + 3);
    await sweepRemovals(table(), serviceBucket(), new Date(Date.now() + 25 * 3_600_000));
    expect(bucket.count()).toBe(objects + 2);
    expect(await removals()).toEqual([]);
  });

  test("keeps the name that the file had on the sender's device", async () => {
    const crb = await given();
    const { json } = await crb.begin({ ...announced, friendly_name: "Statements.v2.PDF" });
    await send(json.upload_link);
    const { json: completed } = await crb.complete(json.document_id);
    const names = { file_name: "statements.pdf", friendly_name: "Statements.v2.PDF" };
    expect(completed.updated_requirement_response.documents).toMatchObject([names]);
  });

  test("that is completed twice in parallel makes one document", async () => {
    const crb = await given();
    const { json } = await crb.begin();
    await send(json.upload_link);
    const answers = await Promise.all([crb.complete(json.document_id), crb.complete(json.document_id)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await readDocuments(table(), crb.crbId)).toHaveLength(1);
    await sweepRemovals(table(), serviceBucket(), new Date(Date.now() + 25 * 3_600_000));
  });

  test("accepts one file: of two in parallel one is stored, and another file needs another upload", async () => {
    const crb = await given();
    const { json } = await crb.begin();
    const other = Buffer.from("%PDF-1.7\nor others");
    const answers = await Promise.all([send(json.upload_link), send(json.upload_link, other.subarray(0, pdf.length))]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
    expect((await send(json.upload_link)).status).toBe(412);
    expect((await crb.complete(json.document_id)).status).toBe(200);
  });

  test("has a link that works only with the signed condition", async () => {
    const { begin } = await given();
    const { upload_link } = (await begin()).json;
    for (const more of [{}, { "If-None-Match": '"x"' }, { "If-Match": "*" }]) {
      const headers = { "Content-Type": "application/pdf", ...more };
      expect((await fetch(upload_link, { method: "PUT", body: new Uint8Array(pdf), headers })).status).toBe(403);
    }
    expect((await send(upload_link)).status).toBe(200);
  });

  test.each([
    ["another length", pdf.subarray(1), "application/pdf"],
    ["another type", pdf, "image/png"],
  ])("has a link with which the store rejects %s", async (_, body, type) => {
    const { begin } = await given();
    expect((await send((await begin()).json.upload_link, body, type)).status).toBe(403);
  });

  test("has a link that ends after 900 seconds", async () => {
    const { begin } = await given();
    const { json } = await begin();
    bucket.now = new Date(json.expires_at);
    expect((await send(json.upload_link)).status).toBe(403);
    bucket.now = undefined;
  });

  test("of 5,242,880 bytes is stored without a change", async () => {
    const crb = await given();
    const content = Buffer.alloc(5_242_880, "%PDF-1.7 and so on\n");
    const { json } = await crb.begin({ ...announced, size: content.length });
    expect((await send(json.upload_link, content)).status).toBe(200);
    expect((await crb.complete(json.document_id)).status).toBe(200);
    const [document] = await readDocuments(table(), crb.crbId);
    const stored = await serviceBucket().read(document?.record.storage_key ?? "");
    expect(Buffer.from(stored?.toString() ?? "", "base64").equals(content)).toBe(true);
  });
});

describe("an upload gets 422", () => {
  test.each([
    ["5,242,881 bytes", { size: 5_242_881 }, "body.size", "must be at most 5242880"],
    ["no byte", { size: 0 }, "body.size", "must be at least 1"],
    ["half a byte", { size: 1.5 }, "body.size", "must be an integer"],
    ["a size in text", { size: "5" }, "body.size", "must be a number"],
    ["an extension of another type", { file_name: "a.txt" }, "body.file_name", "must have an extension"],
    ["a line break in the name", { file_name: "a\nb.pdf" }, "body.file_name", "must not contain control"],
    ["a MIME type not allowed", { file_type: "text/html" }, "body.file_type", "must be one of"],
    ["a content", { base64: "eA==" }, "body.base64", "is not a field of this request"],
  ])("for %s", async (_, body, name, message) => {
    const { begin } = await given();
    const { status, json } = await begin({ ...announced, ...body });
    expect([status, Object.keys(json.fields)]).toEqual([422, [name]]);
    expect(json.fields[name].message).toContain(message);
  });

  test("if it is completed before its file has arrived", async () => {
    const crb = await given();
    const { json } = await crb.begin();
    const answer = await crb.complete(json.document_id);
    expect([answer.status, answer.json.fields]).toEqual([
      422,
      { "path.document_id": { message: expect.any(String), value: json.document_id } },
    ]);
    await send(json.upload_link);
    expect((await crb.complete(json.document_id)).status).toBe(200);
  });

  test.each([
    ["a program", "data.csv", "text/csv", "MZ\x90\0\x03\0\0\0"],
    ["a page", "scan.pdf", "application/pdf", "<script>alert(1)</script>%PDF-1.7"],
  ])("for %s that is uploaded as %s", async (_, file_name, file_type, text) => {
    const crb = await given();
    const content = Buffer.from(text, "latin1");
    const { json } = await crb.begin({ file_name, file_type, size: content.length });
    expect((await send(json.upload_link, content, file_type)).status).toBe(200);
    const answer = await crb.complete(json.document_id);
    expect([answer.status, Object.keys(answer.json.fields)]).toEqual([422, ["path.document_id"]]);
    expect(await readDocuments(table(), crb.crbId)).toEqual([]);
  });

  test("for a PNG that is uploaded as .pdf; another upload accepts the right file", async () => {
    const crb = await given();
    const { json } = await crb.begin();
    await send(json.upload_link, Buffer.from("\x89PNG\r\n\x1a\n 12345678", "latin1"));
    const answer = await crb.complete(json.document_id);
    expect([answer.status, answer.json.fields]).toEqual([
      422,
      { "path.document_id": { message: expect.any(String), value: json.document_id } },
    ]);
    expect(await readDocuments(table(), crb.crbId)).toEqual([]);
    expect((await send(json.upload_link)).status).toBe(412);
    expect((await crb.complete(json.document_id)).status).toBe(422);
    const second = (await crb.begin()).json;
    await send(second.upload_link);
    expect((await crb.complete(second.document_id)).status).toBe(200);
  });
});

describe("an upload gets 404 or 409", () => {
  test("for an unknown requirement or upload, and for one of another requirement or CRB", async () => {
    const requirements = [asking(), asking()];
    const [one, other] = [await given(requirements), await given(requirements)];
    expect((await one.begin(announced, { requirement_id: randomUUID() })).status).toBe(404);
    const { json } = await other.begin();
    await send(json.upload_link);
    expect((await one.complete(randomUUID())).status).toBe(404);
    expect((await one.complete(json.document_id)).status).toBe(404);
    const elsewhere = { requirement_id: requirements[1]?.requirement_id };
    expect((await other.complete(json.document_id, elsewhere)).status).toBe(404);
    expect((await other.complete(json.document_id)).status).toBe(200);
  });

  test("if it has expired, or if its document was deleted", async () => {
    const crb = await given();
    const over = (await crb.begin()).json;
    await send(over.upload_link);
    await table().update(uploadKey(crb.crbId, over.document_id), { expires: Math.floor(Date.now() / 1000) });
    expect((await crb.complete(over.document_id)).status).toBe(404);
    const { json } = await crb.begin();
    await send(json.upload_link);
    await crb.complete(json.document_id);
    await crb.remove(json.document_id);
    expect((await crb.complete(json.document_id)).status).toBe(404);
  });

  test("for an archived requirement", async () => {
    const { begin } = await given([asking({ archived: true })]);
    expect((await begin()).status).toBe(409);
  });
});

test("an upload that is never completed is removed after a day", async () => {
  const { begin } = await given();
  const removed: unknown[] = [];
  serviceBucket().client.middlewareStack.add(
    (next, { commandName }) =>
      (request) => {
        if (commandName === "DeleteObjectCommand") removed.push((request.input as { Key: string }).Key);
        return next(request);
      },
    { step: "initialize", name: "removed" },
  );
  await sweepRemovals(table(), serviceBucket(), new Date(Date.now() + 25 * 3_600_000));
  const objects = bucket.count();
  await send((await begin()).json.upload_link);
  expect(bucket.count()).toBe(objects + 1);
  await sweepRemovals(table(), serviceBucket(), new Date(Date.now() + 23 * 3_600_000));
  expect(bucket.count()).toBe(objects + 1);
  removed.length = 0;
  await sweepRemovals(table(), serviceBucket(), new Date(Date.now() + 25 * 3_600_000));
  serviceBucket().client.middlewareStack.remove("removed");
  expect(bucket.count()).toBe(objects);
  // An upload is one object. In a versioned bucket, the removal of a missing object would leave a marker.
  expect(removed).toEqual([expect.stringMatching(/^uploads\/[^.]*$/)]);
});
