import type { Table } from "../client.ts";
import type { OpenPage, Page } from "../orderedList/readPage.ts";
import { countActive, type DailySnapshot, SnapshotItems } from "./snapshotItems.ts";

/**
 * Opens a page of the inventory of a location at the end of a local day. The page is empty for days before the first
 * snapshot. A snapshot never changes, so no read can lag behind the state (`changedAt` is 0).
 *
 * @param date the CRB-local day, yyyy-MM-dd
 */
export async function openDailySnapshot(
  table: Table,
  crbId: string,
  locationId: string,
  date: string,
  window: { offset: number; limit: number },
): Promise<OpenPage> {
  const items = new SnapshotItems(table, crbId, locationId);
  // A consistent read, because replication may have just stored this snapshot and begun a new day.
  const state = await items.latest(date);
  const text = JSON.stringify([items.pk, state?.day, state?.version]);
  return {
    state: { text, changedAt: 0 },
    read: async () => (state ? readState(items, state, window) : { total: 0, records: [] }),
  };
}

async function readState(
  items: SnapshotItems,
  { nodes }: DailySnapshot,
  { offset, limit }: { offset: number; limit: number },
): Promise<Page> {
  const total = nodes.reduce((sum, { active }) => sum + active, 0);
  const wanted = within(nodes, ({ active }) => active, offset, limit);
  const entries = (await items.nodes(wanted.parts.map(({ id }) => id))).flat();
  const chunks = within(entries, countActive, wanted.skip, limit);
  const records = await items.chunks(chunks.parts.map(({ id }) => id));
  const active = chunks.parts.flatMap(({ gone }, i) => records[i]?.filter((_, place) => !gone?.has(place)) ?? []);
  return { total, records: active.slice(chunks.skip, chunks.skip + limit).map(({ value }) => value) };
}

/**
 * Finds the parts (nodes or chunks) that a page covers, from the number of records in each part.
 *
 * @returns these parts, and the number of records in the first part that precede the page (`skip`)
 */
function within<Part>(parts: readonly Part[], sizeOf: (part: Part) => number, offset: number, limit: number) {
  const found: Part[] = [];
  let start = 0;
  let skip = 0;
  for (const part of parts) {
    const end = start + sizeOf(part);
    if (end > offset && start < offset + limit) {
      if (found.length === 0) skip = offset - start;
      found.push(part);
    }
    start = end;
  }
  return { parts: found, skip };
}
