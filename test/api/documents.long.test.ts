import { expect, test } from "vitest";
import { mimeTypeExtensions, mimeTypes } from "../../shared/api/enumerations.ts";
import { sampleFile } from "../shared/domain/documents/samples.ts";
import { routeOf, useStage } from "./useStage.ts";

const { call, stage } = useStage();

const textOf = (length: number) => {
  const base64 = Buffer.alloc(length, "every byte counts; ").toString("base64");
  return JSON.stringify({ file_name: "long.txt", file_type: "text/plain", base64 });
};

test("a body above the platform's limit gets 413", async () => {
  const { status, json } = await call(routeOf("addRequirementDocument"), { body: textOf(8 * 1024 * 1024) });
  expect([status, json.name]).toEqual([413, "Payload Too Large"]);
});

test("a file of 5,242,880 bytes can also be sent through an upload link", async () => {
  const content = Buffer.alloc(5_242_880, "%PDF-1.7 ");
  const body = JSON.stringify({ file_name: "big.pdf", file_type: "application/pdf", size: content.length });
  const { json } = await call(routeOf("createDocumentUpload"), { body });
  const headers = { "Content-Type": "application/pdf", "If-None-Match": "*" };
  const sent = await fetch(String(json.upload_link), { method: "PUT", body: content, headers });
  expect(sent.status).toBe(200);
  const ids = { document_id: String(json.document_id), doc_id: String(json.document_id) };
  expect((await call(routeOf("completeDocumentUpload"), { ids })).status).toBe(200);
  const { download_link, file_link } = (await call(routeOf("getCrbDocumentDownload"), { ids })).json;
  const text = await (await fetch(String(download_link))).text();
  expect(Buffer.from(text, "base64").equals(content)).toBe(true);
  const file = await fetch(String(file_link));
  expect(file.headers.get("content-type")).toBe("application/pdf");
  expect(Buffer.from(await file.arrayBuffer()).equals(content)).toBe(true);
});

test("completing an upload whose file has not arrived gets 422", async () => {
  const body = JSON.stringify({ file_name: "late.pdf", file_type: "application/pdf", size: 9 });
  const { json } = await call(routeOf("createDocumentUpload"), { body });
  const ids = { document_id: String(json.document_id) };
  const refused = await call(routeOf("completeDocumentUpload"), { ids });
  expect([refused.status, Object.keys(refused.json.fields ?? {})]).toEqual([422, ["path.document_id"]]);
});

test.each(["sample.docx", "streamed.docx", "animated.png", "password.xlsx"])(
  "%s is accepted with its own file type and rejected with another one",
  async (name) => {
    const base64 = sampleFile(name).toString("base64");
    const extension = name.split(".").at(-1) ?? "";
    const file_type = mimeTypes.find((type) => (mimeTypeExtensions[type] as readonly string[]).includes(extension));
    const add = (body: object) =>
      call(routeOf("addRequirementDocument"), { body: JSON.stringify({ base64, ...body }) });
    expect((await add({ file_name: name, file_type })).status).toBe(200);
    for (const other of ["application/vnd.oasis.opendocument.text", "image/jpeg", "text/plain"] as const) {
      const { status, json } = await add({ file_name: `a.${mimeTypeExtensions[other][0]}`, file_type: other });
      expect([status, json.fields]).toEqual([422, { "body.base64": { message: "must match file_type" } }]);
    }
  },
);

test("each CRB of the demo has its own template and documents", async () => {
  const { crbs } = stage().description;
  const read = async (index: number) =>
    (await call(routeOf("getCrbOnboardingTemplate"), { ids: { crb_id: crbs[index]?.crb_id ?? "" } })).json;
  const [first, second, third] = [await read(0), await read(1), await read(2)];
  expect(first.status).toBe("bank_in_progress");
  expect(second).toMatchObject({ status: "bank_in_progress", name: "Standard due diligence" });
  expect(third).toMatchObject({ status: "svc_approved", template_id: first.template_id });
  expect(first.custom_requirements).not.toEqual([]);
});
