import * as z from "zod";
import type { Fields } from "../../api/errors.ts";
import { addDocument } from "../../api/schemas/documentRequests.ts";
import { isOfType } from "./contentType.ts";

const { file_type, base64 } = addDocument.shape;
const sent = z.object({ file_type, base64 });

/**
 * Checks whether a document's content has its declared type. A schema cannot check this.
 *
 * @param body as received: any JSON
 */
export async function contentIssues(body: unknown): Promise<Fields> {
  const { success, data } = sent.safeParse(body);
  if (!success || (await isOfType(data.file_type, Buffer.from(data.base64, "base64")))) return {};
  return { "body.base64": { message: "must match file_type" } };
}
