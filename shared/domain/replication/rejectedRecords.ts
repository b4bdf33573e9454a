import type { RecordKind } from "../../api/kinds.ts";
import type { Connection, RejectedPosRecord } from "../../pos/connector.ts";
import { itemId, maxClockOffsetMs, type Table } from "../../store/client.ts";
import { rejectedRecordsKey } from "../../store/keys/replication.ts";
import { transactFenced } from "../../store/orderedList/fence.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";
import { packWrites } from "../../store/transactionSize.ts";
import { RejectedDigests } from "./rejectedDigests.ts";
import type { RunContext } from "./runContext.ts";

/** A rejected record of a POS: its id, the invalid field and the reason, but never a value of the record. */
export interface RejectedRecord {
  pos_id: string;
  /** path of the invalid field inside the POS's record */
  field: string;
  /** a code, not a text for people */
  reason: string;
  /** when the record was last rejected, ISO 8601 UTC */
  at: string;
}

/** The item with the rejected records of one kind of a CRB. */
export interface RejectedItem {
  /** the newest rejected records */
  records: RejectedRecord[];
  /** number of all rejected records */
  count: number;
  /** number of items with the digests of the rejected records, see `RejectedDigests` */
  parts: number;
}

/** Maximum number of rejected records that are stored for display. */
const maxShown = 200;
/** Maximum length of a stored text, so that all displayed records fit into one item. Longer texts are cut. */
const maxCharacters = 200;
/** Reads the newest rejected records of one kind of a CRB, newest first. */
export async function readRejected(table: Table, crbId: string, kind: RecordKind): Promise<RejectedRecord[]> {
  return (await readItem(table, crbId, kind))?.records ?? [];
}

async function readItem(table: Table, crbId: string, kind: RecordKind): Promise<RejectedItem | undefined> {
  return (await table.get(rejectedRecordsKey(crbId, kind), { consistent: true })) as RejectedItem | undefined;
}

/** The parts of a run's context that `RejectedRecords` needs. */
type RejectionContext = Omit<RunContext, "connection" | "deadline"> & { connection: Pick<Connection, "crbId"> };

/**
 * The rejected records of one kind during a run: their exact number, and the newest records in full. Changes are written under
 * the lease. A rejected record is dropped if the record is accepted on a later page, or if a run that read everything did not
 * reject it again.
 */
export class RejectedRecords {
  readonly #context: RejectionContext;
  readonly #kind: RecordKind;
  readonly #names: RejectedDigests;
  /** Start of the run, in epoch milliseconds, minus the maximum clock offset between two workers. */
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

  /**
   * @param startedAt start of the run, the same in all its time slices
   * @param options.isNone whether it is known that no record is rejected, so that nothing is read
   */
  static async load(
    context: RejectionContext,
    kind: RecordKind,
    startedAt: Date,
    { isNone = false } = {},
  ): Promise<RejectedRecords> {
    const { table, connection } = context;
    if (isNone)
      return new RejectedRecords(context, kind, startedAt, { names: new RejectedDigests([], startedAt), records: [] });
    const { records = [], parts = 0 } = (await readItem(table, connection.crbId, kind)) ?? {};
    const keys = Array.from({ length: parts }, (_, part) => rejectedRecordsKey(connection.crbId, kind, part));
    const items = await table.batchGet(keys, { consistent: true });
    const stored = keys.map((key) => items.get(itemId(key))?.names as Uint8Array | undefined);
    return new RejectedRecords(context, kind, startedAt, { names: new RejectedDigests(stored, startedAt), records });
  }

  /**
   * Records a page.
   *
   * @param rejected the rejected records of the page
   * @param accepted POS ids of the accepted records of the page
   * @param before number of rejected records without an id on the earlier pages of the run. Records without an id are numbered
   *   in the order of the run, so that they are counted once even if their page is read again
   */
  async recordPage(rejected: readonly RejectedPosRecord[], accepted: Iterable<string>, before: number): Promise<void> {
    const at = this.#context.clock.now().toISOString();
    const fresh = new Map<string, RejectedRecord>();
    let withoutId = before;
    for (const { posId, field, reason } of rejected) {
      const record = { pos_id: cut(posId), field: cut(field), reason: cut(reason), at };
      const name = nameOf(record);
      fresh.set(name, record);
      this.#names.add(posId ? name : `${withoutId++} ${name}`);
    }
    const fine = new Set([...accepted].map(cut).filter((posId) => this.#names.delete(posId)));
    const others = this.#records.filter((record) => !fresh.has(nameOf(record)) && !fine.has(record.pos_id));
    await this.#keep([...fresh.values(), ...others]);
  }

  /** Drops the rejected records with these POS ids. */
  async forget(posIds: Iterable<string>): Promise<void> {
    await this.recordPage([], posIds, 0);
  }

  /** Whether no record is rejected. */
  get isNone(): boolean {
    return this.#names.size === 0 && this.#records.length === 0;
  }

  /** Whether a record of the POS is rejected. */
  has(posId: string): boolean {
    return this.#names.has(cut(posId));
  }

  /**
   * Drops the rejected records that the present run has not rejected. Call it only after a run that read everything. A
   * displayed record without an id is dropped if its time is before the start of the run.
   */
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
      ...changed.map(([part, names]) => table.putWrite({ ...keyOf(part), names })),
      table.putWrite({ ...keyOf(), ...item }),
    ];
    for (const writes of packWrites(puts)) {
      await retryOnConflict(clock, () => transactFenced(table, fence, writes), { deadline: cutOff });
    }
    this.#records = shown;
  }
}

/** Identifies a rejected record by its POS id. Without a POS id, field and reason identify it. */
function nameOf({ pos_id, field, reason }: RejectedRecord): string {
  return pos_id || JSON.stringify([field, reason]);
}

function cut(text: string): string {
  return text.slice(0, maxCharacters);
}
