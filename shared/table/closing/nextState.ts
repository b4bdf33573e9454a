import type { Directory } from "../rankedList/directory.ts";
import { countRecords, daysWithin, isWithin } from "../rankedList/pagePlan.ts";
import { StaleReadError } from "../untilCommitted.ts";
import { Chunks } from "./chunks.ts";
import { type ClosingState, type Entry, liveOf } from "./closingItems.ts";
import { presentRecords, recordsSince, type Source } from "./source.ts";

const entriesAtOnce = 50;
/** A chunk of so few records is merged with what is written beside it. */
const smallChunk = 12;
/** Of a node, which stays below 1 KB by that. */
const mostEntries = 32;

/**
 * Stores how a list stands as chunks and nodes, as far as the state before it does not name them already.
 *
 * A record that changes takes a new rank, and nothing ever takes the old one. So a chunk is as it was when as many of its
 * ranks are live as then; where fewer are, the node tells which are gone. What is new stands before all that was.
 *
 * @param before undefined where there is none
 * @returns the state that names them
 */
export async function nextState(
  source: Source,
  before: ClosingState | undefined,
): Promise<Pick<ClosingState, "newest" | "nodes">> {
  const { items, directories } = source;
  const nodes = await items.nodes(before?.nodes.map(({ id }) => id) ?? []);
  const entries = nodes.flatMap((ofNode, node) => ofNode.map((entry) => ({ ...entry, node })));
  const changes = touchedBy(directories, entries, before?.newest ?? "");
  const known = new Set(entries.map(({ id }) => id));
  const after: (Entry & { node: number })[] = [];
  const chunks = new Chunks();
  let node = 0;
  let newest = "";
  let oldestNew = "";
  const drain = async () => {
    const full = chunks.full.splice(0);
    const put = await Promise.all(full.map((records) => items.putChunk(records, known)));
    after.push(...put.map((entry) => ({ ...entry, node })));
  };
  for await (const record of recordsSince(source, before?.newest ?? "")) {
    newest ||= record.rank;
    oldestNew = record.rank.slice(0, 10);
    chunks.add(record);
    if (chunks.full.length >= entriesAtOnce) await drain();
  }
  for (let i = 0; i < entries.length; i += entriesAtOnce) {
    const some = entries.slice(i, i + entriesAtOnce);
    const present = await presentRecords(
      source,
      some.filter((entry) => changes.has(entry)),
    );
    for (const entry of some) {
      let found = present.get(entry.id);
      if (!found && chunks.isOpen && liveOf(entry) <= smallChunk) {
        found = (await presentRecords(source, [entry])).get(entry.id);
      }
      const { records = [], gone } = found ?? { gone: entry.gone };
      const live = liveOf({ ...entry, gone });
      if (live === 0) continue;
      const isSparse = found && live * 2 <= entry.count;
      // A chunk holds whole days, and more may have come to its newest one.
      const grows = entry.to === oldestNew && entry.from !== entry.to;
      if (isSparse || grows || (found && chunks.hasRoomFor(records))) {
        for (const record of records) chunks.add(record);
      } else {
        chunks.endBefore(entry);
        await drain();
        after.push({ ...entry, gone });
      }
      node = entry.node;
    }
  }
  chunks.end();
  await drain();
  const counted = after.reduce((sum, entry) => sum + liveOf(entry), 0);
  const expected = countRecords(daysWithin(directories, {}));
  if (counted !== expected) throw new StaleReadError(`${items.pk}: ${counted} records instead of ${expected}`);
  const knownNodes = new Set(before?.nodes.map(({ id }) => id));
  const stored = nodesOf(after).map(async (ofNode) => ({
    id: await items.putNode(ofNode, knownNodes),
    live: ofNode.reduce((sum, entry) => sum + liveOf(entry), 0),
  }));
  return { newest: newest || (before?.newest ?? ""), nodes: await Promise.all(stored) };
}

/** The entries of whose days fewer records are live than they hold, and those of the newest day, which may have grown. */
function touchedBy(directories: readonly Directory[], entries: readonly Entry[], newest: string): Set<Entry> {
  const days = daysWithin(directories, {});
  const groups = Map.groupBy(entries, ({ from, to }) => `${from}${to}`);
  const touched = new Set<Entry>();
  for (const group of groups.values()) {
    const { from = "", to = "" } = group[0] ?? {};
    const then = group.reduce((sum, entry) => sum + liveOf(entry), 0);
    const now = countRecords(days.filter(([day]) => isWithin(day, { from, to })));
    if (then !== now || to === newest.slice(0, 10)) for (const entry of group) touched.add(entry);
  }
  return touched;
}

/** Entries by node: those of before stay together, so that most nodes stay what they are. */
function nodesOf(entries: readonly (Entry & { node: number })[]): Entry[][] {
  const nodes: Entry[][] = [];
  for (const ofNode of Map.groupBy(entries, ({ node }) => node).values()) {
    const last = nodes.at(-1);
    if (last && last.length + ofNode.length <= (mostEntries * 3) / 4) last.push(...ofNode);
    else {
      // Evenly, so that the newest has room for more.
      const parts = Math.ceil(ofNode.length / mostEntries);
      const size = Math.ceil(ofNode.length / parts);
      for (let i = 0; i < ofNode.length; i += size) nodes.push(ofNode.slice(i, i + size));
    }
  }
  return nodes;
}
