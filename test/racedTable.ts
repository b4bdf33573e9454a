import { expect, onTestFinished } from "vitest";
import type { Table } from "../shared/store/client.ts";
import { interceptCalls } from "./shared/store/orderedList/listUnderTest.ts";
import { testTableOf } from "./testTable.ts";

/**
 * The table for a process that something else overtakes. The test fails if the process never sends the command.
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
  let isOvertaken = false;
  onTestFinished(() => expect(isOvertaken, `a ${command} of the overtaken process`).toBe(true));
  calls.before = async (sent) => {
    if (sent !== command) return;
    calls.before = () => undefined;
    isOvertaken = true;
    await meanwhile();
  };
  return raced;
}
