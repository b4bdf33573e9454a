import * as z from "zod";
import { describeError, log } from "../../platform/aws/log.ts";
import { queueUrl, sendMessages } from "../../platform/queue/sendMessages.ts";
import type { StoredExport } from "./storedExport.ts";

/**
 * The body of a message in the export queue, as JSON. A message starts or continues an export. `version` is that of the
 * export when the message was sent.
 */
export const exportMessage = z.strictObject({ crb_id: z.guid(), export_id: z.guid(), version: z.int() });

export type ExportMessage = z.infer<typeof exportMessage>;

/** Asks a worker to start or continue an export. A failure is only logged, because the sweeper sends the message again. */
export async function requestExportRun({
  crb_id,
  id: export_id,
  version,
}: Pick<StoredExport, "crb_id" | "id" | "version">): Promise<void> {
  const message: ExportMessage = { crb_id, export_id, version };
  await sendMessages(queueUrl("EXPORT_QUEUE_URL"), [message]).catch((error) =>
    log.warn("export not queued; the sweeper queues it", { crb_id, export_id, error: describeError(error) }),
  );
}
