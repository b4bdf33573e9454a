import type { Table } from "../table/client.ts";
import { presentInventory } from "../table/inventory.ts";
import { rankNumber, recordKey, recordList } from "../table/keys.ts";
import type { RecordWriter } from "../table/rankedList/recordWriter.ts";
import { checkDeadline } from "../time/deadline.ts";
import { withoutStock } from "./normalizeInventory.ts";
import type { RunContext } from "./runContext.ts";
import type { SeenRanks } from "./seenRanks.ts";

const recordsPerWrite = 250;

/**
 * Takes to quantity 0, at all their locations, the inventory records that the POS no longer names: those with a
 * quantity whose place a complete pull has not seen.
 *
 * @param write writes records of the inventory
 * @param seen the places of everything that the pull named, from its very beginning to its end
 * @throws OutOfTimeError at the deadline; the next run finds fewer
 */
export async function zeroVanished(
  { table, connection: { crbId }, clock, deadline }: RunContext,
  write: RecordWriter["write"],
  seen: SeenRanks,
): Promise<void> {
  const list = recordList(crbId, "inventory");
  let vanished = 0;
  for await (const suspects of suspectParts(table, crbId, seen)) {
    if (vanished > 0) checkDeadline(clock, deadline);
    const keys = suspects.map((id) => recordKey(list, id));
    const items = await table.batchGet(keys, { consistent: true, attributes: ["rank", "body"] });
    // An entry may be read as it stood before this very run moved its record.
    const unseen = [...items.values()].filter(({ rank }) => !seen.has(rankNumber(rank as string)));
    const records = unseen.map(({ sk, body }) => ({ id: sk, content: withoutStock(JSON.parse(body as string)) }));
    vanished += (await write(records)).changed;
  }
}

/** The ids of what has a quantity and was not seen, as many at a time as are written at once. */
async function* suspectParts(table: Table, crbId: string, seen: SeenRanks): AsyncGenerator<string[]> {
  let suspects: string[] = [];
  for await (const part of presentInventory(table, crbId)) {
    suspects.push(...part.filter(({ rank }) => !seen.has(rank)).map(({ id }) => id));
    while (suspects.length >= recordsPerWrite) {
      yield suspects.slice(0, recordsPerWrite);
      suspects = suspects.slice(recordsPerWrite);
    }
  }
  if (suspects.length > 0) yield suspects;
}
