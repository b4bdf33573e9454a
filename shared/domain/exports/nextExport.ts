import { type Table, tryConditionalWrite, unchanged } from "../../store/client.ts";
import { parseExportDueKey, runningExportKey } from "../../store/keys/exports.ts";
import { readRestoring } from "../../store/restoration.ts";
import { requestExportRun } from "./exportMessage.ts";
import { readExport, type StoredExport } from "./storedExport.ts";

/**
 * The export of a service provider that should run next: the oldest queued one, unless one is running. Only this export
 * gets messages, and only the first of them starts it. So a service provider has one place in the queue, however many
 * exports it has, and service providers take turns.
 */
async function findNextExport(table: Table, spId: string, now: Date): Promise<StoredExport | undefined> {
  return (await findRunningExport(table, spId, now)) ? undefined : findFirstQueued(table, spId, now);
}

/**
 * The running export of a service provider. Removes the place of an export that does not run: after a restore, the
 * table may hold a part of a transaction, and this place would block the other exports for good.
 */
export async function findRunningExport(table: Table, spId: string, now: Date): Promise<StoredExport | undefined> {
  const key = runningExportKey(spId);
  const place = await table.get(key, { consistent: true });
  if (!place) return undefined;
  const stored = await readExport(table, place.crb_id as string, place.export_id as string, now);
  if (stored?.status === "running") return stored;
  await tryConditionalWrite(table.delete(key, unchanged("export_id", place.export_id)));
  return undefined;
}

/**
 * The oldest queued export of a service provider, without those of CRBs that are being restored, which wait. Removes the places
 * before it whose exports are not queued.
 */
export async function findFirstQueued(table: Table, spId: string, now: Date): Promise<StoredExport | undefined> {
  const running = runningExportKey(spId);
  const closed = new Set((await readRestoring(table, spId)).map(({ crbId }) => crbId));
  const window = { before: running.sk, consistent: true, ...(closed.size === 0 && { limit: 1 }) };
  for (;;) {
    const places = await table.queryPartition(running.pk, window);
    const first = places.find(({ sk }) => !closed.has(parseExportDueKey(sk).crbId));
    if (!first) return undefined;
    const { crbId, exportId } = parseExportDueKey(first.sk);
    const stored = await readExport(table, crbId, exportId, now);
    if (stored?.status === "queued") return stored;
    await table.delete(first);
  }
}

/**
 * Sends a message to start the next export of a service provider, if there is one. Call it after an export was created
 * or has ended. If the call fails, the next call or the sweeper sends the message.
 */
export async function requestNextExport(table: Table, spId: string): Promise<void> {
  const next = await findNextExport(table, spId, new Date());
  if (next) await requestExportRun(next);
}
