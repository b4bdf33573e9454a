import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { endedTag } from "../../../shared/domain/documents/bucket.ts";
import { linkHeaders, linkMethods, preflightSeconds } from "../../constructs/objectCors.ts";
import { splitTarget } from "../event.ts";
import { collect } from "../server.ts";
import { checkSums } from "./checksums.ts";
import { ObjectFiles, type StoredObject } from "./objectFiles.ts";
import { listObjects } from "./objectList.ts";
import { checkSignature, type StoreAccess, type Target } from "./signature.ts";
import { StoreError } from "./storeError.ts";

interface ObjectStoreOptions {
  bucket: string;
  directory: string;
  access: StoreAccess;
  /** Origins whose pages may use links in a browser (CORS); `*` for all, none if absent. */
  allowedOrigins?: readonly string[];
  now?: () => Date;
  /** Keeps replaced and removed objects, as the bucket on AWS does. */
  versioned?: boolean;
}

const metadataPrefix = "x-amz-meta-";

interface StoreAnswer {
  status: number;
  headers?: Record<string, string | number>;
  body?: Buffer;
}

/** No document is larger than this limit. The store rejects a larger body without keeping it. */
const largest = 32 * 1024 * 1024;

/**
 * Creates an HTTP server that stands in for S3, path-style: PutObject, PutObjectTagging, GetObject, HeadObject,
 * DeleteObject, ListObjectsV2, ListObjectVersions, and preflights. Requests are signed in the header or in the link. The
 * server checks signatures, expiry, signed conditions and checksums as S3 does. It denies access after the end of an
 * association, as the bucket's policy does (`infra/stacks/dataStack.ts`).
 */
export function createObjectStore(options: ObjectStoreOptions): Server {
  const files = new ObjectFiles(options.directory, options);
  const { allowedOrigins = [] } = options;
  return createServer(async (request, response) => {
    let answer: StoreAnswer;
    // Errors need the headers too, so that a page can read the reason.
    for (const [name, value] of Object.entries(corsHeaders(request, allowedOrigins))) response.setHeader(name, value);
    try {
      answer = await serve(options, files, request);
    } catch (error) {
      if (request.errored) return;
      const { status, body } = error instanceof StoreError ? error : { status: 500, body: "" };
      answer = { status, headers: { "Content-Type": "application/xml" }, body: Buffer.from(body) };
    }
    write(request, response, answer);
  });
}

async function serve(
  { bucket, access, allowedOrigins = [], now = () => new Date() }: ObjectStoreOptions,
  files: ObjectFiles,
  request: IncomingMessage,
): Promise<StoreAnswer> {
  const content = await collect(request, largest);
  if (!content) throw new StoreError("EntityTooLarge", "The content is larger than the local stage accepts.");
  if (request.method === "OPTIONS") return { status: 200, headers: preflightHeaders(request, allowedOrigins) };
  const target = targetOf(request);
  await checkSignature(request, target, access, now());
  const [, named, ...rest] = target.path.split("/");
  if (named !== bucket) throw new StoreError("NoSuchBucket", "The bucket does not exist.");
  const key = decodeURIComponent(rest.join("/"));
  if (!key) {
    const body = Buffer.from(await listObjects(files, bucket, request.method, target));
    return { status: 200, headers: { "Content-Type": "application/xml" }, body };
  }
  switch (request.method) {
    case "PUT":
      checkContent(request, target, content);
      return "tagging" in target.query ? tag(files, key, content) : put(files, key, request, content);
    case "GET":
    case "HEAD":
      return get(await files.read(key), target, request);
    case "DELETE":
      await removeObject(files, key, target);
      return { status: 204 };
    default:
      throw new StoreError("MethodNotAllowed", "The method is not allowed against this resource.");
  }
}

function removeObject(files: ObjectFiles, key: string, { query }: Target): Promise<void> {
  return typeof query.versionId === "string" ? files.removeVersion(key, query.versionId) : files.remove(key);
}

function checkContent({ headers }: IncomingMessage, { query }: Target, content: Buffer): void {
  if (headers["content-length"] === undefined) {
    throw new StoreError("MissingContentLength", "The header Content-Length is missing.");
  }
  const hoisted = Object.entries(query).map(([name, value]) => [name.toLowerCase(), value]);
  checkSums(content, { ...Object.fromEntries(hoisted), ...headers });
}

async function put(
  files: ObjectFiles,
  key: string,
  { headers }: IncomingMessage,
  content: Buffer,
): Promise<StoreAnswer> {
  const metadata = Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      name.startsWith(metadataPrefix) ? [[name.slice(metadataPrefix.length), String(value)]] : [],
    ),
  );
  const { "content-type": type = "binary/octet-stream", "if-none-match": unless } = headers;
  if (unless !== undefined && unless !== "*") {
    throw new StoreError("NotImplemented", "The local stage supports If-None-Match only with an asterisk.");
  }
  const stored = await files.write(key, content, { contentType: type, metadata, onlyNew: unless === "*" });
  if (!stored) throw new StoreError("PreconditionFailed", "An object with this key already exists.");
  return { status: 200, headers: { ETag: stored.etag } };
}

async function tag(files: ObjectFiles, key: string, content: Buffer): Promise<StoreAnswer> {
  const pairs = content.toString("utf8").matchAll(/<Tag><Key>([^<&]+)<\/Key><Value>([^<&]*)<\/Value><\/Tag>/g);
  const tags = Object.fromEntries([...pairs].map(([, name, value]) => [name, value]));
  if (!(await files.tag(key, tags))) throw new StoreError("NoSuchKey", "The key does not exist.");
  return { status: 200 };
}

function get(object: StoredObject | undefined, { query }: Target, { headers }: IncomingMessage): StoreAnswer {
  if (!object) throw new StoreError("NoSuchKey", "The key does not exist.");
  if (object.tags[endedTag.Key] === endedTag.Value) {
    throw new StoreError("AccessDenied", "The policy of the bucket denies reading this object.");
  }
  const disposition = query["response-content-disposition"];
  const range = rangeOf(headers.range, object.content.length);
  return {
    status: range ? 206 : 200,
    headers: {
      "Content-Type": String(query["response-content-type"] ?? object.contentType),
      ETag: object.etag,
      "Last-Modified": new Date(object.modified).toUTCString(),
      ...Object.fromEntries(Object.entries(object.metadata).map(([name, value]) => [metadataPrefix + name, value])),
      ...(typeof disposition === "string" && { "Content-Disposition": disposition }),
    },
    body: object.content.subarray(range?.start, range?.end),
  };
}

/** @throws StoreError if the range is not `bytes=FIRST-LAST`, or begins after the end of the content */
function rangeOf(header: string | undefined, length: number): { start: number; end: number } | undefined {
  if (header === undefined) return undefined;
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(header) ?? [];
  if (first === undefined) throw new StoreError("NotImplemented", "The local stage supports only closed ranges.");
  if (Number(first) >= length) throw new StoreError("InvalidRange", "The range begins after the end of the object.");
  return { start: Number(first), end: Number(last) + 1 };
}

function targetOf(request: IncomingMessage): Target {
  const { path, search } = splitTarget(request.url ?? "/");
  const query: Target["query"] = {};
  for (const [name, value] of new URLSearchParams(search)) {
    const before = query[name];
    query[name] = before === undefined ? value : [before, value].flat();
  }
  return { path, query };
}

function write(request: IncomingMessage, response: ServerResponse, { status, headers, body }: StoreAnswer): void {
  response.writeHead(status, { ...headers, ...(status !== 204 && { "Content-Length": body?.length ?? 0 }) });
  response.end(request.method === "HEAD" ? undefined : body);
}

/**
 * The CORS headers that S3 sends if a rule of the bucket allows the page's origin and method; none for other pages.
 *
 * @param allowed origins, or `*` for all
 */
function corsHeaders(request: IncomingMessage, allowed: readonly string[]): Record<string, string> {
  const { origin, "access-control-request-method": requestedMethod } = request.headers;
  const method = requestedMethod ?? request.method;
  if (!origin || !linkMethods.some((each) => each === method)) return {};
  if (!allowed.includes("*") && !allowed.includes(origin)) return {};
  return {
    "Access-Control-Allow-Origin": allowed.includes("*") ? "*" : origin,
    "Access-Control-Allow-Methods": linkMethods.join(", "),
    Vary: "Origin, Access-Control-Request-Headers, Access-Control-Request-Method",
  };
}

/**
 * The headers of a preflight response. A preflight needs no signature: browsers do not sign OPTIONS.
 *
 * @throws StoreError if the page may not send the request
 */
function preflightHeaders(request: IncomingMessage, allowed: readonly string[]): Record<string, string> {
  const { "access-control-request-headers": requestedHeaders = "" } = request.headers;
  const names = requestedHeaders.split(",").flatMap((name) => name.trim().toLowerCase() || []);
  const general = corsHeaders(request, allowed);
  if (!general["Access-Control-Allow-Origin"] || !names.every((name) => linkHeaders.some((each) => each === name))) {
    throw new StoreError("AccessForbidden", "CORSResponse: This CORS request is not allowed.");
  }
  return {
    ...general,
    ...(names.length > 0 && { "Access-Control-Allow-Headers": names.join(", ") }),
    "Access-Control-Max-Age": String(preflightSeconds),
  };
}
