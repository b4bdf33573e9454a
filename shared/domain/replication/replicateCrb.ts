import { isDeepStrictEqual } from "node:util";
import { type RecordKind, recordKinds } from "../../api/kinds.ts";
import { maxDelaySeconds } from "../../platform/queue/sendMessages.ts";
import { type Connection, isRejection, type PosFailure } from "../../pos/connector.ts";
import { findConnectedConnector } from "../../pos/findConnector.ts";
import { openConnection } from "../../pos/openConnection.ts";
import type { Table } from "../../store/client.ts";
import type { Crb } from "../../store/crb.ts";
import { readCrb } from "../../store/crbs.ts";
import { replicationKey } from "../../store/keys/replication.ts";
import { advanceReplication } from "../../store/replicationDue.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { OutOfTimeError } from "../../time/deadline.ts";
import { isPaused } from "../statuses/crbStatus.ts";
import { tryAnnounceChanges } from "./announceChanges.ts";
import { attributeRejection, type RejectionCause, recordCredentialOutcome } from "./credentialOutcomes.ts";
import { buildRejectionConditions, movePosConfig } from "./movePosConfig.ts";
import { type ReplicationResult, replicate } from "./replicate.ts";
import type { ReplicationMessage } from "./replicationMessage.ts";
import type { ReplicationState } from "./replicationState.ts";
import { requestReplication, requestReplications } from "./requestReplications.ts";
import { updateDerivedLists } from "./updateDerivedLists.ts";

export interface WorkOptions {
  /** a run stops after this, and a message continues it */
  deadline: Date;
  clock?: Clock;
  connectorOf?: typeof findConnectedConnector;
  /** of the list of records; tests use small segments */
  segmentSize?: number;
}

/** The result of a run; for confirmed rejections with their cause. */
export type WorkResult =
  | (ReplicationResult & { rejection?: RejectionCause | undefined })
  | { outcome: "notConnected" | "paused" };

/**
 * Processes a message of the replication queue. It continues an unfinished run by another message, schedules the retry of a
 * failed one, and sets the status of the CRB's POS configuration.
 *
 * If the POS rejects all CRBs of a type, the cause is common to them, and no configuration changes.
 *
 * @returns `notConnected` if the connection has ended since the message was sent, or the records are uploaded; `paused` if
 *   the association is paused
 * @throws the failure of the run or of its follow-up; SQS then delivers the message again
 */
export async function replicateCrb(
  table: Table,
  { crb_id: crbId, kind, planned_at: plannedAt, full }: ReplicationMessage,
  { deadline, clock = systemClock, connectorOf = findConnectedConnector, ...options }: WorkOptions,
): Promise<WorkResult> {
  const crb = await readCrb(table, crbId);
  const isAtRest = crb && isPaused(crb.record.status);
  const connection = crb && !isAtRest && (await openConnection(table, crb));
  const connector = connection && connectorOf(connection.posType);
  if (!connector) {
    if (crb) {
      // Announce and derive what a killed run stored.
      await tryAnnounceChanges(table, crbId, kind, clock);
      if (kind === "inventory") await updateListsOrRequeue(table, crb, clock, deadline);
    }
    return { outcome: isAtRest ? "paused" : "notConnected" };
  }
  const result = await replicate(table, connection, connector, kind, {
    deadline,
    plannedAt,
    isFullRead: full ?? false,
    isCurrent: () => isCurrent(table, crbId, connection),
    clock,
    ...options,
  });
  let rejection: RejectionCause | undefined;
  switch (result.outcome) {
    case "unfinished":
      await recordCredentialOutcome(table, connection, "accepted", clock.now());
      // A new message, because repeated deliveries of this one are limited.
      await requestReplication(crbId, [kind]);
      break;
    case "finished":
      await recordCredentialOutcome(table, connection, "accepted", clock.now());
      if (await movePosConfig(table, crb, "succeed", clock)) await requeueRejectedKinds(table, crbId);
      break;
    case "failed":
      if (result.failure === "credentialsRefused")
        await recordCredentialOutcome(table, connection, "refused", clock.now());
      rejection = await applyRejection(table, crb, connection, { ...result, kind }, clock);
      await scheduleRetry(table, { crb_id: crbId, kind }, result.failure, result.retryAt, clock);
      break;
    case "lost":
      // If the connection has ended, no other run finishes the derived lists.
      if (kind === "inventory") await updateListsOrRequeue(table, crb, clock, deadline);
      break;
    case "held":
      // The present run does not read everything.
      if (full) await requestReplication(crbId, [kind], { full, delaySeconds: secondsUntil(result.until, clock) });
      break;
    case "early":
      // The failed run may have ended before it could record this.
      rejection = await applyRejection(table, crb, connection, { ...result, kind, failure: result.error }, clock);
  }
  return { ...result, ...(rejection && { rejection }) };
}

/** Updates the inventory of each location; at the deadline it sends a message to continue. */
async function updateListsOrRequeue(table: Table, { record }: Crb, clock: Clock, deadline: Date): Promise<void> {
  try {
    await updateDerivedLists(table, { crbId: record.id, timezone: record.timezone }, clock, deadline);
  } catch (error) {
    if (!(error instanceof OutOfTimeError)) throw error;
    await requestReplication(record.id, ["inventory"]);
  }
}

/**
 * Sets a CRB to Needs Attention if the POS rejects it through its own fault. A single rejection can be a mistake of the POS,
 * so a second attempt has to confirm it. Newer credentials end it.
 *
 * @param failed.failure the failure of the run
 * @returns the cause; undefined if nothing was rejected, or not confirmed
 */
async function applyRejection(
  table: Table,
  crb: Crb,
  connection: Connection,
  { kind, failure, attempts, since }: { kind: RecordKind; failure: string | null; attempts: number; since: Date },
  clock: Clock,
): Promise<RejectionCause | undefined> {
  if (!isRejection(failure) || attempts < 2) return undefined;
  // A rejected location concerns only this CRB.
  const rejection =
    failure === "credentialsRefused" ? await attributeRejection(table, connection, since, attempts) : "own";
  const stillTrue = () => buildRejectionConditions(table, { crbId: crb.record.id, kind, failure, attempts });
  if (rejection === "own") await movePosConfig(table, crb, "refuse", clock, stillTrue);
  return rejection;
}

/** Whether a CRB still has this connection. */
async function isCurrent(table: Table, crbId: string, connection: Connection): Promise<boolean> {
  const consistent = { consistent: true };
  const crb = await readCrb(table, crbId, consistent);
  return isDeepStrictEqual(crb && (await openConnection(table, crb, consistent)), connection);
}

/** Schedules a run after its pause: by a delayed message if it is short, else by the due time. */
async function scheduleRetry(
  table: Table,
  { crb_id, kind }: ReplicationMessage,
  failure: PosFailure,
  retryAt: Date,
  clock: Clock,
): Promise<void> {
  const delaySeconds = secondsUntil(retryAt, clock);
  if (failure === "limited" && delaySeconds <= maxDelaySeconds) {
    await requestReplications([{ crb_id, kind, planned_at: clock.now().toISOString() }], { delaySeconds });
  } else await advanceReplication(table, crb_id, kind, retryAt);
}

/** One second more, because the receiver's clock may be behind. */
function secondsUntil(instant: Date, clock: Clock): number {
  return Math.max(0, Math.ceil((instant.getTime() - clock.now().getTime()) / 1_000)) + 1;
}

/** Requests the kinds that the POS rejected before: it may accept the CRB again. */
async function requeueRejectedKinds(table: Table, crbId: string): Promise<void> {
  const items = await table.batchGet(
    recordKinds.map((kind) => replicationKey(crbId, kind)),
    { consistent: true, attributes: ["error"] },
  );
  const refused = [...items.values()].filter((item) => isRejection((item as unknown as ReplicationState).error));
  const kinds = recordKinds.filter((kind) => refused.some(({ sk }) => sk === replicationKey(crbId, kind).sk));
  if (kinds.length > 0) await requestReplication(crbId, kinds);
}
