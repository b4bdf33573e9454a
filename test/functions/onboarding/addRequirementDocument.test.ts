import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type MimeType, mimeTypeExtensions } from "../../../shared/api/enumerations.ts";
import { downloadLink } from "../../../shared/api/schemas/document.ts";
import { documentAdded } from "../../../shared/api/schemas/documentRequests.ts";
import { sampleFile, sampleOf } from "../../shared/domain/documents/samples.ts";
import { useTestBucket } from "../../useTestBucket.ts";
import { useTestTable } from "../../useTestTable.ts";
import { asking, givenOnboarding, note } from "./givenOnboarding.ts";

const table = useTestTable();
const bucket = useTestBucket();
const base64 = (text: string) => Buffer.from(text, "latin1").toString("base64");

const contentOf = (type: MimeType) => sampleOf(type).toString("base64");
const types = Object.entries(mimeTypeExtensions) as [MimeType, readonly string[]][];
const files = types.flatMap(([type, extensions]) => extensions.map((extension) => [type, extension] as const));

describe("a document", () => {
  test.each(files)(
    "is accepted and delivered as it is (docs/spec.md#adding-a-document): %s as .%s",
    async (file_type, extension) => {
      const { add, call } = await givenOnboarding(table());
      const { status, json } = await add({ file_name: `a b.${extension}`, file_type, base64: contentOf(file_type) });
      expect(status).toBe(200);
      expect(documentAdded.parse(json)).toEqual(json);
      const link = await call("getCrbDocumentDownload", { path: { doc_id: json.document_id } });
      const file = await fetch(link.json.file_link);
      expect(file.headers.get("content-type")).toBe(file_type);
      expect(Buffer.from(await file.arrayBuffer())).toEqual(sampleOf(file_type));
    },
  );

  test("is returned with its requirement, in which it is pending", async () => {
    const { add, clientId, requirementId } = await givenOnboarding(table());
    const { json } = await add();
    expect(json).toEqual({
      document_id: expect.any(String),
      updated_requirement_response: {
        requirement_id: requirementId,
        name: "License",
        description: "",
        category: "license",
        required: true,
        archived: false,
        requirement_version: "1",
        status: "pending",
        date_created: "2026-01-01T00:00:00.000Z",
        date_updated: expect.stringMatching(/^20.*Z$/),
        documents: [
          {
            id: json.document_id,
            status: "pending",
            uploaded_by: clientId,
            uploaded_by_person: null,
            upload_date: json.updated_requirement_response.date_updated,
            file_name: "note.txt",
          },
        ],
      },
    });
  });

  test("never replaces another one; documents with the same name are listed newest first", async () => {
    const { add, template } = await givenOnboarding(table());
    const ids = [await add(), await add(), await add()].map(({ json }) => json.document_id);
    const { json } = await add();
    const documents = json.updated_requirement_response.documents as { id: string }[];
    expect(documents.map(({ id }) => id)).toEqual([json.document_id, ...ids.reverse()]);
    expect((await template()).json.standard_requirements).toEqual([json.updated_requirement_response]);
  });

  test.each(["Bücher 2026.pdf", "会社.pdf", "a'b\"c;d%20.pdf", "naïve (1)*.pdf", `${"x".repeat(251)}.pdf`])(
    "keeps its name %s, also in the download",
    async (file_name) => {
      const { add, call } = await givenOnboarding(table());
      const { json } = await add({ file_name, file_type: "application/pdf", base64: contentOf("application/pdf") });
      expect(json.updated_requirement_response.documents[0].file_name).toBe(file_name);
      const link = await call("getCrbDocumentDownload", { path: { doc_id: json.document_id } });
      for (const [signed, name] of [
        [link.json.file_link, file_name],
        [link.json.download_link, `${file_name}.base64.txt`],
      ]) {
        const answer = await fetch(signed);
        const header = answer.headers.get("content-disposition") ?? "";
        expect(decodeURIComponent(/filename\*=UTF-8''(.*)$/.exec(header)?.[1] ?? "")).toBe(name);
        expect(header).toMatch(/^attachment; filename="[ !#-&(-[\]-~]+"; /);
      }
    },
  );

  test("is returned by the links as the same bytes and as their base64 text (docs/spec.md#uploads-and-downloads), and its key reveals nothing", async () => {
    const { add, call, clientId, crbId } = await givenOnboarding(table());
    const content = Buffer.concat([
      Buffer.from("%PDF-1.7\n"),
      Buffer.from(Array.from({ length: 4096 }, (_, i) => i % 256)),
    ]);
    const file = { file_name: "secret-name.pdf", file_type: "application/pdf", base64: content.toString("base64") };
    const { json: added } = await add(file);
    const before = Date.now();
    const { status, json } = await call("getCrbDocumentDownload", { path: { doc_id: added.document_id } });
    expect(status).toBe(200);
    expect(downloadLink.parse(json)).toEqual(json);
    expect(json).toMatchObject({
      id: added.document_id,
      org_id: crbId,
      file_name: "secret-name.pdf",
      uploaded_by: clientId,
      deleted: false,
    });
    expect(Object.keys(json)).toEqual(Object.keys(downloadLink.shape));
    expect(json.storage_key).not.toContain("secret");
    expect(json.storage_key.split("/")[1]).toHaveLength(43);
    expect(Math.abs(json.expires_at - before - 3_600_000)).toBeLessThan(2_000);
    const answer = await fetch(json.download_link);
    expect(answer.headers.get("content-type")).toBe("text/plain");
    expect(Buffer.from(await answer.text(), "base64")).toEqual(content);
    const delivered = await fetch(json.file_link);
    expect(delivered.headers.get("content-type")).toBe("application/pdf");
    expect(Buffer.from(await delivered.arrayBuffer())).toEqual(content);
    bucket.now = new Date(json.expires_at - 1);
    expect((await fetch(json.download_link)).status).toBe(200);
    bucket.now = new Date(json.expires_at);
    for (const link of [json.download_link, json.file_link]) expect((await fetch(link)).status).toBe(403);
    bucket.now = undefined;
    expect((await fetch(json.download_link.replace(crbId, randomUUID()))).status).toBe(403);
  });
});

const png = base64("\x89PNG\r\n\x1a\n and so on");
const names = {
  file_name:
    "must have exactly one dot, before a known extension in lower case, and no path: license-v2.pdf, not license.v2.pdf",
};
const unprintable = "must not contain control or invisible characters";

describe("a document gets 422 (docs/spec.md#adding-a-document)", () => {
  test.each<[string, object, string, string]>([
    [
      "decoded size above the limit",
      { base64: Buffer.alloc(5_242_881, 97).toString("base64") },
      "body.base64",
      "must be at most 5242880 bytes when decoded",
    ],
    [
      "far above the limit",
      { base64: "QUFB".repeat(2_000_000) },
      "body.base64",
      "must be at most 5242880 bytes when decoded",
    ],
    ["empty", { base64: "" }, "body.base64", "must not be empty"],
    ["not padded", { base64: "eA" }, "body.base64", "must be base64"],
    ["the URL alphabet", { base64: "_-==" }, "body.base64", "must be base64"],
    ["a line break", { base64: "eHh4\neHh4" }, "body.base64", "must be base64"],
    ["a data: prefix", { base64: "data:text/plain;base64,eA==" }, "body.base64", "must be base64"],
    ["bits left over", { base64: "eB==" }, "body.base64", "must be base64"],
    ["text behind the padding", { base64: "eA==eA==" }, "body.base64", "must be base64"],
    [
      "a PNG named .pdf",
      { file_name: "a.pdf", file_type: "application/pdf", base64: png },
      "body.base64",
      "must match file_type",
    ],
    ["a PNG named .txt", { base64: png }, "body.base64", "must match file_type"],
    ["text named .png", { file_name: "a.png", file_type: "image/png" }, "body.base64", "must match file_type"],
    [
      "a program named .csv",
      { file_name: "a.csv", file_type: "text/csv", base64: base64("MZ\x90\0\x03\0\0\0") },
      "body.base64",
      "must match file_type",
    ],
    [
      "a page named .pdf",
      { file_name: "a.pdf", file_type: "application/pdf", base64: base64("<script>alert(1)</script>%PDF-1.7") },
      "body.base64",
      "must match file_type",
    ],
    [
      "a workbook with a password named .odt",
      {
        file_name: "a.odt",
        file_type: "application/vnd.oasis.opendocument.text",
        base64: sampleFile("password.xlsx").toString("base64"),
      },
      "body.base64",
      "must match file_type",
    ],
    ["null for a content", { base64: null }, "body.base64", "must be a string"],
    ["null for a type", { file_type: null }, "body.file_type", "must be one of text/csv"],
    ["null for a name", { file_name: null }, "body.file_name", "must be a string"],
    ["a MIME type not allowed", { file_type: "text/html" }, "body.file_type", "must be one of text/csv"],
    ["a MIME type in capitals", { file_type: "TEXT/PLAIN" }, "body.file_type", "must be one of text/csv"],
    [
      "an extension of another type",
      { file_name: "a.pdf" },
      "body.file_name",
      "must have an extension that matches file_type",
    ],
    ["no extension", { file_name: "note" }, "body.file_name", names.file_name],
    ["an unknown extension", { file_name: "note.exe" }, "body.file_name", names.file_name],
    ["a capital extension", { file_name: "note.TXT" }, "body.file_name", names.file_name],
    ["two dots", { file_name: "note.old.txt" }, "body.file_name", names.file_name],
    ["a path", { file_name: "../note.txt" }, "body.file_name", names.file_name],
    ["a path of Windows", { file_name: "a\\note.txt" }, "body.file_name", names.file_name],
    ["256 characters", { file_name: `${"x".repeat(252)}.txt` }, "body.file_name", "must have at most 255 characters"],
    ["a line break in the name", { file_name: "no\r\nte.txt" }, "body.file_name", unprintable],
    ["a NUL in the name", { file_name: "no\0te.txt" }, "body.file_name", unprintable],
    ["a line separator in the name", { file_name: "no\u2028te.txt" }, "body.file_name", unprintable],
    ["a right-to-left override in the name", { file_name: "exe\u202Efdp.txt" }, "body.file_name", unprintable],
    ["an isolate in the name", { file_name: "a\u2067b.txt" }, "body.file_name", unprintable],
    ["a zero-width space in the name", { file_name: "no\u200bte.txt" }, "body.file_name", unprintable],
    ["a tag in the name", { file_name: "note\u{e0041}.txt" }, "body.file_name", unprintable],
    ["a soft hyphen in the shown name", { friendly_name: "no\u00adte" }, "body.friendly_name", unprintable],
    ["a byte order mark in the shown name", { friendly_name: "\ufeffnote" }, "body.friendly_name", unprintable],
    ["half of a character in the name", { file_name: "a\uD800b.txt" }, "body.file_name", unprintable],
  ])("for %s", async (_, body, name, message) => {
    const { add } = await givenOnboarding(table());
    const before = bucket.count();
    const { status, json } = await add({ ...note, ...body });
    expect([status, Object.keys(json.fields)]).toEqual([422, [name]]);
    expect(json.fields[name].message).toContain(message);
    if (name === "body.base64") expect(json.fields[name]).not.toHaveProperty("value");
    expect(bucket.count()).toBe(before);
  });

  test("for a content of another type, together with all other errors", async () => {
    const { add } = await givenOnboarding(table());
    const { status, json } = await add({ file_name: "a.pdf", file_type: "application/pdf", base64: png, more: 1 });
    expect([status, Object.keys(json.fields).sort()]).toEqual([422, ["body.base64", "body.more"]]);
  });

  test("for all missing fields together", async () => {
    const { add } = await givenOnboarding(table());
    const { json } = await add({});
    expect(Object.keys(json.fields)).toEqual(["body.file_name", "body.file_type", "body.base64"]);
  });
});

test("a document for a requirement that is not in the CRB's template gets 404 and is not stored", async () => {
  const [one, other] = [await givenOnboarding(table()), await givenOnboarding(table())];
  const before = bucket.count();
  for (const requirement_id of [randomUUID(), other.requirementId]) {
    expect((await one.add(note, { requirement_id })).status).toBe(404);
  }
  expect(bucket.count()).toBe(before);
});

test("a document for an archived requirement gets 409 and is not stored", async () => {
  const { add } = await givenOnboarding(table(), [asking({ archived: true })]);
  const before = bucket.count();
  expect(await add()).toMatchObject({ status: 409, json: { name: "Conflict" } });
  expect(bucket.count()).toBe(before);
});

test("documents that are added in parallel are all stored", async () => {
  const { add, template } = await givenOnboarding(table());
  const answers = await Promise.all(Array.from({ length: 4 }, () => add()));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const { json } = await template();
  const ids = json.standard_requirements[0].documents.map(({ id }: { id: string }) => id);
  expect(ids.sort()).toEqual(answers.map(({ json: added }) => added.document_id).sort());
});
