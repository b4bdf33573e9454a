import * as z from "zod";
import { type MimeType, mimeTypeExtensions, mimeTypes, requirementDocumentStatuses } from "../enumerations.ts";
import { FILE_NAME } from "../patterns.ts";
import { hasValidFields } from "./checks.ts";
import { printable, visible, visibleError } from "./requestFields.ts";
import { requirement } from "./requirement.ts";
import { epoch, uuid } from "./scalars.ts";

/** Maximum size of a document, in bytes (docs/spec.md#limits). */
const largest = 5 * 1024 * 1024;
const maxBase64Length = Math.ceil(largest / 3) * 4;

const file = {
  file_name: z
    .string()
    .max(255)
    .regex(FILE_NAME, {
      error:
        "must have exactly one dot, before a known extension in lower case, and no path: license-v2.pdf, not license.v2.pdf",
      abort: true,
    })
    .refine(visible, visibleError)
    .describe(
      "Full file name with exactly one dot, before its extension in lower case: `license-v2.pdf`, not `license.v2.pdf`",
    ),
  file_type: z.enum(mimeTypes).describe("Media type; must match the extension"),
  friendly_name: z
    .string()
    .min(1)
    .max(255, { abort: true })
    .refine(visible, visibleError)
    .optional()
    .describe("Name to show for the document, such as the file's original name on the sender's device"),
};

/**
 * Arguments of a `refine`: the extension of the file name must belong to the media type. The failure is reported for
 * the name.
 */
function extensionFits() {
  const rule = ({ file_name, file_type }: { file_name: string; file_type: MimeType }) => {
    const extension = file_name.slice(file_name.lastIndexOf(".") + 1);
    return (mimeTypeExtensions[file_type] as readonly string[]).includes(extension);
  };
  const error = "must have an extension that matches file_type";
  const failure = { path: ["file_name"], error, when: hasValidFields("file_name", "file_type") };
  return [rule, failure] as const;
}

/** The fault of a document's base64 text; undefined if it is valid. */
function base64Failure(text: string): string | undefined {
  if (text === "") return "must not be empty";
  const tooLarge = `must be at most ${largest} bytes when decoded`;
  if (text.length > maxBase64Length) return tooLarge;
  // The decoder skips invalid characters and leftover bits of the last group. The check does not decode the text, since
  // copies of a large document would take several times its memory.
  const last = text.slice(-4);
  const foreign = text.search(/[^A-Za-z\d+/]/);
  const isSound =
    text.length % 4 === 0 &&
    (foreign === -1 || foreign >= text.length - last.length) &&
    Buffer.from(last, "base64").toString("base64") === last;
  if (!isSound) return "must be base64 in the standard alphabet, with padding and without line breaks";
  return Buffer.byteLength(text, "base64") > largest ? tooLarge : undefined;
}

/** A document for a requirement (docs/spec.md#adding-a-document). */
export const addDocument = z
  .strictObject({
    ...file,
    base64: z
      .string()
      .check(({ value, issues }) => {
        const message = base64Failure(value);
        if (message) issues.push({ code: "custom", input: value, message });
      })
      .meta({
        description: `Content in base64 (standard alphabet, with padding, no line breaks), 1 to ${largest} bytes when decoded`,
        contentEncoding: "base64",
        pattern: "^[A-Za-z0-9+/]+={0,2}$",
        minLength: 1,
        maxLength: maxBase64Length,
      }),
  })
  .refine(...extensionFits())
  .meta({ id: "AddDocument", description: "A document to add to a requirement" });

/** The response to an added document (docs/spec.md#adding-a-document). */
export const documentAdded = z
  .strictObject({
    document_id: uuid.describe("Id of the new document, also as a document of the CRB"),
    updated_requirement_response: requirement.describe("The requirement after the addition"),
  })
  .meta({ id: "DocumentAdded", description: "The added document, with its requirement" });

/** A file that the client will send directly to the bucket (docs/spec.md#uploads-and-downloads). */
export const uploadCreation = z
  .strictObject({ ...file, size: z.int32().min(1).max(largest).describe("Length of the file in bytes") })
  .refine(...extensionFits())
  .meta({ id: "UploadCreation", description: "A file that the client will send directly to the bucket" });

/** The address and the expiry of an upload (docs/spec.md#uploads-and-downloads). */
export const upload = z
  .strictObject({
    document_id: uuid.describe("Id that the document has once the upload is completed"),
    upload_link: z
      .url()
      .describe(
        "Presigned link for one PUT of the file's bytes with `If-None-Match: *`; accepts only the announced type and length",
      ),
    expires_at: epoch.describe("When the link expires, in epoch milliseconds"),
  })
  .meta({ id: "Upload", description: "A link to send the file to, and its expiry" });

/** The new review status of a document (docs/spec.md#review-and-deletion). */
export const documentStatus = z
  .strictObject({
    status: z.enum(requirementDocumentStatuses).describe("The new status"),
    review_note: printable(500)
      .optional()
      .describe("Why the document is archived; only with status `archived`. Invited users see it"),
  })
  .refine(({ status, review_note }) => review_note === undefined || status === "archived", {
    path: ["review_note"],
    error: "is allowed only with status archived",
    when: hasValidFields("status", "review_note"),
  })
  .meta({ id: "DocumentStatus", description: "The new status of a document in its review" });
