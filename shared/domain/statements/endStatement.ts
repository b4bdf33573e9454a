import type { StatementError } from "../../api/enumerations.ts";
import type { Table } from "../../store/client.ts";
import { storedStatementsKey } from "../../store/keys/statements.ts";
import type { Clock } from "../../time/clock.ts";
import { changeStatement, type StoredStatement } from "./storedStatement.ts";

/**
 * Ends a statement that cannot be made. It does not count against the limit of stored statements any more.
 *
 * @param options.isAnnounced whether an event reports it
 * @throws StatementChangedError if the statement has changed since it was read
 */
export async function endStatement(
  table: Table,
  stored: StoredStatement,
  error: StatementError,
  clock: Clock,
  { isAnnounced = true }: { isAnnounced?: boolean } = {},
): Promise<void> {
  const { crb_id: crbId, sp_id: spId, id: statement_id } = stored;
  const counted = { expression: "ADD kept :one", values: { ":one": -1 } };
  await changeStatement(table, stored, { status: "failed", error, held_until: 0 }, clock, {
    writes: [table.updateWrite(storedStatementsKey(crbId), counted)],
    events: isAnnounced ? [{ type: "statement.failed", spId, crbId, data: { statement_id, error } }] : [],
  });
}
