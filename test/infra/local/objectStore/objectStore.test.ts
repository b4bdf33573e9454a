import { createHash } from "node:crypto";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandInput,
  ListObjectVersionsCommand,
  PutObjectCommand,
  PutObjectTaggingCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { close, listen } from "../../../../infra/local/listen.ts";
import { createObjectStore } from "../../../../infra/local/objectStore/objectStore.ts";
import { temporaryDirectories } from "../temporaryDirectories.ts";

const directory = temporaryDirectories()();
const access = { region: "us-east-1", credentials: { accessKeyId: "key", secretAccessKey: "secret" } };
let now: Date;
const server = createObjectStore({ bucket: "documents", directory, access, now: () => now });
let endpoint: string;
let client: S3Client;

beforeAll(async () => {
  endpoint = `http://127.0.0.1:${await listen(server, 0)}`;
  client = new S3Client({ endpoint, ...access, maxAttempts: 1 });
});
afterAll(() => {
  client.destroy();
  server.close();
});
beforeEach(() => {
  now = new Date();
});

const object = { Bucket: "documents", Key: "a b/ü+%2F?.txt" };
const put = (Body: string | Buffer, input: object = {}) =>
  client.send(new PutObjectCommand({ ...object, ContentType: "text/plain", Body, ...input }));
const get = (input: object = {}) => client.send(new GetObjectCommand({ ...object, ...input }));
const head = () => client.send(new HeadObjectCommand(object));
const remove = (input: object = {}) => client.send(new DeleteObjectCommand({ ...object, ...input }));
const textOf = async (input: object = {}) => (await get(input)).Body?.transformToString();

/** Starts to listen with a store until the end of the test. @returns its address */
async function started(store: ReturnType<typeof createObjectStore>): Promise<string> {
  onTestFinished(() => close(store));
  return `http://127.0.0.1:${await listen(store, 0)}`;
}

const download = (options: Parameters<typeof getSignedUrl>[2] = {}) =>
  getSignedUrl(client, new GetObjectCommand(object), { expiresIn: 60, ...options });

describe("operations signed in the header", () => {
  test("put and get keep content, type, length and ETag, for any key", async () => {
    const content = Buffer.from([0, 10, 13, 255, 10]);
    const { ETag } = await put(content);
    const got = await get();
    expect(Buffer.from((await got.Body?.transformToByteArray()) ?? [])).toEqual(content);
    expect(got).toMatchObject({ ContentType: "text/plain", ContentLength: 5, ETag });
    expect(ETag).toBe(`"${createHash("md5").update(content).digest("hex")}"`);
    expect(await head()).toMatchObject({ ContentLength: 5, ETag });
  });

  test("a deleted object is gone, and can be deleted again", async () => {
    await put("x");
    await remove();
    await expect(get()).rejects.toMatchObject({ name: "NoSuchKey" });
    await expect(head()).rejects.toMatchObject({ name: "NotFound" });
    await remove();
  });

  test("an object keeps its metadata, and parts of it can be read", async () => {
    await put("0123456789", { Metadata: { parts: "3,7" } });
    expect(await head()).toMatchObject({ Metadata: { parts: "3,7" } });
    const got = await get({ Range: "bytes=3-5" });
    expect(got).toMatchObject({ Metadata: { parts: "3,7" }, ContentLength: 3, $metadata: { httpStatusCode: 206 } });
    expect(await got.Body?.transformToString()).toBe("345");
    expect(await textOf({ Range: "bytes=8-99" })).toBe("89");
    await expect(get({ Range: "bytes=10-12" })).rejects.toMatchObject({ name: "InvalidRange" });
    await expect(get({ Range: "bytes=-3" })).rejects.toMatchObject({ name: "NotImplemented" });
  });

  test("a put with If-None-Match gets 412 if the object exists, and only one of several parallel ones succeeds", async () => {
    const once = { IfNoneMatch: "*", Key: "once" };
    const puts = await Promise.allSettled(Array.from({ length: 8 }, (_, i) => put(`content ${i}`, once)));
    expect(puts.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const first = puts.findIndex(({ status }) => status === "fulfilled");
    for (const refused of puts.filter((each) => each.status === "rejected")) {
      expect(refused.reason).toMatchObject({ name: "PreconditionFailed", $metadata: { httpStatusCode: 412 } });
    }
    expect(await textOf({ Key: "once" })).toBe(`content ${first}`);
    await remove({ Key: "once" });
    await put("again", once);
    await expect(put("x", { IfNoneMatch: '"x"' })).rejects.toMatchObject({ name: "NotImplemented" });
  });

  test("an object with the tag of an ended association cannot be read until it is put again", async () => {
    await put("x");
    const tag = (Value: string) =>
      client.send(new PutObjectTaggingCommand({ ...object, Tagging: { TagSet: [{ Key: "association", Value }] } }));
    const link = await download();
    await tag("other");
    expect((await fetch(link)).status).toBe(200);
    await tag("ended");
    expect((await fetch(link)).status).toBe(403);
    expect((await fetch(await download())).status).toBe(403);
    await expect(get()).rejects.toMatchObject({ name: "AccessDenied" });
    await put("x");
    expect((await fetch(link)).status).toBe(200);
    await remove();
    await expect(tag("ended")).rejects.toMatchObject({ name: "NoSuchKey" });
  });

  test("another store on the same directory has the same objects", async () => {
    await put("kept");
    const other = createObjectStore({ bucket: "documents", directory, access });
    const second = new S3Client({ endpoint: await started(other), ...access });
    const { Body } = await second.send(new GetObjectCommand(object));
    expect(await Body?.transformToString()).toBe("kept");
    second.destroy();
  });

  describe("a list of objects", () => {
    const list = async (input: Partial<ListObjectsV2CommandInput> = {}) => {
      const answer = await client.send(new ListObjectsV2Command({ Bucket: "documents", ...input }));
      return { keys: answer.Contents?.map(({ Key }) => Key) ?? [], more: answer.IsTruncated };
    };
    const keys = ["list/a", "list/a&<b>", "list/a/b", "list/é"];
    beforeAll(async () => {
      for (const Key of keys) await put("x", { Key });
    });

    test("has the keys with the prefix, ordered by bytes, up to the requested number", async () => {
      expect(await list({ Prefix: "list/" })).toEqual({ keys, more: false });
      expect(await list({ Prefix: "list/a/" })).toEqual({ keys: ["list/a/b"], more: false });
      expect(await list({ Prefix: "list/a", MaxKeys: 1 })).toEqual({ keys: ["list/a"], more: true });
      expect(await list({ Prefix: "none/" })).toEqual({ keys: [], more: false });
      expect((await list()).keys).toEqual(expect.arrayContaining(keys));
    });

    test("does not have deleted objects", async () => {
      await put("x", { Key: "list/b" });
      await remove({ Key: "list/b" });
      expect((await list({ Prefix: "list/b" })).keys).toEqual([]);
    });

    test("with an unsupported parameter is rejected", async () => {
      await expect(list({ Delimiter: "-" })).rejects.toMatchObject({ name: "NotImplemented" });
      await expect(list({ MaxKeys: -1 })).rejects.toMatchObject({ name: "InvalidArgument" });
    });
  });

  test("a wrong secret gets 403, another bucket 404", async () => {
    const credentials = { ...access.credentials, secretAccessKey: "other" };
    const stranger = new S3Client({ endpoint, ...access, credentials });
    await expect(stranger.send(new GetObjectCommand(object))).rejects.toMatchObject({
      name: "SignatureDoesNotMatch",
      $metadata: { httpStatusCode: 403 },
    });
    await expect(remove({ Bucket: "other" })).rejects.toMatchObject({ name: "NoSuchBucket" });
  });

  test("a request whose date is too old gets 403", async () => {
    now = new Date(Date.now() + 16 * 60_000);
    await expect(head()).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } });
  });

  test.each([
    ["ContentMD5", "md5"],
    ["ChecksumSHA1", "sha1"],
    ["ChecksumSHA256", "sha256"],
  ])("%s is checked", async (name, algorithm) => {
    const sum = { [name]: createHash(algorithm).update("content").digest("base64") };
    await put("content", sum);
    await expect(put("other", sum)).rejects.toMatchObject({ name: "BadDigest" });
  });

  test("a CRC-32 is checked", async () => {
    await put("content", { ChecksumAlgorithm: "CRC32" });
    await expect(put("content", { ChecksumCRC32: "AAAAAA==" })).rejects.toMatchObject({ name: "BadDigest" });
  });

  test("a request without a signature gets 403", async () => {
    await put("secret");
    for (const method of ["GET", "PUT", "DELETE", "HEAD"]) {
      expect((await fetch(`${endpoint}/documents/x`, { method })).status, method).toBe(403);
    }
  });
});

describe("a presigned GET", () => {
  beforeEach(async () => {
    now = new Date();
    await put("the content");
  });

  test("returns the object, with the file name in the link", async () => {
    const command = new GetObjectCommand({ ...object, ResponseContentDisposition: 'attachment; filename="x y.pdf"' });
    const answer = await fetch(await getSignedUrl(client, command));
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-disposition")).toBe('attachment; filename="x y.pdf"');
    expect(await answer.text()).toBe("the content");
  });

  test("is valid until its end", async () => {
    const link = await download({ expiresIn: 60, signingDate: new Date(1_772_480_712_000) });
    now = new Date(1_772_480_712_000 + 59_999);
    expect((await fetch(link)).status).toBe(200);
    now = new Date(1_772_480_712_000 + 60_000);
    const late = await fetch(link);
    expect([late.status, await late.text()]).toEqual([403, expect.stringContaining("Request has expired")]);
  });

  test.each([
    ["a longer life", (link: URL) => link.searchParams.set("X-Amz-Expires", "3600")],
    ["another date", (link: URL) => link.searchParams.set("X-Amz-Date", "20260302T194512Z")],
    ["another key", (link: URL) => Object.assign(link, { pathname: `${link.pathname}x` })],
    ["a parameter more", (link: URL) => link.searchParams.set("response-content-type", "text/html")],
    ["a parameter twice", (link: URL) => link.searchParams.append("X-Amz-Expires", "60")],
    ["a parameter less", (link: URL) => link.searchParams.delete("x-id")],
    ["no signature", (link: URL) => link.searchParams.delete("X-Amz-Signature")],
    ["another signature", (link: URL) => link.searchParams.set("X-Amz-Signature", "0".repeat(64))],
    [
      "another access key",
      (link: URL) => link.searchParams.set("X-Amz-Credential", "x/20260302/us-east-1/s3/aws4_request"),
    ],
  ])("with %s gets 403", async (_, change) => {
    const link = new URL(await download());
    change(link);
    expect((await fetch(link)).status).toBe(403);
  });

  test("is valid for no other method", async () => {
    const link = await download();
    for (const method of ["PUT", "DELETE", "HEAD", "POST"]) {
      expect((await fetch(link, { method })).status, method).toBe(403);
    }
  });
});

describe("a presigned PUT with signed type and length", () => {
  const sign = () =>
    getSignedUrl(
      new S3Client({ endpoint, ...access, requestChecksumCalculation: "WHEN_REQUIRED" }),
      new PutObjectCommand({ ...object, ContentType: "application/pdf", ContentLength: 4 }),
      { signableHeaders: new Set(["host", "content-type", "content-length"]) },
    );
  const send = async (body: string, type: string) =>
    (await fetch(await sign(), { method: "PUT", body, headers: { "Content-Type": type } })).status;

  test("accepts content of that type and length", async () => {
    expect(await send("%PDF", "application/pdf")).toBe(200);
    expect((await head()).ContentType).toBe("application/pdf");
  });
  test.each([
    ["a byte more", "%PDF-", "application/pdf"],
    ["a byte less", "%PD", "application/pdf"],
    ["another type", "%PDF", "image/png"],
  ])("rejects %s with 403", async (_, body, type) => expect(await send(body, type)).toBe(403));
});

describe("a page of another origin", () => {
  const page = "https://app.example.com";
  /** The response of a store that allows pages of these origins to use links. */
  async function ask(allowedOrigins: readonly string[], request: (address: string) => Request) {
    const open = createObjectStore({ bucket: "documents", directory, access, allowedOrigins });
    return fetch(request(await started(open)));
  }
  const preflight = (origin: string, method = "PUT", headers = "content-type,if-none-match") => ({
    method: "OPTIONS",
    headers: { Origin: origin, "Access-Control-Request-Method": method, "Access-Control-Request-Headers": headers },
  });
  const link = "/documents/uploads/x?X-Amz-Signature=0";

  test.each([
    [[page], page],
    [["*"], "*"],
  ])("may send a file to its link if the store allows %j", async (allowed, origin) => {
    const answer = await ask(allowed, (address) => new Request(address + link, preflight(page)));
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "access-control-allow-origin": origin,
      "access-control-allow-methods": "PUT, GET",
      "access-control-allow-headers": "content-type, if-none-match",
      vary: expect.stringContaining("Origin"),
    });
  });

  test.each([
    ["no origin is allowed", [], preflight(page)],
    ["only another origin is allowed", [page], preflight("https://other.example.com")],
    ["a link has no such method", [page], preflight(page, "DELETE")],
    ["a link has no such header", [page], preflight(page, "PUT", "content-type, authorization")],
  ])("may not send if %s", async (_, allowed, init) => {
    const answer = await ask(allowed, (address) => new Request(address + link, init));
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain("AccessForbidden");
  });

  test("can read the response to its request, even an error, and other pages cannot", async () => {
    const headers = { Origin: page };
    const refused = await ask([page], (address) => new Request(address + link, { headers }));
    expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([403, page]);
    const other = await ask(["https://other.example.com"], (address) => new Request(address + link, { headers }));
    expect([other.status, other.headers.get("access-control-allow-origin")]).toEqual([403, null]);
  });
});

describe("versions of an object", () => {
  const folder = temporaryDirectories()();
  const keeping = createObjectStore({
    bucket: "documents",
    directory: folder,
    access,
    now: () => now,
    versioned: true,
  });
  let kept: S3Client;
  beforeAll(async () => {
    kept = new S3Client({ endpoint: `http://127.0.0.1:${await listen(keeping, 0)}`, ...access, maxAttempts: 1 });
  });
  afterAll(() => {
    kept.destroy();
    keeping.close();
  });
  const versionsOf = async (by: S3Client, Prefix: string) => {
    const { Versions = [], DeleteMarkers = [] } = await by.send(
      new ListObjectVersionsCommand({ Bucket: "documents", Prefix }),
    );
    return { versions: Versions.map(({ VersionId }) => VersionId ?? ""), markers: DeleteMarkers.length };
  };
  const Bucket = "documents";
  const contentOf = async (Key: string) =>
    (await kept.send(new GetObjectCommand({ Bucket, Key }))).Body?.transformToString();

  test("stay when the object is replaced or deleted, until each version is deleted", async () => {
    const Key = "kept/a";
    for (const Body of ["one", "two"]) await kept.send(new PutObjectCommand({ Bucket, Key, Body }));
    await kept.send(new DeleteObjectCommand({ Bucket, Key }));
    await expect(contentOf(Key)).rejects.toMatchObject({ name: "NoSuchKey" });
    const { versions, markers } = await versionsOf(kept, "kept/");
    expect([versions.length, markers]).toEqual([2, 1]);
    expect(await versionsOf(kept, "other/")).toEqual({ versions: [], markers: 0 });

    // Without its last version, the object has the earlier one again.
    await kept.send(new PutObjectCommand({ Bucket, Key, Body: "three" }));
    const { versions: four } = await versionsOf(kept, "kept/");
    const [third = ""] = four.filter((version) => !versions.includes(version));
    await kept.send(new DeleteObjectCommand({ Bucket, Key, VersionId: third }));
    await expect(contentOf(Key)).rejects.toMatchObject({ name: "NoSuchKey" });
    const { DeleteMarkers: [marker] = [] } = await kept.send(new ListObjectVersionsCommand({ Bucket, Prefix: Key }));
    await kept.send(new DeleteObjectCommand({ Bucket, Key, VersionId: marker?.VersionId }));
    expect(await contentOf(Key)).toBe("two");
    for (const VersionId of versions) await kept.send(new DeleteObjectCommand({ Bucket, Key, VersionId }));
    expect(await versionsOf(kept, "")).toEqual({ versions: [], markers: 0 });
  });

  test("are one each without versioning, and their ids cannot lead to other files", async () => {
    const Key = "single/a";
    for (const Body of ["one", "two"]) await client.send(new PutObjectCommand({ Bucket, Key, Body }));
    expect(await versionsOf(client, Key)).toEqual({ versions: ["null"], markers: 0 });
    await client.send(new DeleteObjectCommand({ Bucket, Key, VersionId: "../../a" }));
    expect((await versionsOf(client, Key)).versions).toHaveLength(1);
    await client.send(new DeleteObjectCommand({ Bucket, Key, VersionId: "null" }));
    expect(await versionsOf(client, Key)).toEqual({ versions: [], markers: 0 });
  });
});

test("a list can begin after a key", async () => {
  for (const Key of ["after/a", "after/b", "after/c"]) {
    await client.send(new PutObjectCommand({ Bucket: "documents", Key, Body: "x" }));
  }
  const { Contents = [] } = await client.send(
    new ListObjectsV2Command({ Bucket: "documents", Prefix: "after/", StartAfter: "after/a" }),
  );
  expect(Contents.map(({ Key }) => Key)).toEqual(["after/b", "after/c"]);
});
