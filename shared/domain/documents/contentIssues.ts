import * as z from "zod";
import type { Fields } from "../../api/errors.ts";
import { addDocument } from "../../api/schemas/documentRequests.ts";
import { isOfType } from "./contentType.ts";

const { file_type, base64 } = addDocument.shape;
const sent = z.object({ file_type, base64 });

/**
 * What of a document's body no schema can tell: whether its content is of its type.
 *
 * @param body as received: whatever JSON it was
 */
export async function contentIssues(body: unknown): Promise<Fields> {
  const { success, data } = sent.safeParse(body);
  if (!success || (await isOfType(data.file_type, Buffer.from(data.base64, "base64")))) return {};
  return { "body.base64": { message: "must be a content of file_type" } };
}
