import { BatchProcessor, EventType, processPartialResponse } from "@aws-lambda-powertools/batch";
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import { describeError, log } from "../../shared/api/log.ts";
import { openConnection } from "../../shared/pos/connectionOf.ts";
import { findConnector } from "../../shared/pos/connectors.ts";
import { replicationMessage } from "../../shared/replication/message.ts";
import { failureCode, type ReplicationResult, replicate } from "../../shared/replication/replicate.ts";
import { serviceTable } from "../../shared/table/client.ts";
import { readCrb } from "../../shared/table/crbs.ts";
import type { RecordKind } from "../../shared/table/keys.ts";

/** A run stops this long before the function would be ended, so that its last page can still be written and saved. */
const reserveMilliseconds = 60_000;

/**
 * Works off messages of the replication queue. A message that failed is named in the answer and comes again by itself;
 * so does one whose run the function's time was too short for, which then goes on where it stopped.
 */
export async function handler(event: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  const deadline = new Date(Date.now() + context.getRemainingTimeInMillis() - reserveMilliseconds);
  return processPartialResponse(
    event,
    (record: SQSRecord) => work(record, deadline),
    // One for each event: a processor keeps the batch it is at.
    new BatchProcessor(EventType.SQS),
    { throwOnFullBatchFailure: false },
  );
}

async function work(record: SQSRecord, deadline: Date): Promise<void> {
  const started = performance.now();
  const facts: Record<string, unknown> = { message_id: record.messageId };
  let result: ReplicationResult | { outcome: "notConnected" };
  try {
    const { crb_id, kind } = replicationMessage.parse(JSON.parse(record.body));
    Object.assign(facts, { crb_id, kind });
    result = await replicateBusiness(crb_id, kind, deadline);
  } catch (error) {
    log.error("replication failed", { ...facts, code: failureCode(error), error: describeError(error) });
    throw error;
  }
  log.info("replication", { ...facts, ...result, duration_ms: Math.round(performance.now() - started) });
  if (result.outcome === "unfinished") {
    throw new Error("the run is not finished");
  }
}

async function replicateBusiness(crbId: string, kind: RecordKind, deadline: Date) {
  const table = serviceTable();
  const crb = await readCrb(table, crbId);
  const connection = crb && (await openConnection(table, crb));
  const connector = connection && findConnector(connection.posType);
  if (!connector) {
    // A message may be older than the end of a connection: there is nothing to do, now or later.
    return { outcome: "notConnected" as const };
  }
  return replicate(table, connection, connector, kind, { deadline });
}
