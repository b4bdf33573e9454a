import type { ObjectFiles, ObjectHead } from "./objectFiles.ts";
import type { Target } from "./signature.ts";
import { StoreError } from "./storeError.ts";

const maxKeys = 1000;

/**
 * Answers ListObjectsV2 or ListObjectVersions as XML. Supports the parameters for prefix and number of keys, and
 * start-after and the delimiter "/" for ListObjectsV2; these parameters are enough to read the next page.
 *
 * @throws StoreError for any other bucket operation or parameter
 */
export async function listObjects(
  files: ObjectFiles,
  bucket: string,
  method: string | undefined,
  { query }: Target,
): Promise<string> {
  const { "list-type": type, versions, prefix = "", "max-keys": requestedKeys = String(maxKeys), ...more } = query;
  const { "start-after": after = "", delimiter, ...others } = more;
  const unknown = Object.keys(others).some((name) => !name.startsWith("X-Amz-") && name !== "x-id");
  const isKnown =
    versions === undefined
      ? type === "2" && (delimiter === undefined || delimiter === "/")
      : type === undefined && after === "" && delimiter === undefined;
  if (method !== "GET" || !isKnown || typeof prefix !== "string" || typeof after !== "string" || unknown) {
    throw new StoreError("NotImplemented", "The local stage supports only listing a page of the objects of a bucket.");
  }
  const limit = Math.min(Number(requestedKeys), maxKeys);
  if (!Number.isInteger(limit) || limit < 0)
    throw new StoreError("InvalidArgument", "max-keys must be a number of keys.");
  const found = versions === undefined ? await files.list(prefix) : await files.listVersions(prefix);
  const folders = delimiter ? foldersIn(found, prefix) : [];
  const isListed = ({ key }: ObjectHead) => !folders.some((folder) => key.startsWith(folder));
  const objects = found.filter(isListed).filter(({ key }) => Buffer.compare(Buffer.from(key), Buffer.from(after)) > 0);
  const page = objects.slice(0, limit);
  const isTruncated = objects.length > page.length;
  const about = [element("Name", bucket), element("Prefix", prefix), element("MaxKeys", limit)];
  const common = [...about, element("IsTruncated", isTruncated)];
  if (versions === undefined) {
    return answer("ListBucketResult", [
      ...common,
      element("KeyCount", page.length + folders.length),
      ...page.map(contents),
      ...folders.map(commonPrefix),
    ]);
  }
  return answer("ListVersionsResult", [...common, ...page.map(version)]);
}

/** The folders directly below a prefix, with the prefix and a slash at the end. */
const foldersIn = (found: readonly ObjectHead[], prefix: string): string[] => [
  ...new Set(
    found
      .filter(({ key }) => key.slice(prefix.length).includes("/"))
      .map(({ key }) => `${prefix}${key.slice(prefix.length).split("/")[0]}/`),
  ),
];

const commonPrefix = (folder: string): string => `<CommonPrefixes>${element("Prefix", folder)}</CommonPrefixes>`;

const answer = (name: string, parts: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${name}>${parts.join("")}</${name}>`;

const version = ({ key, modified, version, removal }: ObjectHead): string => {
  const name = removal ? "DeleteMarker" : "Version";
  const parts = [element("Key", key), element("VersionId", version), element("LastModified", modified)];
  return `<${name}>${parts.join("")}</${name}>`;
};

const contents = ({ key, etag, modified }: ObjectHead): string =>
  `<Contents>${element("Key", key)}${element("LastModified", modified)}${element("ETag", etag)}</Contents>`;

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

const element = (name: string, value: string | number | boolean): string =>
  `<${name}>${String(value).replaceAll(/[&<>]/g, (sign) => escapes[sign] ?? sign)}</${name}>`;
