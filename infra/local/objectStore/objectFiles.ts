import { createHash, randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** An object with what S3 keeps beside its content. */
export interface StoredObject {
  key: string;
  contentType: string;
  /** MD5 of the content, hexadecimal, in quotes. */
  etag: string;
  /** ISO 8601 UTC */
  modified: string;
  content: Buffer;
}

/** Objects as files of one directory: one line of JSON, then the content, so that both are there or neither. */
export class ObjectFiles {
  readonly #directory: string;

  /** @param directory made when missing */
  constructor(directory: string) {
    this.#directory = directory;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  }

  async read(key: string): Promise<StoredObject | undefined> {
    let file: Buffer;
    try {
      file = await readFile(this.#fileOf(key));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
    const end = file.indexOf("\n");
    return { ...JSON.parse(file.toString("utf8", 0, end)), content: file.subarray(end + 1) };
  }

  async write(key: string, contentType: string, content: Buffer): Promise<StoredObject> {
    const etag = `"${createHash("md5").update(content).digest("hex")}"`;
    const head = { key, contentType, etag, modified: new Date().toISOString() };
    const draft = join(this.#directory, `draft-${randomUUID()}`);
    await writeFile(draft, [Buffer.from(`${JSON.stringify(head)}\n`), content], { mode: 0o600 });
    await rename(draft, this.#fileOf(key));
    return { ...head, content };
  }

  /** The objects whose keys begin like this, in the order of their keys' bytes. Their contents are not read. */
  async list(prefix: string): Promise<Omit<StoredObject, "content">[]> {
    const found: Omit<StoredObject, "content">[] = [];
    for (const name of await readdir(this.#directory)) {
      const head = name.startsWith("draft-") ? undefined : await headOf(join(this.#directory, name));
      if (head?.key?.startsWith(prefix)) found.push(head);
    }
    return found.sort((one, other) => Buffer.compare(Buffer.from(one.key), Buffer.from(other.key)));
  }

  async remove(key: string): Promise<void> {
    await rm(this.#fileOf(key), { force: true });
  }

  /** A digest, since a key may hold what no file name can. */
  #fileOf(key: string): string {
    return join(this.#directory, createHash("sha256").update(key).digest("hex"));
  }
}

/** More than what a request of Node's server may say of an object. */
const longestHead = 64 * 1024;

/** What stands before a content; undefined when the object has just been removed. */
async function headOf(path: string): Promise<Omit<StoredObject, "content"> | undefined> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (!file) return undefined;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(longestHead), 0, longestHead, 0);
    return JSON.parse(buffer.toString("utf8", 0, buffer.subarray(0, bytesRead).indexOf("\n")));
  } finally {
    await file.close();
  }
}
