import { describeError, log } from "../../platform/aws/log.ts";
import type { Table } from "../../store/client.ts";
import { restorationMessage } from "./restorationMessage.ts";
import { restoreCrb } from "./restoreCrb.ts";

/**
 * Processes a message of the restoration queue, and logs the result.
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
    log.info("restoration", { ...facts, ...result, duration_ms: Math.round(performance.now() - started) });
  } catch (error) {
    log.error("restoration failed", { ...facts, error: describeError(error) });
    throw error;
  }
}
