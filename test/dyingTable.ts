import type { Table } from "../shared/store/client.ts";
import { interceptCalls } from "./shared/store/orderedList/listUnderTest.ts";
import { testTableOf } from "./testTable.ts";

const killed = new WeakSet<Table>();

/** Whether the process of a `dyingTable` was killed. Its work can end without an error nevertheless. */
export const wasKilled = (dying: Table): boolean => killed.has(dying);

/**
 * The table for a process that is killed at a call: an even number means before call `half / 2`, an odd one after it. No
 * later call is made.
 *
 * @param half the call, counted from 0, in halves
 */
export function dyingTable(table: Table, half: number): Table {
  const dying = testTableOf(table);
  const calls = interceptCalls(dying);
  let call = 0;
  const kill = () => {
    if (!killed.has(dying) && call++ < Math.floor(half / 2)) return;
    killed.add(dying);
    throw new Error("killed");
  };
  if (half % 2) calls.after = kill;
  else calls.before = kill;
  return dying;
}
