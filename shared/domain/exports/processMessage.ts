import { describeError, log } from "../../platform/aws/log.ts";
import type { Table } from "../../store/client.ts";
import type { Bucket } from "../documents/bucket.ts";
import { exportMessage, requestExportRun } from "./exportMessage.ts";
import { requestNextExport } from "./nextExport.ts";
import { runExport } from "./runExport.ts";
import { readExport } from "./storedExport.ts";

/**
 * Processes a message of the export queue: runs the export, logs the result, and sends another message if the time was
 * over, or for the next export of the service provider.
 *
 * @param body the message, as JSON
 * @throws the error of a message that is not valid, or of a run that could not store its failure
 */
export async function processMessage(
  stores: { table: Table; bucket: Bucket },
  { body, messageId }: { body: string; messageId: string },
  deadline: Date,
): Promise<void> {
  const started = performance.now();
  const facts: Record<string, unknown> = { message_id: messageId };
  try {
    const message = exportMessage.parse(JSON.parse(body));
    Object.assign(facts, message);
    const result = await runExport(stores, message, { deadline });
    const duration_ms = Math.round(performance.now() - started);
    log[result.outcome === "failed" ? "warn" : "info"]("export", { ...facts, ...result, duration_ms });
    if (!["continues", "ready", "failed"].includes(result.outcome)) return;
    const stored = await readExport(stores.table, message.crb_id, message.export_id, new Date());
    if (!stored) return;
    if (result.outcome === "continues") await requestExportRun(stored);
    else await requestNextExport(stores.table, stored.sp_id);
  } catch (error) {
    log.error("export failed", { ...facts, error: describeError(error) });
    throw error;
  }
}
