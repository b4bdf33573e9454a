import { describeError, log } from "../../platform/aws/log.ts";
import type { Table } from "../../store/client.ts";
import { parseStatementDueKey, statementsDuePartition } from "../../store/keys/statements.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { isPast } from "../../time/deadline.ts";
import { endStatement } from "./endStatement.ts";
import { requestStatementRun } from "./statementMessage.ts";
import { isOpen, readStatement } from "./storedStatement.ts";

/** Milliseconds after its creation within which a statement must be ready. */
const maxAgeMs = 24 * 60 * 60_000;
/** Milliseconds for which the first message of a statement may wait in the queue. */
const maxQueuedMs = 2 * 60_000;

/** The numbers of statements that a sweep has ended or queued again, and whose sweep failed. */
export interface SweptStatements {
  ended: number;
  queued: number;
  failed: number;
}

/**
 * Queues statements again whose message was lost, whose worker was killed, or whose attempt failed. Ends those that were not ready
 * a day after their creation. An error does not stop the other statements.
 *
 * @param deadline after this time, the sweep begins no further statement
 */
export async function sweepStatements(
  table: Table,
  clock: Clock = systemClock,
  deadline?: Date,
): Promise<SweptStatements> {
  const due = await table.queryPartition(statementsDuePartition, { consistent: true });
  const swept: SweptStatements = { ended: 0, queued: 0, failed: 0 };
  for (const { pk, sk } of due) {
    if (isPast(clock, deadline)) break;
    const { crbId, statementId } = parseStatementDueKey(sk);
    try {
      const done = await sweep(table, crbId, statementId, clock);
      if (done === "gone") await table.delete({ pk, sk });
      else if (done) swept[done]++;
    } catch (error) {
      swept.failed++;
      const cause = describeError(error);
      log.error("statement not swept", { crb_id: crbId, statement_id: statementId, error: cause });
    }
  }
  return swept;
}

async function sweep(
  table: Table,
  crbId: string,
  statementId: string,
  clock: Clock,
): Promise<"ended" | "queued" | "gone" | undefined> {
  const now = clock.now().getTime();
  const stored = await readStatement(table, crbId, statementId, clock.now());
  if (!stored || !isOpen(stored)) return "gone";
  if (stored.held_until > now) return undefined;
  const age = now - Date.parse(stored.created_date);
  if (age > maxAgeMs) {
    await endStatement(table, stored, "too_slow", clock);
    return "ended";
  }
  if (stored.status === "queued" && age < maxQueuedMs) return undefined;
  await requestStatementRun(stored);
  return "queued";
}
