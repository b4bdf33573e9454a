import type { Item, Table } from "../../../shared/store/client.ts";
import { scan } from "../../tableState.ts";

/** All items of a table, by partition. */
export type Stored = ReadonlyMap<string, Item[]>;

/** The table's items in the engine. */
export async function storedIn(table: Table): Promise<Stored> {
  return Map.groupBy(await scan(table), ({ pk }) => pk);
}

/** The records of a list as JSON texts, newest first. */
export function recordsOf(stored: Stored, pk: string): string[] {
  const items = (stored.get(pk) ?? []).toSorted((a, b) => ((a.rank as string) < (b.rank as string) ? 1 : -1));
  return items.map(({ body }) => body as string);
}
