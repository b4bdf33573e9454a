import type { DayIndex } from "../orderedList/dayIndex.ts";
import { countRecords, isDayInWindow, selectDays } from "../orderedList/planPage.ts";
import { StaleReadError } from "../retryOnConflict.ts";
import { Chunks } from "./chunks.ts";
import { Nodes } from "./nodes.ts";
import { type ChunkReference, countActive, type DailySnapshot } from "./snapshotItems.ts";
import type { SnapshotBuildState } from "./snapshotProgress.ts";
import { presentRecords, recordsSince, retryUntilDeadline, type SnapshotSource } from "./snapshotSource.ts";

const chunksAtOnce = 50;
/**
 * A chunk with at most this number of records is merged with the newer neighboring chunk, if this neighbor is also
 * being written.
 */
const smallChunk = 12;

/**
 * Stores the current state of a list as chunks and nodes, and reuses unchanged chunks and nodes of the previous
 * snapshot.
 *
 * A changed record gets a new position, and its old position is never allocated again. A chunk is therefore unchanged
 * if the number of active records on its days is unchanged. If this number is lower, the node says which records of the
 * chunk are gone. New records come before all records of the previous snapshot.
 *
 * @param before the previous snapshot; undefined if there is none
 * @param begun the progress of an interrupted build from the same list and previous snapshot
 * @param isOver returns whether to stop and leave the rest to another worker; called repeatedly, but only after
 *   progress was stored
 * @returns the complete snapshot (`isWhole`), or the progress of an incomplete one
 */
export async function buildSnapshot(
  source: SnapshotSource,
  before: DailySnapshot | undefined,
  begun: SnapshotBuildState,
  isOver: () => boolean,
): Promise<{ isWhole: boolean } & SnapshotBuildState> {
  const { items, dayIndexes } = source;
  const nodesBefore = await retryUntilDeadline(source, () => items.nodes(before?.nodes.map(({ id }) => id) ?? []));
  const entries = nodesBefore.flatMap((ofNode, node) => ofNode.map((entry) => ({ ...entry, node })));
  const changes = touchedBy(dayIndexes, entries, before?.newest ?? "");
  const known = new Set(entries.map(({ id }) => id));
  const knownNodes = new Set(before?.nodes.map(({ id }) => id));
  const at = { ...begun, nodes: [...begun.nodes] };
  const chunks = new Chunks(at.reached);
  const nodes = new Nodes();
  let node = entries[at.chunks - 1]?.node ?? 0;
  const storeChunks = async () => {
    const full = chunks.full.splice(0);
    const put = await Promise.all(
      full.map((records) => retryUntilDeadline(source, () => items.putChunk(records, known))),
    );
    for (const entry of put) nodes.add(entry, node);
  };
  const storeNodes = async (some: readonly ChunkReference[][]) => {
    const put = some.map(async (ofNode) => ({
      id: await retryUntilDeadline(source, () => items.putNode(ofNode, knownNodes)),
      active: ofNode.reduce((sum, entry) => sum + countActive(entry), 0),
    }));
    at.nodes.push(...(await Promise.all(put)));
  };
  const leave = async () => {
    chunks.cut();
    await storeChunks();
    await storeNodes(nodes.takeAll());
    return { ...at, isWhole: false };
  };
  for await (const record of recordsSince(source, before?.newest ?? "", at.records)) {
    at.newest ||= record.rank;
    at.reached = record.rank.slice(0, 10);
    at.records++;
    chunks.add(record);
    if (chunks.full.length < chunksAtOnce) continue;
    await storeChunks();
    await storeNodes(nodes.takeComplete());
    if (isOver()) return leave();
  }
  while (at.chunks < entries.length) {
    const some = entries.slice(at.chunks, at.chunks + chunksAtOnce);
    const present = await presentRecords(
      source,
      some.filter((entry) => changes.has(entry)),
    );
    for (const entry of some) {
      let found = present.get(entry.id);
      if (!found && chunks.isOpen && countActive(entry) <= smallChunk) {
        found = (await presentRecords(source, [entry])).get(entry.id);
      }
      const { records = [], gone } = found ?? { gone: entry.gone };
      const active = countActive({ ...entry, gone });
      if (active === 0) continue;
      const isSparse = found && active * 2 <= entry.count;
      // A chunk of several days must contain complete days. If its newest day has got more records, the chunk is stored
      // again.
      const grows = entry.to === at.reached && entry.from !== entry.to;
      if (isSparse || grows || (found && chunks.hasRoomFor(records))) {
        for (const record of records) chunks.add(record);
      } else {
        chunks.endBefore(entry);
        await storeChunks();
        nodes.add({ ...entry, gone }, entry.node);
      }
      at.reached = entry.from;
      node = entry.node;
    }
    at.chunks += some.length;
    await storeChunks();
    await storeNodes(nodes.takeComplete());
    if (at.chunks < entries.length && isOver()) return leave();
  }
  chunks.end();
  await storeChunks();
  await storeNodes(nodes.takeAll());
  const counted = at.nodes.reduce((sum, { active }) => sum + active, 0);
  const expected = countRecords(selectDays(dayIndexes, {}));
  if (counted !== expected) throw new StaleReadError(`${items.pk}: ${counted} records instead of ${expected}`);
  return { ...at, newest: at.newest || (before?.newest ?? ""), isWhole: true };
}

/**
 * Returns the chunks whose days have another number of active records than in the previous snapshot, and the chunks of
 * that snapshot's newest day, because this day may have got new records.
 */
function touchedBy(
  dayIndexes: readonly DayIndex[],
  entries: readonly ChunkReference[],
  newest: string,
): Set<ChunkReference> {
  const days = selectDays(dayIndexes, {});
  const groups = Map.groupBy(entries, ({ from, to }) => `${from}${to}`);
  const touched = new Set<ChunkReference>();
  for (const group of groups.values()) {
    const { from = "", to = "" } = group[0] ?? {};
    const then = group.reduce((sum, entry) => sum + countActive(entry), 0);
    const now = countRecords(days.filter(([day]) => isDayInWindow(day, { from, to })));
    if (then !== now || to === newest.slice(0, 10)) for (const entry of group) touched.add(entry);
  }
  return touched;
}
