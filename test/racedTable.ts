import type { Table } from "../shared/store/client.ts";
import { interceptCalls } from "./shared/store/orderedList/listUnderTest.ts";
import { testTableOf } from "./testTable.ts";

/**
 * The table for a process that something else overtakes.
 *
 * @param meanwhile runs once, before the process first sends the command
 */
export function racedTable(
  table: Table,
  meanwhile: () => Promise<unknown>,
  command: `${string}Command` = "TransactWriteItemsCommand",
): Table {
  const raced = testTableOf(table);
  const calls = interceptCalls(raced);
  calls.before = async (sent) => {
    if (sent !== command) return;
    calls.before = () => undefined;
    await meanwhile();
  };
  return raced;
}
