import { createAccessReport } from "../../shared/domain/accessReports/createAccessReport.ts";
import { listReports } from "../../shared/domain/accessReports/storedReport.ts";
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

/**
 * Makes a report of who read the demo's data, unless one is stored.
 *
 * @param make invokes the worker with a message
 */
export async function prepareAccessReport(
  table: Table,
  { sp_id: spId, client_id: clientId }: { sp_id: string; client_id: string },
  make: (body: string) => Promise<unknown>,
): Promise<void> {
  if ((await listReports(table, spId, { limit: 1 })).records.length > 0) return;
  const to = table.clock.now();
  const from = new Date(to.getTime() - days * 24 * 60 * 60_000);
  const window = { from: from.toISOString(), to: to.toISOString() };
  const { id } = await createAccessReport(table, spId, window, { clientId });
  await make(JSON.stringify({ sp_id: spId, report_id: id }));
}
