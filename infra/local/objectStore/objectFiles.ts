import { createHash, randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { access, mkdir, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
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
  /** Names it among the versions of its key; all are "null" where none are kept. */
  version: string;
}

/** What is known of an object without reading it. */
export type ObjectHead = Omit<StoredObject, "content"> & {
  /** It stands for a removal: nothing was there from then on. */
  removal?: true;
};

const noVersion = "null";

/** Objects as files of one directory: one line of JSON, then the content, so that both are there or neither. */
export class ObjectFiles {
  readonly #directory: string;
  readonly #versioned: boolean;
  #lastChange: Promise<unknown> = Promise.resolve();

  /**
   * @param directory made when missing
   * @param options.versioned keeps what was replaced or removed, as versions
   */
  constructor(directory: string, { versioned = false }: { versioned?: boolean } = {}) {
    this.#directory = directory;
    this.#versioned = versioned;
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
    const head = JSON.parse(file.toString("utf8", 0, end));
    return { tags: {}, version: noVersion, ...head, content: file.subarray(end + 1) };
  }

  /**
   * Stores an object in the place of another.
   *
   * @param onlyNew leaves another, if there is one
   * @returns undefined when it was left
   */
  write(key: string, contentType: string, content: Buffer, onlyNew = false): Promise<StoredObject | undefined> {
    const etag = `"${createHash("md5").update(content).digest("hex")}"`;
    const object = { ...this.#newHead(key), contentType, etag, content };
    return this.#inTurn(async () => {
      if (onlyNew && (await this.#exists(key))) return undefined;
      await this.#keepPresent(key);
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
    return this.#inTurn(async () => {
      if (!this.#versioned) return rm(this.#fileOf(key), { force: true });
      await this.#keepPresent(key);
      const removal: ObjectHead = { ...this.#newHead(key), contentType: "", etag: "", removal: true };
      await mkdir(this.#versionsOf(key), { recursive: true });
      await writeFile(join(this.#versionsOf(key), removal.version), `${JSON.stringify(removal)}\n`, { mode: 0o600 });
    });
  }

  /** Removes a version for good; the last one before it, if that is an object, becomes the present one. */
  removeVersion(key: string, version: string): Promise<void> {
    return this.#inTurn(async () => {
      const present = await this.read(key);
      const older = await this.#headsIn(this.#versionsOf(key));
      if (older.some((head) => head.version === version)) await rm(join(this.#versionsOf(key), version));
      if (present?.version === version) await rm(this.#fileOf(key));
      else if (present) return;
      const left = older.filter((head) => head.version !== version);
      const last = left.sort((one, other) => (one.version < other.version ? 1 : -1))[0];
      if (last && !last.removal) await rename(join(this.#versionsOf(key), last.version), this.#fileOf(key));
    });
  }

  /** The objects whose keys begin like this, in the order of their keys' bytes. Their contents are not read. */
  async list(prefix: string): Promise<ObjectHead[]> {
    const found = (await this.#headsIn(this.#directory)).filter(({ key }) => key.startsWith(prefix));
    return found.sort((one, other) => Buffer.compare(Buffer.from(one.key), Buffer.from(other.key)));
  }

  /** All versions of these, the removals among them. */
  async listVersions(prefix: string): Promise<ObjectHead[]> {
    const folders = this.#versioned ? await readdir(join(this.#directory, versions)).catch(() => []) : [];
    const older: ObjectHead[] = [];
    for (const folder of folders) older.push(...(await this.#headsIn(join(this.#directory, versions, folder))));
    return [...(await this.list(prefix)), ...older.filter(({ key }) => key.startsWith(prefix))];
  }

  /** What stands in a directory, if there is one. */
  async #headsIn(directory: string): Promise<ObjectHead[]> {
    const heads: ObjectHead[] = [];
    for (const name of await readdir(directory).catch(() => [])) {
      const isNone = name === versions || name.startsWith("draft-");
      const head = isNone ? undefined : await headOf(join(directory, name));
      if (head?.key !== undefined) heads.push({ ...head, version: head.version ?? noVersion });
    }
    return heads;
  }

  #newHead(key: string) {
    const modified = new Date().toISOString();
    // Later ones sort behind, also those of the same millisecond.
    const version = this.#versioned ? `${modified}-${process.hrtime.bigint().toString().padStart(20, "0")}` : noVersion;
    return { key, modified, tags: {}, version };
  }

  /** Makes the present object one of its versions. */
  async #keepPresent(key: string): Promise<void> {
    const present = this.#versioned ? await this.read(key) : undefined;
    if (!present) return;
    await mkdir(this.#versionsOf(key), { recursive: true });
    await rename(this.#fileOf(key), join(this.#versionsOf(key), present.version));
  }

  #versionsOf(key: string): string {
    return join(this.#directory, versions, nameOf(key));
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

  #fileOf(key: string): string {
    return join(this.#directory, nameOf(key));
  }
}

/** The folder of what was replaced or removed. */
const versions = "versions";

/** A digest, since a key may hold what no file name can. */
const nameOf = (key: string): string => createHash("sha256").update(key).digest("hex");

/** More than what a request of Node's server may say of an object. */
const maxHeadBytes = 64 * 1024;

/** What stands before a content; undefined when the object has just been removed. */
async function headOf(path: string): Promise<ObjectHead | undefined> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (!file) return undefined;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(maxHeadBytes), 0, maxHeadBytes, 0);
    return JSON.parse(buffer.toString("utf8", 0, buffer.subarray(0, bytesRead).indexOf("\n")));
  } finally {
    await file.close();
  }
}
