import { describeError, log } from "../../platform/aws/log.ts";
import { maxDelaySeconds } from "../../platform/queue/sendMessages.ts";
import type { Table } from "../../store/client.ts";
import { requestRestorations, restorationMessage } from "./restorationMessage.ts";
import { restoreCrb } from "./restoreCrb.ts";

/**
 * Processes a message of the restoration queue, and logs the result. If another worker has the lease of the CRB, the message is
 * sent again: that worker may have been killed, or it is this one, if the response to its acquisition was lost.
 *
 * @param body the message, as JSON
 * @throws the error of a message that is not valid, or of `restoreCrb`
 */
export async function processMessage(
  table: Table,
  { body, messageId }: { body: string; messageId: string },
  times: { deadline: Date; heldUntil: Date },
): Promise<void> {
  const started = performance.now();
  const facts: Record<string, unknown> = { message_id: messageId };
  try {
    const { crb_id } = restorationMessage.parse(JSON.parse(body));
    facts.crb_id = crb_id;
    const result = await restoreCrb(table, crb_id, times);
    if (result.outcome === "held") await requestRestorations([crb_id], { delaySeconds: maxDelaySeconds });
    log.info("restoration", { ...facts, ...result, duration_ms: Math.round(performance.now() - started) });
  } catch (error) {
    log.error("restoration failed", { ...facts, error: describeError(error) });
    throw error;
  }
}
