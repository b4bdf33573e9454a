import type { Table } from "../../store/client.ts";
import { parseExportDueKey, runningExportKey } from "../../store/keys/exports.ts";
import { requestExportRun } from "./exportMessage.ts";
import { readExport, type StoredExport } from "./storedExport.ts";

/**
 * The export of a service provider that should run next: the oldest queued one, unless one is running. Only this export
 * gets messages, and only the first of them starts it. So a service provider has one place in the queue, however many exports
 * it has, and service providers take turns.
 */
export async function findNextExport(table: Table, spId: string, now: Date): Promise<StoredExport | undefined> {
  const running = runningExportKey(spId);
  if (await table.get(running, { consistent: true })) return undefined;
  const [first] = await table.queryPartition(running.pk, { before: running.sk, consistent: true, limit: 1 });
  if (!first) return undefined;
  const { crbId, exportId } = parseExportDueKey(first.sk);
  return readExport(table, crbId, exportId, now);
}

/**
 * Sends a message to start the next export of a service provider, if there is one. Call it after an export was created or
 * has ended. If the call fails, the next call or the sweeper sends the message.
 */
export async function requestNextExport(table: Table, spId: string): Promise<void> {
  const next = await findNextExport(table, spId, new Date());
  if (next) await requestExportRun(next);
}
