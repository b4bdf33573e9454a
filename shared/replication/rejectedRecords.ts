import type { RecordKind } from "../kinds.ts";
import type { RejectedPosRecord } from "../pos/connector.ts";
import type { Table } from "../table/client.ts";
import { type Key, rejectedRecordsKey } from "../table/keys.ts";
import { transactFenced } from "../table/rankedList/fence.ts";
import { untilCommitted } from "../table/untilCommitted.ts";
import type { RunContext } from "./runContext.ts";

/** A record of a POS that was set aside: which, where and why, never what. */
export interface RejectedRecord {
  pos_id: string;
  /** path inside the POS's record */
  field: string;
  /** a code */
  reason: string;
  /** when it was last met, ISO 8601 UTC */
  at: string;
}

/** The newest so many of a CRB's kind are kept; a POS of which nothing fits has nothing more to tell. */
export const mostKept = 200;
/** Of a text that is longer nobody would find the record anyway, and all of them must fit one item. */
const mostCharacters = 200;

/** What was set aside of one kind of a CRB's records, newest first. */
export async function readRejected(table: Table, crbId: string, kind: RecordKind): Promise<RejectedRecord[]> {
  const item = await table.get(rejectedRecordsKey(crbId, kind), { consistent: true });
  return (item?.records as RejectedRecord[] | undefined) ?? [];
}

/**
 * The list of what was set aside, as a run goes on. It is written, under the lease, only when it changes: when a record
 * is set aside, when one that was is fine now, and when a complete pull has not met it again.
 */
export class RejectedRecords {
  readonly #context: RunContext;
  readonly #key: Key;
  #records: RejectedRecord[];

  private constructor(context: RunContext, key: Key, records: RejectedRecord[]) {
    this.#context = context;
    this.#key = key;
    this.#records = records;
  }

  static async load(context: RunContext, kind: RecordKind): Promise<RejectedRecords> {
    const { table, connection } = context;
    const records = await readRejected(table, connection.crbId, kind);
    return new RejectedRecords(context, rejectedRecordsKey(connection.crbId, kind), records);
  }

  /**
   * Takes in a page.
   *
   * @param rejected what of it was set aside
   * @param accepted the POS's ids of the others
   */
  async note(rejected: readonly RejectedPosRecord[], accepted: { has(posId: string): boolean }): Promise<void> {
    const at = this.#context.clock.now().toISOString();
    const fresh = new Map<string, RejectedRecord>();
    for (const { posId, field, reason } of rejected) {
      const record = { pos_id: cut(posId), field: cut(field), reason: cut(reason), at };
      fresh.set(nameOf(record), record);
    }
    const others = this.#records.filter((record) => !fresh.has(nameOf(record)) && !accepted.has(record.pos_id));
    await this.#keep([...fresh.values(), ...others]);
  }

  /** Whether a record of the POS is set aside. */
  has(posId: string): boolean {
    return this.#records.some(({ pos_id }) => pos_id === cut(posId));
  }

  /** Drops what was set aside before an instant: a complete pull that began then has met everything there is. */
  async dropBefore(instant: Date): Promise<void> {
    await this.#keep(this.#records.filter(({ at }) => at >= instant.toISOString()));
  }

  async #keep(records: RejectedRecord[]): Promise<void> {
    const kept = records.slice(0, mostKept);
    if (kept.length === this.#records.length && kept.every((record, i) => record === this.#records[i])) return;
    const { table, fence, clock, cutOff } = this.#context;
    const write = table.putWrite({ ...this.#key, records: kept });
    await untilCommitted(clock, () => transactFenced(table, fence, [write]), { deadline: cutOff });
    this.#records = kept;
  }
}

/** What tells one record from another; those without an id are told apart by what is wrong with them. */
function nameOf({ pos_id, field, reason }: RejectedRecord): string {
  return pos_id || JSON.stringify([field, reason]);
}

function cut(text: string): string {
  return text.slice(0, mostCharacters);
}
