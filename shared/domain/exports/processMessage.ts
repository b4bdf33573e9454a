import { describeError, log } from "../../platform/aws/log.ts";
import type { Table } from "../../store/client.ts";
import type { Bucket } from "../documents/bucket.ts";
import { exportMessage, requestExportRun } from "./exportMessage.ts";
import { runExport } from "./runExport.ts";

/**
 * Processes a message of the export queue: runs the export, logs the result, and sends another message if the time was
 * over.
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
    if (result.outcome === "continues") await requestExportRun(message);
  } catch (error) {
    log.error("export failed", { ...facts, error: describeError(error) });
    throw error;
  }
}
