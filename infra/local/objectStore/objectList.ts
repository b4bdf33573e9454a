import type { ObjectFiles, StoredObject } from "./objectFiles.ts";
import type { Target } from "./signature.ts";
import { StoreError } from "./storeError.ts";

const mostKeys = 1000;

/**
 * What ListObjectsV2 answers, as XML; of its parameters prefix and number of keys are known here, and so is one page.
 *
 * @throws StoreError for any other operation on a bucket, and for other parameters
 */
export async function listObjects(
  files: ObjectFiles,
  bucket: string,
  method: string | undefined,
  { query }: Target,
): Promise<string> {
  const { "list-type": type, prefix = "", "max-keys": asked = String(mostKeys), ...others } = query;
  const unknown = Object.keys(others).some((name) => !name.startsWith("X-Amz-") && name !== "x-id");
  if (method !== "GET" || type !== "2" || typeof prefix !== "string" || unknown) {
    throw new StoreError("NotImplemented", "Of a bucket only a page of its objects is known here.");
  }
  const limit = Math.min(Number(asked), mostKeys);
  if (!Number.isInteger(limit) || limit < 0) throw new StoreError("InvalidArgument", "max-keys is no number of keys.");
  const objects = await files.list(prefix);
  const page = objects.slice(0, limit);
  const told = [
    element("Name", bucket),
    element("Prefix", prefix),
    element("MaxKeys", limit),
    element("KeyCount", page.length),
    element("IsTruncated", objects.length > page.length),
    ...page.map(contents),
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult>${told.join("")}</ListBucketResult>`;
}

const contents = ({ key, etag, modified }: Omit<StoredObject, "content">): string =>
  `<Contents>${element("Key", key)}${element("LastModified", modified)}${element("ETag", etag)}</Contents>`;

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

const element = (name: string, value: string | number | boolean): string =>
  `<${name}>${String(value).replaceAll(/[&<>]/g, (sign) => escapes[sign] ?? sign)}</${name}>`;
