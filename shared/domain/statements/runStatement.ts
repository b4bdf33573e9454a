import { describeError, log } from "../../platform/aws/log.ts";
import type { Table } from "../../store/client.ts";
import { readCrb } from "../../store/crbs.ts";
import { isRestoring } from "../../store/restoration.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import type { AccessLogStore } from "../accessLog/accessLines.ts";
import type { Bucket } from "../documents/bucket.ts";
import { statementPrefix } from "../documents/objectPrefixes.ts";
import type { Intervals } from "../replication/replicationIntervals.ts";
import { collectStatement } from "./collectStatement.ts";
import { compareStatements } from "./compareStatements.ts";
import { endStatement } from "./endStatement.ts";
import { renderStatement } from "./renderStatement.ts";
import type { StatementComparison, StatementContent } from "./statementContent.ts";
import {
  AssociationEndedError,
  changeStatement,
  isOpen,
  readStatement,
  StatementChangedError,
  type StoredFile,
  type StoredStatement,
} from "./storedStatement.ts";

export interface StatementStores {
  table: Table;
  bucket: Bucket;
  accessLog: AccessLogStore;
}

/** Maximum number of attempts that fail, or whose worker is killed. */
const maxAttempts = 5;

/** Milliseconds until the attempt after a failure, for each attempt so far. */
const retryMs = 60_000;

/** Milliseconds after the worker's deadline until another worker may make its statement. */
const leaseMarginMs = 120_000;

/**
 * The result of a run. `retries`: the attempt failed, and the sweeper starts another one. `waits`: the CRB is restored. `skipped`:
 * the statement is made already, or another worker makes it.
 */
export type StatementOutcome = "ready" | "retries" | "failed" | "waits" | "skipped";

/**
 * Makes a statement: reads the content as of now, stores the files, keeps the digest in the locked store, and then stores the
 * statement as ready, in one transaction with its event. Every attempt has keys of its own, so a killed worker changes nothing, and
 * only one attempt becomes the statement.
 *
 * @param options.deadline the access log is not read any longer
 * @throws ServiceError "unavailable" if not even a failure can be stored
 */
export async function runStatement(
  stores: StatementStores,
  { crb_id: crbId, statement_id: id }: { crb_id: string; statement_id: string },
  { clock = systemClock, ...options }: { deadline: Date; clock?: Clock; intervals: Intervals },
): Promise<StatementOutcome> {
  const { table } = stores;
  const stored = await readStatement(table, crbId, id, clock.now());
  if (!stored || !isOpen(stored) || stored.held_until > clock.now().getTime()) return "skipped";
  // The sweeper sends another message.
  if (await isRestoring(table, crbId)) return "waits";
  if (stored.attempts >= maxAttempts) {
    // The worker of the last attempt was killed.
    await endStatement(table, stored, "unexpected", clock);
    return "failed";
  }
  let running = stored;
  try {
    running = await changeStatement(
      table,
      stored,
      { status: "running", attempts: stored.attempts + 1, held_until: options.deadline.getTime() + leaseMarginMs },
      clock,
    );
    return await make(stores, running, { clock, ...options });
  } catch (error) {
    if (error instanceof StatementChangedError) return "skipped";
    // No caller can read it any more, so no other attempt follows.
    const isLast = error instanceof AssociationEndedError;
    if (!isLast) log.error("statement interrupted", { crb_id: crbId, statement_id: id, error: describeError(error) });
    return recordFailure(table, running, clock, isLast);
  }
}

async function make(
  stores: StatementStores,
  running: StoredStatement,
  options: { deadline: Date; clock: Clock; intervals: Intervals },
): Promise<StatementOutcome> {
  const { table, bucket, accessLog } = stores;
  const { crb_id: crbId, id, sp_id: spId, start_date, end_date, attempts } = running;
  const asOf = options.clock.now().toISOString();
  const crb = await readCrb(table, crbId, { consistent: true });
  if (!crb || crb.endedAt) throw new AssociationEndedError();
  const collected = await collectStatement(stores, { crb, start_date, end_date, asOf }, options);
  const content = { ...collected, comparison: await compare(stores, running, collected) };
  const files: StoredFile[] = [];
  for (const { name, type, bytes, sha256 } of renderStatement(content, running)) {
    const storage_key = `${statementPrefix(crbId)}${id}/${attempts}/${name}`;
    await bucket.storeBytes(storage_key, bytes, type);
    files.push({ name, bytes: bytes.length, sha256, storage_key });
  }
  const sha256 = files[0]?.sha256 ?? "";
  await accessLog.keepDigest({ id, sha256, date: asOf });
  const ready = { type: "statement.ready", spId, crbId, data: { statement_id: id, sha256 } } as const;
  const change = { status: "ready", as_of: asOf, sha256, files, held_until: 0 } as const;
  await changeStatement(table, running, change, options.clock, { events: [ready] });
  return "ready";
}

/** Compares the content with that of an earlier statement, if the statement was requested so. */
async function compare(
  { table, bucket }: StatementStores,
  { crb_id: crbId, compare_with: statement_id }: StoredStatement,
  content: StatementContent,
): Promise<StatementComparison | null> {
  if (statement_id === null) return null;
  const earlier = await readStatement(table, crbId, statement_id);
  const key = earlier?.files[0]?.storage_key;
  if (key === undefined) throw new Error(`The statement ${statement_id} has no files.`);
  const before = JSON.parse((await bucket.readBytes(key)).toString()) as StatementContent;
  return { statement_id, as_of: before.as_of, differences: compareStatements(before, content) };
}

/** Stores the failure of an attempt, or ends the statement after too many. */
async function recordFailure(
  table: Table,
  running: StoredStatement,
  clock: Clock,
  isLast: boolean,
): Promise<StatementOutcome> {
  try {
    if (isLast || running.attempts >= maxAttempts) {
      await endStatement(table, running, "unexpected", clock);
      return "failed";
    }
    const held_until = clock.now().getTime() + Math.max(1, running.attempts) * retryMs;
    await changeStatement(table, running, { held_until }, clock);
    return "retries";
  } catch (cause) {
    if (cause instanceof StatementChangedError) return "skipped";
    throw cause;
  }
}
