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
  /** after this a run is left to the next */
  deadline: Date;
  clock?: Clock;
  connectorOf?: typeof findConnectedConnector;
  /** of the list of records; tests have small ones */
  segmentSize?: number;
}

/** What a run's end tells, and of one that was refused for good whose fault that is. */
export type WorkResult =
  | (ReplicationResult & { rejection?: RejectionCause | undefined })
  | { outcome: "notConnected" | "paused" };

/**
 * Does what a message asks for, and sees to what follows from it: that a run goes on which the time was too short for,
 * that one which failed is tried again, and that the CRB's POS configuration shows whether its POS lets it in.
 *
 * Where all of a POS type are refused, it is what they have in common, and no configuration changes.
 *
 * @returns `notConnected` if the connection has ended since the message was sent, or the records are uploaded; `paused` if
 * the association is paused
 * @throws what made the run impossible, or its follow-up: then the message must come again
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
      // What a run has stored that was killed is there to be read.
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
      // A message of its own, since this one would have been received once more.
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
      // Nobody may go on with it, where the connection has ended.
      if (kind === "inventory") await updateListsOrRequeue(table, crb, clock, deadline);
      break;
    case "held":
      // The run that is under way does not read everything.
      if (full) await requestReplication(crbId, [kind], { full, delaySeconds: secondsUntil(result.until, clock) });
      break;
    case "early":
      // The run that failed may have ended before it could say so.
      rejection = await applyRejection(table, crb, connection, { ...result, kind, failure: result.error }, clock);
  }
  return { ...result, ...(rejection && { rejection }) };
}

/** Brings the locations up to date with what runs have left; what the time is too short for, by another message. */
async function updateListsOrRequeue(table: Table, { record }: Crb, clock: Clock, deadline: Date): Promise<void> {
  try {
    await updateDerivedLists(table, { crbId: record.id, timezone: record.timezone }, clock, deadline);
  } catch (error) {
    if (!(error instanceof OutOfTimeError)) throw error;
    await requestReplication(record.id, ["inventory"]);
  }
}

/**
 * Has a CRB need attention that is refused by its own fault. One refusal may be a whim of the POS: it counts once another
 * attempt has confirmed it; and for nothing once other credentials were entered.
 *
 * @param failed.failure what the run failed with
 * @returns whose fault it is; undefined where nothing is refused, or not confirmed
 */
async function applyRejection(
  table: Table,
  crb: Crb,
  connection: Connection,
  { kind, failure, attempts, since }: { kind: RecordKind; failure: string | null; attempts: number; since: Date },
  clock: Clock,
): Promise<RejectionCause | undefined> {
  if (!isRejection(failure) || attempts < 2) return undefined;
  // A location is nobody else's.
  const rejection =
    failure === "credentialsRefused" ? await attributeRejection(table, connection, since, attempts) : "own";
  const stillTrue = () => buildRejectionConditions(table, { crbId: crb.record.id, kind, failure, attempts });
  if (rejection === "own") await movePosConfig(table, crb, "refuse", clock, stillTrue);
  return rejection;
}

/** Whether a CRB is still connected in this way: it may have been connected otherwise since that was read. */
async function isCurrent(table: Table, crbId: string, connection: Connection): Promise<boolean> {
  const consistent = { consistent: true };
  const crb = await readCrb(table, crbId, consistent);
  return isDeepStrictEqual(crb && (await openConnection(table, crb, consistent)), connection);
}

/** Asks for a run after its pause: soon ones by a message that is held back, others by the schedule. */
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

/** A second more: the clock of whoever receives it may be behind. */
function secondsUntil(instant: Date, clock: Clock): number {
  return Math.max(0, Math.ceil((instant.getTime() - clock.now().getTime()) / 1_000)) + 1;
}

/** Asks at once for what the POS refused before: it may let the CRB in again. */
async function requeueRejectedKinds(table: Table, crbId: string): Promise<void> {
  const items = await table.batchGet(
    recordKinds.map((kind) => replicationKey(crbId, kind)),
    { consistent: true, attributes: ["error"] },
  );
  const refused = [...items.values()].filter((item) => isRejection((item as unknown as ReplicationState).error));
  const kinds = recordKinds.filter((kind) => refused.some(({ sk }) => sk === replicationKey(crbId, kind).sk));
  if (kinds.length > 0) await requestReplication(crbId, kinds);
}
