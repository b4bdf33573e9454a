import { createCrb } from "../business.ts";
import type { Check, Trial } from "../trial.ts";

const day = { seconds: 3_600, upload: 900 };

/** Documents in a body and by a link, and the links' expiry. */
export const documents: Check = {
  name: "documents and their links",
  page: "docs/guide/documents.md",
  async run(trial) {
    const { api } = trial.tried;
    const crb = await createCrb(trial.tried, { invited: true });
    const { standard_requirements: standard } = await api.answer("GET", `${crb}/onboarding-template`);
    const requirement = `${crb}/onboarding-template/requirements/${standard[0].requirement_id}`;

    const large = Buffer.alloc(4_000_000, "every byte counts; ").toString("base64");
    const inline = await api.call("PUT", `${requirement}/documents`, {
      body: { file_name: "large.txt", file_type: "text/plain", base64: large },
    });
    trial.equal("a document of 4 MB in a body", 200, inline.status);
    if (inline.status === 200) await reads(trial, crb, inline.json.document_id, large, "the document of 4 MB");

    const content = Buffer.from("%PDF-1.7 a license");
    const file = { file_name: "license.pdf", file_type: "application/pdf" };
    const uploads = `${requirement}/document-uploads`;
    const before = Date.now();
    const begun = await api.answer("POST", uploads, { body: { ...file, size: content.length } });
    ends(trial, "upload_link", begun, day.upload, before);
    const headers = { "Content-Type": file.file_type, "If-None-Match": "*" };
    const send = async (bytes: Buffer) =>
      (await fetch(begun.upload_link, { method: "PUT", headers, body: new Uint8Array(bytes) })).status;
    trial.equal("a file of another length to the upload_link", 403, await send(Buffer.concat([content, content])));
    trial.equal("the file to the upload_link", 200, await send(content));
    trial.equal("the file again", 412, await send(content));
    const done = await api.call("POST", `${uploads}/${begun.document_id}`);
    trial.equal("completeDocumentUpload", 200, done.status);
    await reads(trial, crb, begun.document_id, content.toString("base64"), "the uploaded file");
  },
};

/** Checks that a document's links return its base64 text and its file, and state their expiry. */
async function reads(trial: Trial, crb: string, documentId: string, base64: string, what: string): Promise<void> {
  const before = Date.now();
  const link = await trial.tried.api.answer("GET", `${crb}/documents/${documentId}/download`);
  for (const name of ["download_link", "file_link"]) ends(trial, name, link, day.seconds, before);
  const read = await fetch(link.download_link);
  const text = await read.text();
  trial.equal(`${what}, by its link`, [200, base64.length], [read.status, text.length]);
  trial.holds(`${what}, by its link: content`, "the base64 text that was stored", text === base64, text.slice(0, 40));
  const file = Buffer.from(await (await fetch(link.file_link)).arrayBuffer());
  const isSame = file.equals(Buffer.from(base64, "base64"));
  trial.holds(`${what}, by its file_link: content`, "the file that was sent", isSame, `${file.length} bytes`);
}

/** The expiry of a link: `expires_at` in epoch milliseconds, and the seconds in the link itself. */
// biome-ignore lint/suspicious/noExplicitAny: an answer as it came
function ends(trial: Trial, name: string, link: any, seconds: number, before: number): void {
  const left = (link.expires_at - before) / 1_000;
  trial.holds(
    `expires_at of the ${name}`,
    `epoch ms, ${seconds} s from now`,
    Math.abs(left - seconds) <= 60,
    link.expires_at,
  );
  const signed = URL.parse(link[name])?.searchParams.get("X-Amz-Expires");
  trial.equal(`X-Amz-Expires in the ${name}`, String(seconds), signed ?? "absent");
}
