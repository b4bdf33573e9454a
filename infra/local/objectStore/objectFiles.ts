import { createHash, randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { access, mkdir, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** An object with the metadata that S3 stores. */
export interface StoredObject {
  key: string;
  contentType: string;
  /** MD5 of the content, hexadecimal, in quotes. */
  etag: string;
  /** ISO 8601 UTC */
  modified: string;
  tags: Readonly<Record<string, string>>;
  /** The metadata of the one who stored the object. */
  metadata: Readonly<Record<string, string>>;
  content: Buffer;
  /** The version id; "null" in a store without versions. */
  version: string;
}

/** An object's metadata without its content. */
export type ObjectHead = Omit<StoredObject, "content"> & {
  /** Set if this version is a delete marker. */
  removal?: true;
};

const noVersion = "null";

/** Stores each object in one file: a line of JSON, then the content. So metadata and content are never separated. */
export class ObjectFiles {
  readonly #directory: string;
  readonly #versioned: boolean;
  #lastChange: Promise<unknown> = Promise.resolve();

  /** @param directory created if missing @param options.versioned keeps replaced and removed objects as versions */
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
    return { tags: {}, metadata: {}, version: noVersion, ...head, content: file.subarray(end + 1) };
  }

  /**
   * Stores an object and replaces the existing one.
   *
   * @param about.onlyNew keeps an existing object instead
   * @returns undefined if the existing object was kept
   */
  write(
    key: string,
    content: Buffer,
    { onlyNew = false, ...about }: Pick<StoredObject, "contentType" | "metadata"> & { onlyNew?: boolean },
  ): Promise<StoredObject | undefined> {
    const etag = `"${createHash("md5").update(content).digest("hex")}"`;
    const object = { ...this.#newHead(key), ...about, etag, content };
    return this.#inTurn(async () => {
      if (onlyNew && (await this.#exists(key))) return undefined;
      await this.#keepPresent(key);
      await this.#store(key, object);
      return object;
    });
  }

  /** Replaces an object's tags. @returns false if there is no such object */
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

  /**
   * Removes a version permanently. If it was the current version, the version before it becomes current, unless that
   * version is a delete marker.
   */
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

  /** Lists the objects with this key prefix, in byte order of their keys, without reading contents. */
  async list(prefix: string): Promise<ObjectHead[]> {
    const found = (await this.#headsIn(this.#directory)).filter(({ key }) => key.startsWith(prefix));
    return found.sort((one, other) => Buffer.compare(Buffer.from(one.key), Buffer.from(other.key)));
  }

  /** Lists all versions of the objects with this key prefix, including delete markers. */
  async listVersions(prefix: string): Promise<ObjectHead[]> {
    const folders = this.#versioned ? await readdir(join(this.#directory, versions)).catch(() => []) : [];
    const older: ObjectHead[] = [];
    for (const folder of folders) older.push(...(await this.#headsIn(join(this.#directory, versions, folder))));
    return [...(await this.list(prefix)), ...older.filter(({ key }) => key.startsWith(prefix))];
  }

  /** The metadata of all objects in a directory; none if it is missing. */
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
    // Later versions sort after earlier versions, even if both are from the same millisecond.
    const version = this.#versioned ? `${modified}-${process.hrtime.bigint().toString().padStart(20, "0")}` : noVersion;
    return { key, modified, tags: {}, metadata: {}, version };
  }

  /** Keeps the current object as a version. */
  async #keepPresent(key: string): Promise<void> {
    const present = this.#versioned ? await this.read(key) : undefined;
    if (!present) return;
    await mkdir(this.#versionsOf(key), { recursive: true });
    await rename(this.#fileOf(key), join(this.#versionsOf(key), present.version));
  }

  #versionsOf(key: string): string {
    return join(this.#directory, versions, nameOf(key));
  }

  /** Runs one change at a time, so that the state that a change has read stays valid until the change is done. */
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

/** The folder of replaced and removed objects. */
const versions = "versions";

/** A digest: a key can contain characters that file names cannot. */
const nameOf = (key: string): string => createHash("sha256").update(key).digest("hex");

/** An upper bound: Node's HTTP server accepts fewer bytes of headers. */
const maxHeadBytes = 64 * 1024;

/** Reads the metadata line of a file; undefined if the object was just removed. */
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
