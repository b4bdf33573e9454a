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

/** The item of the rejected records of one kind of a CRB. */
export interface RejectedItem {
  /** the newest of them */
  records: RejectedRecord[];
  /** number of rejected records */
  count: number;
  /** number of items with their digests, see `RejectedDigests` */
  parts: number;
}

/** Rejected records that are kept to be shown, the newest ones. */
const maxShown = 200;
/** Longer texts are cut, so that all fit one item. */
const maxCharacters = 200;
/** The newest rejected records of one kind of a CRB, newest first. */
export async function readRejected(table: Table, crbId: string, kind: RecordKind): Promise<RejectedRecord[]> {
  return (await readItem(table, crbId, kind))?.records ?? [];
}

async function readItem(table: Table, crbId: string, kind: RecordKind): Promise<RejectedItem | undefined> {
  return (await table.get(rejectedRecordsKey(crbId, kind), { consistent: true })) as RejectedItem | undefined;
}

/** The CRB, and the fence of the run. */
type RejectionContext = Omit<RunContext, "connection" | "deadline"> & { connection: Pick<Connection, "crbId"> };

/**
 * The rejected records during a run: their exact number, and the newest ones. It writes changes under the lease: a record is
 * rejected, a rejected one is accepted, or a run that met everything no longer met it.
 */
export class RejectedRecords {
  readonly #context: RejectionContext;
  readonly #kind: RecordKind;
  readonly #names: RejectedDigests;
  /** Start of the run, epoch milliseconds, by the slowest possible clock of a worker. */
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

  /** @param startedAt start of the run, the same in all its time slices */
  static async load(context: RejectionContext, kind: RecordKind, startedAt: Date): Promise<RejectedRecords> {
    const { table, connection } = context;
    const { records = [], parts = 0 } = (await readItem(table, connection.crbId, kind)) ?? {};
    const keys = Array.from({ length: parts }, (_, part) => rejectedRecordsKey(connection.crbId, kind, part));
    const items = await table.batchGet(keys, { consistent: true });
    const stored = keys.map((key) => items.get(itemId(key))?.names as Uint8Array | undefined);
    return new RejectedRecords(context, kind, startedAt, { names: new RejectedDigests(stored, startedAt), records });
  }

  /**
   * Records a page.
   *
   * @param rejected its rejected records
   * @param accepted POS ids of its other records
   * @param before number of rejected records without an id on the earlier pages of the run. Such records are distinguished by
   *   their place among these, so that a page that is read again counts once
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

  /** Drops the rejected records with these POS ids. */
  async forget(posIds: Iterable<string>): Promise<void> {
    await this.recordPage([], posIds, 0);
  }

  /** Whether a record of the POS is rejected. */
  has(posId: string): boolean {
    return this.#names.has(cut(posId));
  }

  /** Drops rejected records that a complete run has not met. Records without an id are compared by their time. */
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

/** Identifies a rejected record: by its POS id, or by field and reason. */
function nameOf({ pos_id, field, reason }: RejectedRecord): string {
  return pos_id || JSON.stringify([field, reason]);
}

function cut(text: string): string {
  return text.slice(0, maxCharacters);
}
