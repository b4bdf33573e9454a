import * as z from "zod";
import { person } from "./person.ts";
import { dateTime, epoch } from "./scalars.ts";

/** A document of a CRB (docs/spec.md#uploads-and-downloads). */
export const document = z
  .strictObject({
    id: z.string().describe("The `doc_id`"),
    org_id: z.string().describe("The CRB"),
    storage_key: z.string().describe("Opaque key of the stored content"),
    file_name: z.string().describe("File name as uploaded"),
    uploaded_by: z
      .string()
      .describe("`client_id` of the uploading credential, or id of the invitation of the user who uploaded it"),
    uploaded_by_person: person.nullable().describe("The person who uploaded it; null for programs and invited users"),
    upload_date: dateTime.describe("Time of upload"),
    deleted: z.boolean().describe("`true` after the deletion; the record stays"),
  })
  .meta({ id: "Document", description: "A document of a CRB" });

export type Document = z.output<typeof document>;

/** A document with links to its content (docs/spec.md#uploads-and-downloads). */
export const downloadLink = document
  .extend({
    download_link: z
      .url()
      .describe("Presigned link to the content as base64 text, `{file_name}.base64.txt`, valid for 3600 seconds"),
    file_link: z.url().describe("Presigned link to the file itself, `{file_name}`, valid as long"),
    expires_at: epoch.describe("When the links expire, in epoch milliseconds"),
  })
  .meta({ id: "DownloadLink", description: "A document with links to its content" });
