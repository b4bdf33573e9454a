import { createStatement } from "../../shared/domain/statements/createStatement.ts";
import { listStatements } from "../../shared/domain/statements/storedStatement.ts";
import type { Table } from "../../shared/store/client.ts";
import { addDays } from "../../shared/time/addDays.ts";
import { utcDay } from "../../shared/time/clock.ts";
import { demoBusinesses } from "./demoBusinesses.ts";

/** Days of the demo's statement. */
const days = 30;

/**
 * Creates a statement of the first business with its last 30 days, unless one is stored. The schedule of the stage then makes it.
 * Requires the sales and the deposits.
 */
export async function prepareStatement(
  table: Table,
  { sp_id: spId, client_id: clientId }: { sp_id: string; client_id: string },
): Promise<void> {
  const crbId = demoBusinesses[0]?.record.id as string;
  const { records } = await listStatements(table, crbId, { limit: 1 });
  if (records.length > 0) return;
  const end_date = addDays(utcDay(table.clock.now()), -2);
  const body = { start_date: addDays(end_date, 1 - days), end_date, format: "html" as const };
  await createStatement(table, { spId, crbId, body, by: { clientId } });
}
