import { createStatement } from "../../shared/domain/statements/createStatement.ts";
import { listStatements } from "../../shared/domain/statements/storedStatement.ts";
import type { Table } from "../../shared/store/client.ts";
import { addDays } from "../../shared/time/addDays.ts";
import { utcDay } from "../../shared/time/clock.ts";
import { demoBusinesses } from "./demoBusinesses.ts";

/** Days of a statement. */
const days = 30;

/**
 * Creates a statement of each of the first two businesses with their last 30 days, unless one is stored. The schedule of the stage
 * then makes them. Requires the sales and the deposits.
 */
export async function prepareStatements(
  table: Table,
  { sp_id: spId, client_id: clientId }: { sp_id: string; client_id: string },
): Promise<void> {
  const end_date = addDays(utcDay(table.clock.now()), -2);
  const body = { start_date: addDays(end_date, 1 - days), end_date, format: "html" as const };
  for (const { record } of demoBusinesses.slice(0, 2)) {
    const { records } = await listStatements(table, record.id, { limit: 1 });
    if (records.length === 0) await createStatement(table, { spId, crbId: record.id, body, by: { clientId } });
  }
}
