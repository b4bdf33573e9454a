import { createHash, randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { access, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** An object with what S3 keeps beside its content. */
export interface StoredObject {
  key: string;
  contentType: string;
  /** MD5 of the content, hexadecimal, in quotes. */
  etag: string;
  /** ISO 8601 UTC */
  modified: string;
  tags: Readonly<Record<string, string>>;
  content: Buffer;
}

/** Objects as files of one directory: one line of JSON, then the content, so that both are there or neither. */
export class ObjectFiles {
  readonly #directory: string;
  #lastChange: Promise<unknown> = Promise.resolve();

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
    return { tags: {}, ...JSON.parse(file.toString("utf8", 0, end)), content: file.subarray(end + 1) };
  }

  /**
   * Stores an object in the place of another.
   *
   * @param onlyNew leaves another, if there is one
   * @returns undefined when it was left
   */
  write(key: string, contentType: string, content: Buffer, onlyNew = false): Promise<StoredObject | undefined> {
    const etag = `"${createHash("md5").update(content).digest("hex")}"`;
    const object = { key, contentType, etag, modified: new Date().toISOString(), tags: {}, content };
    return this.#inTurn(async () => {
      if (onlyNew && (await this.#exists(key))) return undefined;
      await this.#store(key, object);
      return object;
    });
  }

  /** Gives an object these tags in the place of those that it has. @returns false when there is no such object */
  tag(key: string, tags: StoredObject["tags"]): Promise<boolean> {
    return this.#inTurn(async () => {
      const object = await this.read(key);
      if (object) await this.#store(key, { ...object, tags });
      return object !== undefined;
    });
  }

  remove(key: string): Promise<void> {
    return this.#inTurn(() => rm(this.#fileOf(key), { force: true }));
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

  /** One change after the other, so that what a change looks at stays as it is until it is done. */
  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const turn = this.#lastChange.then(change);
    this.#lastChange = turn.catch(() => undefined);
    return turn;
  }

  #exists(key: string): Promise<boolean> {
    return access(this.#fileOf(key)).then(
      () => true,
      () => false,
    );
  }

  async #store(key: string, { content, ...head }: StoredObject): Promise<void> {
    const draft = join(this.#directory, `draft-${randomUUID()}`);
    await writeFile(draft, [Buffer.from(`${JSON.stringify(head)}\n`), content], { mode: 0o600 });
    await rename(draft, this.#fileOf(key));
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
