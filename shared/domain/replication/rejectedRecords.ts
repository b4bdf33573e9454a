import type { RecordKind } from "../../api/kinds.ts";
import type { Connection, RejectedPosRecord } from "../../pos/connector.ts";
import { itemId, maxClockOffsetMs, type Table } from "../../store/client.ts";
import { rejectedRecordsKey } from "../../store/keys/replication.ts";
import { transactFenced } from "../../store/orderedList/fence.ts";
import { packTransactions } from "../../store/orderedList/packTransactions.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";
import { RejectedDigests } from "./rejectedDigests.ts";
import type { RunContext } from "./runContext.ts";

/** A record of a POS that was rejected: which, where and why, never what. */
export interface RejectedRecord {
  pos_id: string;
  /** path inside the POS's record */
  field: string;
  /** a code */
  reason: string;
  /** when it was last met, ISO 8601 UTC */
  at: string;
}

/** The item of what is rejected of one kind of a CRB's records. */
export interface RejectedItem {
  /** the newest of them */
  records: RejectedRecord[];
  /** how many there are in all */
  count: number;
  /** how many more items hold their names, see `RejectedNames` */
  parts: number;
}

/** The newest so many can be shown; a POS of which nothing fits has nothing more to tell. */
const maxShown = 200;
/** Of a text that is longer nobody would find the record anyway, and all of them must fit one item. */
const maxCharacters = 200;
/** The newest of what was rejected of one kind of a CRB's records, newest first. */
export async function readRejected(table: Table, crbId: string, kind: RecordKind): Promise<RejectedRecord[]> {
  return (await readItem(table, crbId, kind))?.records ?? [];
}

async function readItem(table: Table, crbId: string, kind: RecordKind): Promise<RejectedItem | undefined> {
  return (await table.get(rejectedRecordsKey(crbId, kind), { consistent: true })) as RejectedItem | undefined;
}

/** Whose records are rejected, and under which fence that is noted. */
type RejectionContext = Omit<RunContext, "connection" | "deadline"> & { connection: Pick<Connection, "crbId"> };

/**
 * What is rejected, as a run goes on: exactly how many records, and which are the newest. It is written, under the lease,
 * only when it changes: when a record is rejected, when one that was is fine now, and when a run that met everything there
 * is has not met it again.
 */
export class RejectedRecords {
  readonly #context: RejectionContext;
  readonly #kind: RecordKind;
  readonly #names: RejectedDigests;
  /** When the run began, epoch milliseconds, by the clock of whoever may be furthest behind. */
  readonly #startedAt: number;
  #records: RejectedRecord[];

  private constructor(
    context: RejectionContext,
    kind: RecordKind,
    startedAt: Date,
    stored: { names: RejectedDigests; records: RejectedRecord[] },
  ) {
    this.#context = context;
    this.#kind = kind;
    this.#startedAt = startedAt.getTime() - maxClockOffsetMs;
    this.#names = stored.names;
    this.#records = stored.records;
  }

  /** @param startedAt of the run, the same for all workers that are at it */
  static async load(context: RejectionContext, kind: RecordKind, startedAt: Date): Promise<RejectedRecords> {
    const { table, connection } = context;
    const { records = [], parts = 0 } = (await readItem(table, connection.crbId, kind)) ?? {};
    const keys = Array.from({ length: parts }, (_, part) => rejectedRecordsKey(connection.crbId, kind, part));
    const items = await table.batchGet(keys, { consistent: true });
    const stored = keys.map((key) => items.get(itemId(key))?.names as Uint8Array | undefined);
    return new RejectedRecords(context, kind, startedAt, { names: new RejectedDigests(stored, startedAt), records });
  }

  /**
   * Takes in a page.
   *
   * @param rejected what of it was rejected
   * @param accepted the POS's ids of the others
   * @param before how many without an id the run has met on the pages before, whichever worker read them: they are told apart
   *   by their place among those, so that a page that is read again counts once
   */
  async recordPage(rejected: readonly RejectedPosRecord[], accepted: Iterable<string>, before: number): Promise<void> {
    const at = this.#context.clock.now().toISOString();
    const fresh = new Map<string, RejectedRecord>();
    let nameless = before;
    for (const { posId, field, reason } of rejected) {
      const record = { pos_id: cut(posId), field: cut(field), reason: cut(reason), at };
      const name = nameOf(record);
      fresh.set(name, record);
      this.#names.add(posId ? name : `${nameless++} ${name}`);
    }
    const fine = new Set([...accepted].map(cut).filter((posId) => this.#names.delete(posId)));
    const others = this.#records.filter((record) => !fresh.has(nameOf(record)) && !fine.has(record.pos_id));
    await this.#keep([...fresh.values(), ...others]);
  }

  /** Forgets records of some ids in the POS, as if they were not in it any more. */
  async forget(posIds: Iterable<string>): Promise<void> {
    await this.recordPage([], posIds, 0);
  }

  /** Whether a record of the POS is rejected. */
  has(posId: string): boolean {
    return this.#names.has(cut(posId));
  }

  /** Drops what the run has not met, which has met everything there is. What has no id is told apart by when it was met. */
  async dropUnmet(): Promise<void> {
    this.#names.dropUnmet();
    const isMet = ({ pos_id, at }: RejectedRecord) =>
      pos_id ? this.#names.has(pos_id) : Date.parse(at) >= this.#startedAt;
    await this.#keep(this.#records.filter(isMet));
  }

  async #keep(records: RejectedRecord[]): Promise<void> {
    const shown = records.slice(0, maxShown);
    const changed = this.#names.takeChanged();
    const isSame = shown.length === this.#records.length && shown.every((one, i) => one === this.#records[i]);
    if (isSame && changed.length === 0) return;
    const { table, fence, clock, cutOff, connection } = this.#context;
    const keyOf = (part?: number) => rejectedRecordsKey(connection.crbId, this.#kind, part);
    const item: RejectedItem = { records: shown, count: this.#names.size, parts: this.#names.parts };
    const puts = [
      ...changed.map(([part, names]) => ({ item: { ...keyOf(part), names }, bytes: names.byteLength })),
      { item: { ...keyOf(), ...item }, bytes: Buffer.byteLength(JSON.stringify(item)) },
    ];
    const batches = packTransactions(puts, ({ item, bytes }) => ({ items: [{ key: item, bytes }], group: "" }));
    for (const { elements } of batches) {
      const writes = elements.map((put) => table.putWrite(put.item));
      await retryOnConflict(clock, () => transactFenced(table, fence, writes), { deadline: cutOff });
    }
    this.#records = shown;
  }
}

/** What tells one record from another; those without an id are told apart by what is wrong with them. */
function nameOf({ pos_id, field, reason }: RejectedRecord): string {
  return pos_id || JSON.stringify([field, reason]);
}

function cut(text: string): string {
  return text.slice(0, maxCharacters);
}
