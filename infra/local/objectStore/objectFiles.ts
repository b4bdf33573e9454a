import { createHash, randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** An object with what S3 keeps beside its content. */
export interface StoredObject {
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
    const head = { contentType, etag, modified: new Date().toISOString() };
    const draft = join(this.#directory, `draft-${randomUUID()}`);
    await writeFile(draft, [Buffer.from(`${JSON.stringify(head)}\n`), content], { mode: 0o600 });
    await rename(draft, this.#fileOf(key));
    return { ...head, content };
  }

  async remove(key: string): Promise<void> {
    await rm(this.#fileOf(key), { force: true });
  }

  /** A digest, since a key may hold what no file name can. */
  #fileOf(key: string): string {
    return join(this.#directory, createHash("sha256").update(key).digest("hex"));
  }
}
