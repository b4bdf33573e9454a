import * as z from "zod";
import { describeError, log } from "../../platform/aws/log.ts";
import { reportMessage } from "../accessReports/reportMessage.ts";
import { runAccessReport } from "../accessReports/runAccessReport.ts";
import type { Intervals } from "../replication/replicationIntervals.ts";
import { runStatement, type StatementStores } from "./runStatement.ts";
import { statementMessage } from "./statementMessage.ts";

/**
 * Processes a message of the queue of statements and access reports: makes one, and logs the result.
 *
 * @param message.body the message, as JSON
 * @throws the error of a message that is not valid, or of a run that could not store its failure
 */
export async function processMessage(
  stores: StatementStores,
  { body, messageId }: { body: string; messageId: string },
  options: { deadline: Date; intervals: Intervals },
): Promise<void> {
  const started = performance.now();
  const facts: Record<string, unknown> = { message_id: messageId };
  try {
    const message = z.union([statementMessage, reportMessage]).parse(JSON.parse(body));
    Object.assign(facts, message);
    const isReport = "report_id" in message;
    const outcome = isReport
      ? await runAccessReport(stores, message, options)
      : await runStatement(stores, message, options);
    const duration_ms = Math.round(performance.now() - started);
    const name = isReport ? "access report" : "statement";
    log[outcome === "failed" ? "warn" : "info"](name, { ...facts, outcome, duration_ms });
  } catch (error) {
    log.error("statement or access report failed", { ...facts, error: describeError(error) });
    throw error;
  }
}
