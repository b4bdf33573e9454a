import { createHash } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import type { Clock } from "../../time/clock.ts";
import { type Item, itemId, type Table, tryConditionalWrite, unchanged } from "../client.ts";
import { digestGeneration } from "../encodeCursor.ts";
import { fingerprintsKey, type OrderedList } from "../keys/orderedLists.ts";
import { numberToPosition, positionToNumber } from "../keys/positions.ts";
import { isPassing } from "../retryOnConflict.ts";
import { type Fence, transactFenced } from "./fence.ts";

// A read of each unchanged record of a POS would cost half a read unit. So consecutive records of a POS's list form a group,
// whose item has the fingerprint and the position of each record. No position is allocated twice in a generation: if it still has
// a record, this record still has its content. An outdated or missing item costs reads, but never hides a change, so these items
// need no consistent read. An erasure deletes them, and a worker without its lease must not store them again. So an item replaces
// only the one that the run has read, and a new one is written under the fence, at three times the units.

/** Mean number of records in a group. Their item takes about 1.3 KB. */
const meanSize = 64;
/** Maximum number of records with a fingerprint in a group. */
const maxSize = 1_024;
/** Minimum number of records read unchanged for a write of their group. With fewer, most changes would cause one. */
const minReadRecords = 4;
/** Lifetime of an item in milliseconds. A group that is still in use is written again after half of it. */
export const groupLifetimeMs = 30 * 24 * 60 * 60_000;

/** Maximum number of new items in a transaction. Ten of the largest ones stay within the write units of a partition. */
const maxAdded = 10;

const fingerprintBytes = 16;

/** 128 bits of SHA-256 over time zone, id and the POS's content: a merge can keep an instant without its local time. */
function fingerprintOf({ id, content }: { id: string; content: object }, timezone: string): string {
  const digest = createHash("sha256").update(`${timezone}\n${id}\n`).update(JSON.stringify(content)).digest();
  return digest.toString("latin1", 0, fingerprintBytes);
}

/** A record of a page, with the position at which it is stored unchanged. */
interface ListedRecord {
  id: string;
  fingerprint: string;
  /** undefined if the record was written on this page or is not stored */
  rank?: string;
}

interface Group {
  /** Range key of the group's item. Undefined if the run continues inside a group whose first record is unknown. */
  name: string | undefined;
  records: ListedRecord[];
  /** The positions of the stored item by fingerprint; undefined until the item is read. */
  entries?: ReadonlyMap<string, string>;
  /** When the stored item expires, epoch milliseconds; 0 if there is none. */
  expiresAt: number;
  read: number;
  /** Number of records that the stored item has shown to be unchanged. */
  found: number;
}

const firstGroup = "FIRST";

const newGroup = (name: string | undefined): Group => ({ name, records: [], expiresAt: 0, read: 0, found: 0 });

/** Whether a record begins a group. It depends on the id alone, so that inserted records move no other boundary. */
const isBoundary = (id: string): boolean => Number.parseInt(id.slice(0, 4), 16) % meanSize === 0;

interface FingerprintOptions {
  /** Whether the first page of the run is the POS's first page. */
  isFromStart: boolean;
  /** Whether to find no record, so that each is read: a damaged one has its fingerprint, too. */
  isReadingAll?: boolean;
  timezone: string;
  clock: Clock;
  fence: Fence;
}

/** The fingerprints of a list during one run. Takes the pages of the POS in their order. */
export class FingerprintGroups {
  readonly #table: Table;
  readonly #list: OrderedList;
  readonly #options: FingerprintOptions;
  /** The group that the next page may continue. */
  #last: Group;
  /** The page between `find` and `recordPage`: its records with their groups. */
  #page: { record: ListedRecord; group: Group }[] = [];
  #generation: Buffer = Buffer.alloc(0);

  constructor(table: Table, list: OrderedList, options: FingerprintOptions) {
    this.#table = table;
    this.#list = list;
    this.#options = options;
    this.#last = newGroup(options.isFromStart ? firstGroup : undefined);
  }

  /**
   * Finds the positions at which the records of a page were stored with their present content, by record id. The caller
   * must check that the positions still have their records.
   */
  async find(
    records: readonly { id: string; content: object }[],
    generation: number | undefined,
  ): Promise<Map<string, string>> {
    this.#generation = digestGeneration(this.#table, generation);
    let group = this.#last;
    this.#page = records.map(({ id, content }) => {
      if (isBoundary(id)) group = newGroup(id);
      return { record: { id, fingerprint: fingerprintOf({ id, content }, this.#options.timezone) }, group };
    });
    await this.#load();
    if (this.#options.isReadingAll) return new Map();
    const positions = this.#page.map(({ record, group }) => [record.id, group.entries?.get(record.fingerprint)]);
    return new Map(positions.filter((pair): pair is [string, string] => pair[1] !== undefined));
  }

  /**
   * Takes the unchanged records, by id, of the page last given to `find`, and stores the groups that it ends. `isRead` says
   * that the record was read, and not found by its fingerprint. @throws LeaseLostError
   */
  async recordPage(unchanged: ReadonlyMap<string, { rank: string; isRead: boolean }>): Promise<void> {
    for (const { record, group } of this.#page) {
      const stored = unchanged.get(record.id);
      // A run that reads all records need not store fingerprints again.
      const isFound = stored && (!stored.isRead || group.entries?.get(record.fingerprint) === stored.rank);
      if (stored) group[isFound ? "found" : "read"]++;
      if (group.records.length < maxSize) group.records.push({ ...record, ...(stored && { rank: stored.rank }) });
    }
    const ended = new Set([this.#last, ...this.#page.map(({ group }) => group)]);
    this.#last = this.#page.at(-1)?.group ?? this.#last;
    ended.delete(this.#last);
    this.#page = [];
    await this.#store(ended);
  }

  /** Stores the last group, after the last page. @throws LeaseLostError */
  async finish(): Promise<void> {
    await this.#store([this.#last]);
  }

  /** Reads the items of the page's groups. A group with few records on this page is not worth a read. */
  async #load(): Promise<void> {
    const groups = [...Map.groupBy(this.#page, ({ group }) => group)].flatMap(([group, { length }]) =>
      group.name === undefined || group.entries || length < minReadRecords
        ? []
        : [{ group, key: fingerprintsKey(this.#list, group.name) }],
    );
    const items = await this.#table.batchGet(groups.map(({ key }) => key));
    for (const { group, key } of groups) {
      const item = items.get(itemId(key)) as (Item & GroupAttributes) | undefined;
      const isCurrent = item && this.#generation.equals(item.generation);
      group.entries = isCurrent ? unpack(item) : new Map();
      group.expiresAt = isCurrent ? item.expires * 1_000 : 0;
    }
  }

  async #store(groups: Iterable<Group>): Promise<void> {
    const now = this.#options.clock.now().getTime();
    const isDue = ({ read, found, expiresAt }: Group) =>
      read >= minReadRecords || (found > 0 && expiresAt - now < groupLifetimeMs / 2);
    const expires = Math.ceil((now + groupLifetimeMs) / 1_000);
    // A page of the POS may begin with records of the page before, so a group may occur twice. The later one has more records.
    const byName = new Map([...groups].map((group) => [group.name, group]));
    const added: TransactWriteItem[] = [];
    const writes: Promise<unknown>[] = [];
    for (const [name, group] of byName) {
      if (name === undefined || !isDue(group)) continue;
      const attributes: GroupAttributes = { generation: this.#generation, ...pack(group.records), expires };
      const item = { ...fingerprintsKey(this.#list, name), ...attributes };
      if (group.expiresAt === 0) added.push(this.#table.putWrite(item));
      else writes.push(tryConditionalWrite(this.#table.put(item, unchanged("expires", group.expiresAt / 1_000))));
    }
    for (const result of await Promise.allSettled([...writes, this.#add(added)])) {
      // Without the item, the next reading only costs more. If the table stays unavailable, the run's own writes fail.
      if (result.status === "rejected" && !isPassing(result.reason)) throw result.reason;
    }
  }

  async #add(writes: readonly TransactWriteItem[]): Promise<void> {
    for (let i = 0; i < writes.length; i += maxAdded)
      await transactFenced(this.#table, this.#options.fence, writes.slice(i, i + maxAdded));
  }
}

interface GroupAttributes {
  /** `digestGeneration` of the table and the list */
  generation: Uint8Array;
  /** The fingerprints of the group's unchanged records, one after the other. */
  fingerprints: Uint8Array;
  /** The positions of these records, in the same order, deflated. Most positions follow each other. */
  positions: Uint8Array;
  expires: number;
}

function pack(records: readonly ListedRecord[]): Pick<GroupAttributes, "fingerprints" | "positions"> {
  const stored = records.filter(({ rank }) => rank !== undefined);
  const positions = Float64Array.from(stored, ({ rank = "" }) => positionToNumber(rank));
  const fingerprints = Buffer.from(stored.map(({ fingerprint }) => fingerprint).join(""), "latin1");
  return { fingerprints, positions: deflateRawSync(positions) };
}

function unpack({ fingerprints, positions }: GroupAttributes): Map<string, string> {
  const text = Buffer.from(fingerprints).toString("latin1");
  const numbers = new Float64Array(Uint8Array.from(inflateRawSync(positions)).buffer);
  return new Map(
    Array.from(numbers, (number, i) => [
      text.slice(i * fingerprintBytes, (i + 1) * fingerprintBytes),
      numberToPosition(number),
    ]),
  );
}
