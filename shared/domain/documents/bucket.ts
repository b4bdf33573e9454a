import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import type { MimeType } from "../../api/enumerations.ts";
import { ServiceError } from "../../api/errors.ts";
import { awsRequests } from "../../platform/aws/awsRequests.ts";
import { reportOutages } from "../../platform/aws/reportOutages.ts";
import { contentDisposition } from "./contentDisposition.ts";

/** How long links to documents are valid, in seconds (docs/spec.md#uploads-and-downloads). */
export const downloadLife = 3600;
export const uploadLife = 900;

/**
 * The tag of objects that must not be read any more. The bucket's policy denies reads of them
 * (`infra/stacks/dataStack.ts`).
 */
export const endedTag = { Key: "association", Value: "ended" } as const;

/** The key of a document's file. The object at the storage key itself is the file's base64 text. */
export const fileKey = (storageKey: string): string => `${storageKey}.file`;

/** A link that needs no credential, and its expiry in epoch milliseconds. */
export interface SignedLink {
  link: string;
  expiresAt: number;
}

/** Values that are stored with an object, by names in lower case. */
type Metadata = Record<string, string>;

/**
 * The S3 bucket of documents and licenses. Every method throws ServiceError "unavailable" if S3 throttles or cannot be
 * reached, after the client's own retries.
 */
export class Bucket {
  readonly name: string;
  readonly client: S3Client;

  constructor(name: string, client: S3Client) {
    this.name = name;
    this.client = client;
    reportOutages(client);
  }

  /**
   * Stores a document as two objects (docs/spec.md#uploads-and-downloads): first the file, then its base64 text. If the text
   * exists, so does the file.
   *
   * @param fileType the MIME type that the file is delivered with
   */
  async store(storageKey: string, base64: string, fileType: MimeType): Promise<void> {
    await this.storeBytes(fileKey(storageKey), Buffer.from(base64, "base64"), fileType);
    await this.storeBytes(storageKey, base64, "text/plain");
  }

  /** Reads an object; undefined if it does not exist. */
  async read(storageKey: string): Promise<Buffer | undefined> {
    return (await this.#has(storageKey)) ? this.readBytes(storageKey) : undefined;
  }

  /**
   * Reads an object that is known to exist.
   *
   * @throws the error of S3 if the object does not exist; `#has` explains why this error is ambiguous
   */
  async readBytes(storageKey: string): Promise<Buffer> {
    const { Body } = await this.client.send(new GetObjectCommand({ Bucket: this.name, Key: storageKey }));
    const { buffer, byteOffset, byteLength } = (await Body?.transformToByteArray()) ?? new Uint8Array();
    return Buffer.from(buffer, byteOffset, byteLength);
  }

  /** @param contentType S3 delivers an object without one as `binary/octet-stream` */
  async storeBytes(storageKey: string, bytes: Uint8Array | string, contentType?: string): Promise<void> {
    const content = { Body: bytes, ...(contentType !== undefined && { ContentType: contentType }) };
    await this.client.send(new PutObjectCommand({ Bucket: this.name, Key: storageKey, ...content }));
  }

  /**
   * Stores an object, unless one with this key exists.
   *
   * @param metadata names and values of at most 2 KB together
   */
  async storeOnce(storageKey: string, bytes: Uint8Array, metadata: Metadata): Promise<void> {
    const content = { Body: bytes, Metadata: metadata, ContentType: "application/gzip", IfNoneMatch: "*" };
    try {
      await this.client.send(new PutObjectCommand({ Bucket: this.name, Key: storageKey, ...content }));
    } catch (error) {
      if ((error as Error).name !== "PreconditionFailed") throw error;
    }
  }

  /**
   * Reads the bytes of an object from `start` until before `end`, and its metadata.
   *
   * @throws Error if the object does not exist or must not be read
   */
  async readRange(storageKey: string, start: number, end: number): Promise<{ bytes: Uint8Array; metadata: Metadata }> {
    const range = { Bucket: this.name, Key: storageKey, Range: `bytes=${start}-${end - 1}` };
    try {
      const { Body, Metadata: metadata = {} } = await this.client.send(new GetObjectCommand(range));
      return { bytes: (await Body?.transformToByteArray()) ?? new Uint8Array(), metadata };
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      const message = `The object ${storageKey} cannot be read (docs/operations/restore.md#lost-files).`;
      throw new Error(message, { cause: error });
    }
  }

  /**
   * Lists up to 1,000 objects with a key prefix, in the order of their keys.
   *
   * @param after lists only keys that sort after this key
   */
  async list(prefix: string, after?: string): Promise<{ key: string; storedAt: Date }[]> {
    const { Contents = [] } = await this.client.send(
      new ListObjectsV2Command({ Bucket: this.name, Prefix: prefix, ...(after && { StartAfter: after }) }),
    );
    return Contents.flatMap(({ Key, LastModified }) =>
      Key && LastModified ? [{ key: Key, storedAt: LastModified }] : [],
    );
  }

  /**
   * Whether the object exists. This method lists the key instead of reading the object, because the error of a read is
   * ambiguous. For a missing object, S3 returns 404 only to callers that may list the bucket, and 403 to all other
   * callers. S3 also returns 403 if KMS denies the key. The S3 documentation does not say which response a caller gets
   * if it may list only some keys.
   */
  async #has(storageKey: string): Promise<boolean> {
    // Of all keys that begin with this key, the key itself sorts first.
    const command = new ListObjectsV2Command({ Bucket: this.name, Prefix: storageKey, MaxKeys: 1 });
    const { Contents } = await this.client.send(command);
    return Contents?.[0]?.Key === storageKey;
  }

  /** Removes an object; succeeds if it does not exist. */
  async remove(storageKey: string): Promise<void> {
    await this.client.send(new DeleteObjectCommand({ Bucket: this.name, Key: storageKey }));
  }

  /**
   * Creates a link that downloads the object as a file with this name. Anyone with the link can use it. This client's
   * credentials sign the link; `downloadLink` signs with a session on AWS.
   *
   * @param options `from`: start of the link's validity; `life`: its length in seconds
   */
  async signDownload(
    storageKey: string,
    fileName: string,
    { from = new Date(), life = downloadLife }: { from?: Date | undefined; life?: number } = {},
  ): Promise<SignedLink> {
    const command = new GetObjectCommand({
      Bucket: this.name,
      Key: storageKey,
      ResponseContentDisposition: contentDisposition(fileName),
    });
    return this.#sign(life, from, (options) => getSignedUrl(this.client, command, options));
  }

  /**
   * Creates a link that stores an object of exactly this type and length (bytes), once. Anyone with the link can use
   * it. The upload must send `If-None-Match: *`; S3 rejects it if the object exists. This client's credentials sign the
   * link; `uploadLink` signs with a session on AWS.
   *
   * @param from start of the link's validity
   */
  async signUpload(storageKey: string, contentType: string, length: number, from = new Date()): Promise<SignedLink> {
    const command = new PutObjectCommand({
      Bucket: this.name,
      Key: storageKey,
      ContentType: contentType,
      ContentLength: length,
      IfNoneMatch: "*",
    });
    // The SDK always signs the length and the `If-None-Match` condition, but the content type only if it is listed
    // here.
    const signableHeaders = new Set(["content-type"]);
    return this.#sign(uploadLife, from, (options) =>
      getSignedUrl(this.client, command, { ...options, signableHeaders }),
    );
  }

  async #sign(
    life: number,
    from: Date,
    sign: (options: { expiresIn: number; signingDate: Date }) => Promise<string>,
  ): Promise<SignedLink> {
    // Signatures have a resolution of one second.
    const second = Math.floor(from.getTime() / 1000) * 1000;
    const link = await sign({ expiresIn: life, signingDate: new Date(second) });
    return { link, expiresAt: second + life * 1000 };
  }
}

/**
 * Settings of every S3 client of the service. The clients compute checksums only where S3 requires them. A checksum in
 * an upload link would require the file's content before the upload.
 */
const clientConfig: S3ClientConfig = {
  requestHandler: awsRequests(20_000),
  requestChecksumCalculation: "WHEN_REQUIRED",
  responseChecksumValidation: "WHEN_REQUIRED",
};

/** @param config endpoint and credentials; from the environment by default */
export const bucketOf = (name: string, config: S3ClientConfig = {}): Bucket =>
  new Bucket(name, new S3Client({ ...clientConfig, ...config }));

let processBucket: Bucket | undefined;

/**
 * The bucket of this process, from the environment: DOCUMENTS_BUCKET, and the SDK's variables for region, credentials
 * and (on one machine) AWS_ENDPOINT_URL_S3. Created on first use.
 */
export function serviceBucket(): Bucket {
  const name = process.env.DOCUMENTS_BUCKET;
  if (!name) throw new Error("Set DOCUMENTS_BUCKET to the name of the bucket.");
  processBucket ??= bucketOf(name);
  return processBucket;
}
