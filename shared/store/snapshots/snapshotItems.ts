import { createHash } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { type Item, itemId, type Table } from "../client.ts";
import { dailySnapshotKey, dayOfDailySnapshot, snapshotPartition, snapshotPartKey } from "../keys/inventory.ts";
import type { PositionedRecord } from "../orderedList/readPage.ts";
import { SlotSet } from "../orderedList/slotSet.ts";

// The item of a daily snapshot contains no records. It names nodes, the nodes name chunks, and the chunks contain the
// records. The name of a node or chunk is a digest of its content. Nodes and chunks never change, so that snapshots can
// share equal nodes and chunks; see docs/storage.md.

/**
 * A node's reference to a chunk. A chunk has consecutive records, newest first. The reference says which of them have
 * moved since the chunk was stored.
 */
export interface ChunkReference {
  /** The chunk's name. */
  id: string;
  /**
   * The days (yyyy-MM-dd) of the chunk's oldest record (`from`) and newest record (`to`). The chunk contains one or
   * several complete days, or a part of one day.
   */
  from: string;
  to: string;
  /** Number of records in the chunk. */
  count: number;
  /**
   * The indexes in the chunk of the records that no longer have their position; undefined if all records still have it.
   */
  gone: SlotSet | undefined;
}

/** The number of a chunk's records that belong to the snapshot. */
export function countActive({ count, gone }: ChunkReference): number {
  return count - (gone?.count() ?? 0);
}

/** The daily snapshot of a location on a local day. */
export interface DailySnapshot {
  /** yyyy-MM-dd */
  day: string;
  /** The version of the list at the snapshot: the sum of the versions of all its day indexes. */
  version: number;
  /** The generation of the list (`DayIndex.generation`). Snapshots of another generation are not continued. */
  generation: number | undefined;
  /** The position of the newest record in the snapshot. */
  newest: string;
  /** References to the nodes, newest first. */
  nodes: NodeReference[];
}

/** A snapshot's reference to a node. `active` is the number of the node's records that belong to the snapshot. */
export interface NodeReference {
  id: string;
  active: number;
}

/** The stored daily snapshots of a location's inventory. */
export class SnapshotItems {
  readonly #table: Table;
  readonly pk: string;

  constructor(table: Table, crbId: string, locationId: string) {
    this.#table = table;
    this.pk = snapshotPartition(crbId, locationId);
  }

  /** Reads the snapshot of a day, or the last snapshot before this day; undefined if there is none. */
  async latest(day: string): Promise<DailySnapshot | undefined> {
    const [first, last] = ["0000", day].map((one) => dailySnapshotKey(this.pk, one).sk);
    const [item] = await this.#table.query({
      KeyConditionExpression: "pk = :pk AND sk BETWEEN :first AND :last",
      ExpressionAttributeValues: { ":pk": this.pk, ":first": first, ":last": last },
      ScanIndexForward: false,
      Limit: 1,
      ConsistentRead: true,
    });
    if (!item) return undefined;
    const state = item as Item & { nodes: Uint8Array } & Omit<DailySnapshot, "nodes">;
    const { sk, version, generation, newest, nodes } = state;
    return { day: dayOfDailySnapshot(sk), version, generation, newest, nodes: unpackNames(nodes) };
  }

  stateItem({ day, version, generation, newest, nodes }: DailySnapshot): Item {
    return { ...dailySnapshotKey(this.pk, day), version, generation, newest, nodes: packNames(nodes) };
  }

  async nodes(ids: readonly string[]): Promise<ChunkReference[][]> {
    const items = await this.#parts("NODE", ids);
    return items.map((bytes) =>
      (JSON.parse(inflateRawSync(bytes).toString()) as PackedEntry[]).map(([id, from, to, count, gone]) => ({
        id,
        from,
        to: to || from,
        count,
        gone: gone === undefined ? undefined : new SlotSet(Buffer.from(gone, "base64")),
      })),
    );
  }

  /** Reads the records of chunks, newest first. */
  async chunks(ids: readonly string[]): Promise<PositionedRecord[][]> {
    const items = await this.#parts("CHUNK", ids);
    return items.map((bytes) =>
      inflateRawSync(bytes)
        .toString()
        .split("\n")
        .map((line) => ({ rank: line.slice(0, line.indexOf(" ")), value: line.slice(line.indexOf(" ") + 1) })),
    );
  }

  /** Stores a node, unless its name is in `known`. Returns the name. */
  putNode(entries: readonly ChunkReference[], known: ReadonlySet<string>): Promise<string> {
    const packed = entries.map(({ id, from, to, count, gone }): PackedEntry => {
      const days = [id, from, from === to ? "" : to, count] as const;
      return gone ? [...days, Buffer.from(gone.bytes).toString("base64")] : [...days];
    });
    return this.#put("NODE", deflateRawSync(JSON.stringify(packed)), known);
  }

  /** Stores a chunk, unless its name is in `known`. Returns a reference to the chunk. */
  async putChunk(records: readonly PositionedRecord[], known: ReadonlySet<string>): Promise<ChunkReference> {
    // Lines separate the records, because JSON texts contain no line breaks.
    const bytes = deflateRawSync(records.map(({ rank, value }) => `${rank} ${value}`).join("\n"));
    const id = await this.#put("CHUNK", bytes, known);
    const [to, from] = [dayOf(records[0]), dayOf(records.at(-1))];
    return { id, from, to, count: records.length, gone: undefined };
  }

  async #put(kind: "NODE" | "CHUNK", content: Uint8Array, known: ReadonlySet<string>): Promise<string> {
    const id = createHash("sha256").update(content).digest("base64url").slice(0, 16);
    if (!known.has(id)) await this.#table.put({ ...snapshotPartKey(this.pk, kind, id), content });
    return id;
  }

  async #parts(kind: "NODE" | "CHUNK", ids: readonly string[]): Promise<Uint8Array[]> {
    const keys = ids.map((id) => snapshotPartKey(this.pk, kind, id));
    const found = await this.#table.batchGet(keys);
    // Every part is stored before a snapshot names it, but an eventually consistent read may be older than the part.
    // Missing parts are therefore read again, consistently.
    const missing = keys.filter((key) => !found.has(itemId(key)));
    const late = await this.#table.batchGet(missing, { consistent: true });
    return keys.map((key) => (found.get(itemId(key)) ?? late.get(itemId(key)))?.content as Uint8Array);
  }
}

export function packNames(nodes: readonly NodeReference[]): Uint8Array {
  return deflateRawSync(JSON.stringify(nodes.map(({ id, active }) => [id, active])));
}

/** Reverses `packNames`. */
export function unpackNames(packed: Uint8Array): NodeReference[] {
  const named: [string, number][] = JSON.parse(inflateRawSync(packed).toString());
  return named.map(([id, active]) => ({ id, active }));
}

type PackedEntry = [id: string, from: string, to: string, count: number, gone?: string];

function dayOf(placed: PositionedRecord | undefined): string {
  return placed?.rank.slice(0, 10) ?? "";
}
