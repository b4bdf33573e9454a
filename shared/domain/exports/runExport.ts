import { createHash, randomBytes } from "node:crypto";
import { type KindName, kindsByName } from "../../api/kinds.ts";
import { describeError, log } from "../../platform/aws/log.ts";
import { itemId, type Table } from "../../store/client.ts";
import { toCrb } from "../../store/crb.ts";
import { DamagedRecordError, damagedText } from "../../store/damagedRecords.ts";
import { followChanges } from "../../store/followChanges.ts";
import { crbKey } from "../../store/keys/crbs.ts";
import { recordList } from "../../store/keys/orderedLists.ts";
import { replicationKey } from "../../store/keys/replication.ts";
import { encodeListCursor } from "../../store/orderedList/listCursor.ts";
import { readHead } from "../../store/orderedList/readChanges.ts";
import type { PositionedRecord } from "../../store/orderedList/readPage.ts";
import {
  addDigests,
  digestRecord,
  emptyDigest,
  formatDigest,
  parseDigest,
  type RecordDates,
} from "../../store/recordDigest.ts";
import { isRestoring } from "../../store/restoration.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import type { Bucket } from "../documents/bucket.ts";
import { exportPrefix } from "../documents/objectPrefixes.ts";
import { intentOf, remove } from "../documents/removals.ts";
import type { ReplicationState } from "../replication/replicationState.ts";
import { readingTimes } from "../replication/replicationStatus.ts";
import { endExport } from "./endExport.ts";
import type { ExportMessage } from "./exportMessage.ts";
import { createPartFile, type PartFile, type PartRecord } from "./partFile.ts";
import {
  changeExport,
  ExportChangedError,
  fileExtensions,
  ProviderBusyError,
  readExport,
  type StoredExport,
  type StoredKind,
  type StoredPart,
  waitingItem,
} from "./storedExport.ts";

/** Limits of a part; smaller in tests. */
interface PartLimits {
  /** Maximum number of records (docs/spec.md#exports). */
  maxRecords: number;
  /** The part ends after the page with which its file exceeds this size. The file is in memory twice. */
  maxBytes: number;
  /** Number of records that are read at once. */
  pageSize: number;
}

const defaultLimits: PartLimits = { maxRecords: 100_000, maxBytes: 16 * 1024 * 1024, pageSize: 1_000 };

/** A page ends after about this many bytes. */
const pageBytes = 4 * 1024 * 1024;

/** Milliseconds after the worker's deadline until another worker may continue its export. */
const leaseMarginMs = 120_000;

/** Maximum number of attempts in succession that fail, or whose worker is killed, without a new file. */
const maxAttempts = 5;

/** Milliseconds until the attempt after a failure, for each failure in succession. */
const retryMs = 60_000;

/**
 * The result of a run. `continues`: the time was over, and another message must continue. `retries`: the attempt failed,
 * and the sweeper starts another one. `waits`: another export of the service provider runs, and at its end the next one gets a
 * message; or the CRB is restored. `skipped`: the export has ended, another worker has it, or the message is older than its state.
 */
export interface RunResult {
  outcome: "ready" | "continues" | "retries" | "failed" | "waits" | "skipped";
  /** Records that this run has put into files. */
  records: number;
}

export interface RunOptions {
  /** The run ends its last part soon after this time. */
  deadline: Date;
  clock?: Clock;
  limits?: Partial<PartLimits>;
}

/**
 * Starts or continues an export: follows the changes of each list from the beginning to the end that the list had when
 * the export began, and stores the records in files.
 *
 * A file is stored first, under a key that no other attempt uses. One transaction then adds it to the export, together
 * with the cursor, the count and the digest after its last record. So a worker that is killed at any moment loses no
 * record and doubles none. The object of an interrupted attempt is removed a day later (`intentOf`).
 *
 * @param message `version` is that of the export when the message was sent; absent if the run has no message
 * @throws ServiceError "unavailable" if not even a failure can be stored
 */
export async function runExport(
  stores: { table: Table; bucket: Bucket },
  { crb_id: crbId, export_id: exportId, version = Infinity }: Omit<ExportMessage, "version"> & { version?: number },
  { deadline, clock = systemClock, limits }: RunOptions,
): Promise<RunResult> {
  const { table } = stores;
  const stored = await readExport(table, crbId, exportId, clock.now());
  const isOpen = stored?.status === "queued" || stored?.status === "running";
  if (!stored || !isOpen || stored.held_until > clock.now().getTime()) return { outcome: "skipped", records: 0 };
  // A worker has released the export since the message was sent, with a message of its own. Without this check, each message
  // that the sweeper sends for a waiting export would remain in the queue, and give its service provider a further turn.
  if (stored.held_until === 0 && version < stored.version) return { outcome: "skipped", records: 0 };
  // The sweeper sends another message.
  if (await isRestoring(table, crbId)) {
    if (stored.status === "running") await makeWay(table, stored, clock);
    return { outcome: "waits", records: 0 };
  }
  if (stored.failures >= maxAttempts) {
    // The worker of the last attempt was killed.
    await endExport(stores, crbId, exportId, { status: "failed", error: "unexpected" }, clock);
    return { outcome: "failed", records: 0 };
  }
  const run = new ExportRun(stores, stored, { deadline, clock, limits: { ...defaultLimits, ...limits } });
  try {
    const outcome = await run.work();
    return { outcome, records: run.records };
  } catch (error) {
    if (error instanceof ExportChangedError) return { outcome: "skipped", records: run.records };
    if (error instanceof ProviderBusyError) return { outcome: "waits", records: run.records };
    log.error("export interrupted", { crb_id: crbId, export_id: exportId, error: describeError(error) });
    const outcome = await run.recordFailure(error);
    return { outcome, records: run.records };
  }
}

/** Puts a running export of a CRB that is being restored back into the line, so that those of other CRBs can run. */
async function makeWay(table: Table, stored: StoredExport, clock: Clock): Promise<void> {
  const change = { status: "queued", started_at: null, held_until: 0 } as const;
  try {
    await changeExport(table, stored, change, clock, { writes: [table.putWrite(waitingItem(stored))] });
  } catch (error) {
    if (!(error instanceof ExportChangedError)) throw error;
  }
}

/** The list was rebuilt since the export began, so the cursors of the export are not valid any more. */
class RebuiltListError extends Error {
  override readonly name = "RebuiltListError";
}

class ExportRun {
  readonly #table: Table;
  readonly #bucket: Bucket;
  readonly #deadline: Date;
  readonly #clock: Clock;
  readonly #limits: PartLimits;
  #stored: StoredExport;
  /** Records that this run has put into files. */
  records = 0;

  constructor(
    { table, bucket }: { table: Table; bucket: Bucket },
    stored: StoredExport,
    { deadline, clock, limits }: { deadline: Date; clock: Clock; limits: PartLimits },
  ) {
    this.#table = table;
    this.#bucket = bucket;
    this.#stored = stored;
    this.#deadline = deadline;
    this.#clock = clock;
    this.#limits = limits;
  }

  async work(): Promise<"ready" | "continues"> {
    const held_until = this.#deadline.getTime() + leaseMarginMs;
    const { started_at, failures } = this.#stored;
    await this.#change({
      status: "running",
      started_at: started_at ?? this.#clock.now().toISOString(),
      // A killed worker cannot count its attempt at the end.
      failures: failures + 1,
      held_until,
    });
    if (this.#stored.progress.length === 0) await this.#change({ progress: await this.#readHeads() });
    for (const { kind } of this.#stored.progress) {
      while (!this.#progressOf(kind).is_done) {
        if (this.#isLate()) {
          await this.#change({ held_until: 0, failures: 0 });
          return "continues";
        }
        await this.#storePart(this.#progressOf(kind));
      }
    }
    const { sp_id: spId, crb_id: crbId, id: export_id, expires_at } = this.#stored;
    const ready = { type: "export.ready", spId, crbId, data: { export_id } } as const;
    this.#stored = await changeExport(
      this.#table,
      this.#stored,
      { status: "ready", held_until: 0, due: expires_at },
      this.#clock,
      { events: [ready] },
    );
    return "ready";
  }

  /** Stores the failure of an attempt, or ends the export after too many failures. */
  async recordFailure(error: unknown): Promise<"retries" | "failed" | "skipped"> {
    const { crb_id: crbId, id, failures } = this.#stored;
    const isRebuilt = error instanceof RebuiltListError;
    try {
      if (isRebuilt || failures >= maxAttempts) {
        const end = { status: "failed", error: isRebuilt ? "list_rebuilt" : "unexpected" } as const;
        await endExport({ table: this.#table, bucket: this.#bucket }, crbId, id, end, this.#clock);
        return "failed";
      }
      await this.#change({ held_until: this.#clock.now().getTime() + Math.max(1, failures) * retryMs });
      return "retries";
    } catch (cause) {
      if (cause instanceof ExportChangedError) return "skipped";
      throw cause;
    }
  }

  async #change(change: Partial<StoredExport>): Promise<void> {
    this.#stored = await changeExport(this.#table, this.#stored, change, this.#clock);
  }

  #progressOf(kind: KindName): StoredKind {
    return this.#stored.progress.find((one) => one.kind === kind) as StoredKind;
  }

  #isLate(): boolean {
    return this.#clock.now() >= this.#deadline;
  }

  /**
   * Reads where each list ends now. The times of the data are read before the lists: the lists then hold at least the
   * data of these times.
   */
  async #readHeads(): Promise<StoredKind[]> {
    const { crb_id: crbId, kinds } = this.#stored;
    const stateKeys = kinds.map((kind) => replicationKey(crbId, kindsByName[kind]));
    const items = await this.#table.batchGet([crbKey(crbId), ...stateKeys], { consistent: true });
    const item = items.get(itemId(crbKey(crbId)));
    const crb = item && toCrb(item);
    return Promise.all(
      kinds.map(async (kind, i) => {
        const state = items.get(itemId(stateKeys[i] as (typeof stateKeys)[number]));
        const list = recordList(crbId, kindsByName[kind]);
        const { head, generation, records } = await readHead(this.#table, list.orders.rank);
        return {
          kind,
          until: head ?? null,
          generation: generation ?? null,
          end_cursor: encodeListCursor(this.#table, list, head, generation),
          data_as_of: crb ? readingTimes(crb, state as unknown as ReplicationState | undefined).data_as_of : null,
          total: records,
          cursor: null,
          records: 0,
          digest: formatDigest(emptyDigest),
          is_done: false,
        };
      }),
    );
  }

  /** Reads the records of the next part, stores them in a file, and adds the file to the export. */
  async #storePart(before: StoredKind): Promise<void> {
    const { kind } = before;
    const file = createPartFile(this.#stored.format, kindsByName[kind]);
    const after = await this.#readPart(before, file);
    const records = after.records - before.records;
    const progress = this.#stored.progress.map((one) => (one.kind === kind ? after : one));
    const { crb_id: crbId, id, format, parts } = this.#stored;
    const part = parts.filter((one) => one.kind === kind).length + 1;
    // A kind without records has a file, too, so that a program finds the columns of its table there.
    if (records === 0 && !(after.is_done && part === 1)) {
      await this.#change({ progress, failures: 1 });
      return;
    }
    const content = await file.finish();
    const attempt = randomBytes(16).toString("base64url");
    const storage_key = `${exportPrefix(crbId)}${id}/${kind}-${part}-${attempt}.${fileExtensions[format]}`;
    const sha256 = createHash("sha256").update(content).digest("hex");
    const added: StoredPart = { kind, part, records, bytes: content.length, sha256, storage_key };
    const intent = intentOf(storage_key, this.#clock.now());
    await this.#table.put({ ...intent });
    await this.#bucket.storeBytes(storage_key, content);
    try {
      this.#stored = await changeExport(
        this.#table,
        this.#stored,
        { progress, parts: [...parts, added], failures: 1 },
        this.#clock,
        { writes: [this.#table.deleteWrite(intent)] },
      );
    } catch (error) {
      if (error instanceof ExportChangedError) await remove(this.#table, this.#bucket, intent);
      throw error;
    }
    this.records += records;
  }

  /** Reads pages until the part is full, the list ends, or the time is over. Returns the progress after them. */
  async #readPart(before: StoredKind, file: PartFile): Promise<StoredKind> {
    const { maxRecords, maxBytes, pageSize } = this.#limits;
    const list = recordList(this.#stored.crb_id, kindsByName[before.kind]);
    const until = before.until ?? "";
    let { cursor, records } = before;
    // The list was empty when the export began.
    let is_done = before.until === null;
    let digest = parseDigest(before.digest);
    while (!is_done && records - before.records < maxRecords && file.bytes < maxBytes && !this.#isLate()) {
      const limit = Math.min(pageSize, maxRecords - (records - before.records));
      const page = await followChanges(this.#table, list, { cursor: cursor ?? undefined, limit }, pageBytes);
      if (page.isReset || (page.generation ?? null) !== before.generation) throw new RebuiltListError();
      const places = page.places.filter(({ rank }) => rank <= until);
      // An export must not lack a record. A later attempt may find it repaired.
      if (places.some(({ value }) => value === damagedText)) throw new DamagedRecordError(list.pk);
      const found = places.map(toPartRecord);
      for (const { value } of found)
        digest = addDigests(digest, digestRecord(value.id as string, value as RecordDates));
      await file.add(found);
      records += places.length;
      cursor = page.createCursorAfter(places.length);
      is_done = places.length < page.places.length || places.at(-1)?.rank === until || !page.hasMore;
    }
    return { ...before, cursor, records, digest: formatDigest(digest), is_done };
  }
}

const toPartRecord = ({ value }: PositionedRecord): PartRecord => ({ text: value, value: JSON.parse(value) });
