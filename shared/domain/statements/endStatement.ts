import type { StatementError } from "../../api/enumerations.ts";
import type { Table } from "../../store/client.ts";
import { storedStatementsKey } from "../../store/keys/statements.ts";
import type { Clock } from "../../time/clock.ts";
import { reportFailedExport } from "../exports/failedExports.ts";
import { AssociationEndedError, changeStatement, type StoredStatement } from "./storedStatement.ts";

/**
 * Ends a statement that cannot be made. It does not count against the limit of stored statements any more. An event and the
 * metric of the alarm report it, unless the association of the CRB has ended.
 *
 * @throws StatementChangedError if the statement has changed since it was read
 */
export async function endStatement(
  table: Table,
  stored: StoredStatement,
  error: StatementError,
  clock: Clock,
): Promise<void> {
  const { crb_id: crbId, sp_id: spId, id: statement_id } = stored;
  const counted = { expression: "ADD kept :one", values: { ":one": -1 } };
  const writes = [table.updateWrite(storedStatementsKey(crbId), counted)];
  const failed = { type: "statement.failed", spId, crbId, data: { statement_id, error } } as const;
  const change = { status: "failed", error, held_until: 0 } as const;
  try {
    await changeStatement(table, stored, change, clock, { writes, events: [failed] });
    reportFailedExport({ crb_id: crbId, statement_id }, error);
  } catch (cause) {
    if (!(cause instanceof AssociationEndedError)) throw cause;
    await changeStatement(table, stored, change, clock, { writes });
  }
}
