import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { awsRequests } from "../../platform/aws/awsRequests.ts";
import { reportOutages } from "../../platform/aws/reportOutages.ts";
import { contentDisposition } from "./contentDisposition.ts";

/** Seconds that links are good for (docs/spec.md#uploads-and-downloads). */
export const downloadLife = 3600;
export const uploadLife = 900;

/** The tag of objects that nobody may read any more; the bucket's policy says so (`infra/stacks/dataStack.ts`). */
export const endedTag = { Key: "association", Value: "ended" } as const;

/** A link that needs no credential, and the end of its validity in epoch milliseconds. */
export interface SignedLink {
  link: string;
  expiresAt: number;
}

/** One of the contents that an object has had, or that it was removed. */
export interface ObjectVersion {
  key: string;
  version: string;
}

/**
 * The store of documents and licenses. Every method throws `ServiceError` "unavailable" when the store throttles or cannot be
 * reached after the client's own retries.
 */
export class Bucket {
  readonly name: string;
  readonly client: S3Client;

  constructor(name: string, client: S3Client) {
    this.name = name;
    this.client = client;
    reportOutages(client);
  }

  /** Keeps the base64 text of a document; the object is that text (docs/spec.md#uploads-and-downloads). */
  async store(storageKey: string, base64: string): Promise<void> {
    const content = { Body: base64, ContentType: "text/plain" };
    await this.client.send(new PutObjectCommand({ Bucket: this.name, Key: storageKey, ...content }));
  }

  /** An object's bytes; undefined when there is none. */
  async read(storageKey: string): Promise<Buffer | undefined> {
    return (await this.#has(storageKey)) ? this.readBytes(storageKey) : undefined;
  }

  /** The bytes of an object that is known to be there. @throws what S3 answers when it is not, see `#has` */
  async readBytes(storageKey: string): Promise<Buffer> {
    const { Body } = await this.client.send(new GetObjectCommand({ Bucket: this.name, Key: storageKey }));
    const { buffer, byteOffset, byteLength } = (await Body?.transformToByteArray()) ?? new Uint8Array();
    return Buffer.from(buffer, byteOffset, byteLength);
  }

  async storeBytes(storageKey: string, bytes: Uint8Array): Promise<void> {
    await this.client.send(new PutObjectCommand({ Bucket: this.name, Key: storageKey, Body: bytes }));
  }

  /**
   * Up to a thousand objects whose keys begin like this, in their order, with when they were stored.
   *
   * @param after only keys that come after this one
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
   * Whether there is an object of this key. To read one that is missing would not tell: S3 answers 404 to who may list
   * "the bucket", without saying what of it where that is restricted to some keys, and 403 to everybody else, as it does
   * where the key of the encryption is refused.
   */
  async #has(storageKey: string): Promise<boolean> {
    // The key itself comes first among those that begin like it.
    const command = new ListObjectsV2Command({ Bucket: this.name, Prefix: storageKey, MaxKeys: 1 });
    const { Contents } = await this.client.send(command);
    return Contents?.[0]?.Key === storageKey;
  }

  /** Removes an object; one that is not there is as good as removed. */
  async remove(storageKey: string): Promise<void> {
    await this.client.send(new DeleteObjectCommand({ Bucket: this.name, Key: storageKey }));
  }

  /** Up to a thousand versions of objects whose keys begin like this, also of those that were removed since. */
  async listVersions(prefix: string): Promise<ObjectVersion[]> {
    const command = new ListObjectVersionsCommand({ Bucket: this.name, Prefix: prefix });
    const { Versions = [], DeleteMarkers = [] } = await this.client.send(command);
    return [...Versions, ...DeleteMarkers].flatMap(({ Key, VersionId }) =>
      Key && VersionId ? [{ key: Key, version: VersionId }] : [],
    );
  }

  /** Removes a version of an object for good. */
  async removeVersion({ key, version }: ObjectVersion): Promise<void> {
    await this.client.send(new DeleteObjectCommand({ Bucket: this.name, Key: key, VersionId: version }));
  }

  /**
   * A link by which whoever has it reads the object, as a file of this name; signed with this client's credentials, see
   * `downloadLink`.
   *
   * @param from when its life begins
   */
  async signDownload(storageKey: string, fileName: string, from = new Date()): Promise<SignedLink> {
    const command = new GetObjectCommand({
      Bucket: this.name,
      Key: storageKey,
      ResponseContentDisposition: contentDisposition(fileName),
    });
    return this.#sign(downloadLife, from, (options) => getSignedUrl(this.client, command, options));
  }

  /**
   * A link by which whoever has it stores an object of exactly this type and length (bytes), once: it must be sent with
   * `If-None-Match: *`, which the store refuses where there is an object. Signed with this client's credentials, see
   * `uploadLink`.
   *
   * @param from when its life begins
   */
  async signUpload(storageKey: string, contentType: string, length: number, from = new Date()): Promise<SignedLink> {
    const command = new PutObjectCommand({
      Bucket: this.name,
      Key: storageKey,
      ContentType: contentType,
      ContentLength: length,
      IfNoneMatch: "*",
    });
    // Length and condition are signed as they are; the type only when asked for.
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
    // A signature knows whole seconds.
    const second = Math.floor(from.getTime() / 1000) * 1000;
    const link = await sign({ expiresIn: life, signingDate: new Date(second) });
    return { link, expiresAt: second + life * 1000 };
  }
}

/** Settings of every S3 client of the service; a checksum in a link would bind it to a content not yet known. */
const clientConfig: S3ClientConfig = {
  requestHandler: awsRequests(20_000),
  requestChecksumCalculation: "WHEN_REQUIRED",
  responseChecksumValidation: "WHEN_REQUIRED",
};

/** A client of the store. @param config where it is and with which credentials; by the environment when absent */
export const bucketOf = (name: string, config: S3ClientConfig = {}): Bucket =>
  new Bucket(name, new S3Client({ ...clientConfig, ...config }));

let processBucket: Bucket | undefined;

/**
 * The store of this process, by the environment: DOCUMENTS_BUCKET, and the SDK's own variables for region, credentials
 * and (on one machine) AWS_ENDPOINT_URL_S3. Made at the first call.
 */
export function serviceBucket(): Bucket {
  const name = process.env.DOCUMENTS_BUCKET;
  if (!name) throw new Error("DOCUMENTS_BUCKET is not set");
  processBucket ??= bucketOf(name);
  return processBucket;
}
