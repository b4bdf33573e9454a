import { isDeepStrictEqual } from "node:util";
import { type RecordKind, recordKinds } from "../../api/kinds.ts";
import { maxDelaySeconds } from "../../platform/queue/sendMessages.ts";
import { type Connection, isRejection, type PosFailure } from "../../pos/connector.ts";
import { findConnectedConnector } from "../../pos/findConnector.ts";
import { openSealed, readSealed, toConnection } from "../../pos/openConnection.ts";
import type { Table } from "../../store/client.ts";
import type { Crb } from "../../store/crb.ts";
import { readCrb } from "../../store/crbs.ts";
import { posTypeKey, replicationKey } from "../../store/keys/replication.ts";
import { advanceReplication } from "../../store/replicationDue.ts";
import { isRestoring } from "../../store/restoration.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { OutOfTimeError } from "../../time/deadline.ts";
import { isPaused } from "../statuses/crbStatus.ts";
import { tryAnnounceChanges } from "./announceChanges.ts";
import {
  attributeRejection,
  type CredentialOutcomes,
  type RejectionCause,
  recordCredentialOutcome,
} from "./credentialOutcomes.ts";
import { buildRejectionConditions, movePosConfig } from "./movePosConfig.ts";
import { giveTrialBack, type PosBreaker, passBreaker, reachedPos, recordReach } from "./posBreaker.ts";
import { type ReplicationResult, replicate } from "./replicate.ts";
import type { ReplicationMessage } from "./replicationMessage.ts";
import type { ReplicationState } from "./replicationState.ts";
import { requestReplication, requestReplications } from "./requestReplications.ts";
import { updateDerivedLists } from "./updateDerivedLists.ts";

export interface WorkOptions {
  /** after this time the run stops, and a new message continues it */
  deadline: Date;
  clock?: Clock;
  connectorOf?: typeof findConnectedConnector;
  /** the facts that the runs of a message share; each run reads its own if absent */
  facts?: ReturnType<typeof readRunFacts>;
  /** segment size of the list of records; tests use small segments */
  segmentSize?: number;
}

/** The result of a message. `rejection` is the cause of a confirmed rejection. */
export type WorkResult =
  | (ReplicationResult & { rejection?: RejectionCause | undefined })
  | { outcome: "notConnected" | "paused" | "restoring" }
  | { outcome: "posDown"; until: Date };

/** A run of one kind that a message requests. */
type RunRequest = Omit<ReplicationMessage, "kinds"> & { kind: RecordKind };

/** Reads what the runs of a CRB need to begin, with its credentials: never log or store the result. */
export async function readRunFacts(table: Table, crbId: string) {
  // The first run after the restoration reads everything.
  if (await isRestoring(table, crbId)) return { isRestoring: true, isAtRest: false };
  const crb = await readCrb(table, crbId);
  const isAtRest = crb !== undefined && isPaused(crb.record.status);
  const sealed = crb?.connection && !isAtRest ? await readSealed(table, crbId) : undefined;
  const connection = crb && !isAtRest ? await openSealed(crb, sealed) : undefined;
  const posType = connection && (((await table.get(posTypeKey(connection.posType))) ?? {}) as PosTypeFacts);
  return { isRestoring: false, isAtRest, crb, sealed, connection, posType };
}

type PosTypeFacts = CredentialOutcomes & PosBreaker;

/**
 * Runs the replication of one kind that a message of the replication queue requests. If the run does not finish, a new message
 * continues it. If the run fails, a retry is scheduled. The result also sets the status of the CRB's POS configuration, except
 * if the POS rejects several CRBs of a type: then the CRBs are not the cause.
 *
 * @returns `notConnected` if the connection has ended since the message was sent, or the records are uploaded; `paused` if the
 *   association is paused; `restoring` if the lists of the CRB are not rebuilt yet after a restore; `posDown` if the circuit breaker of the POS type prevented the run, with the time of the next attempt
 * @throws the error of the run, or of a later step; SQS then delivers the message again
 */
export async function replicateCrb(
  table: Table,
  { crb_id: crbId, kind, planned_at: plannedAt, full }: RunRequest,
  { deadline, clock = systemClock, connectorOf = findConnectedConnector, facts, ...options }: WorkOptions,
): Promise<WorkResult> {
  const read = await (facts ?? readRunFacts(table, crbId));
  if (read.isRestoring) return { outcome: "restoring" };
  const { crb, connection, isAtRest, posType = {} as PosTypeFacts } = read;
  const connector = connection && connectorOf(connection.posType);
  if (!crb || !connector) {
    if (crb) {
      // Announce the changes that a killed run has stored, and update the lists derived from them.
      await tryAnnounceChanges(table, crbId, kind, clock);
      if (kind === "inventory") await updateListsOrRequeue(table, crb, clock, deadline);
    }
    return { outcome: isAtRest ? "paused" : "notConnected" };
  }
  const passed = await passBreaker(table, connection.posType, posType, clock.now());
  if ("until" in passed) {
    // The planner has moved the due time already. Only a full read has no due time that stands for it.
    if (full) await requestReplication(crbId, [kind], { full, delaySeconds: secondsUntil(passed.until, clock) });
    else await advanceReplication(table, crbId, kind, passed.until);
    return { outcome: "posDown", ...passed };
  }
  const result = await replicate(table, connection, connector, kind, {
    deadline,
    plannedAt,
    isFullRead: full ?? false,
    isCurrent: () => isCurrent(table, crb, read.sealed),
    clock,
    ...options,
  });
  const isReached = reachedPos(result);
  if (isReached !== undefined)
    await recordReach(table, connection.posType, { ...posType, ...passed }, isReached, clock.now());
  else if (passed.claim) await giveTrialBack(table, connection.posType, posType, passed.claim);
  let rejection: RejectionCause | undefined;
  switch (result.outcome) {
    case "unfinished":
      await recordCredentialOutcome(table, connection, posType, "accepted", clock.now());
      // Send a new message instead of returning this one to the queue, because SQS limits the deliveries of one message.
      await requestReplication(crbId, [kind]);
      break;
    case "finished":
      await recordCredentialOutcome(table, connection, posType, "accepted", clock.now());
      if (await movePosConfig(table, crb, "succeed", clock)) await requeueRejectedKinds(table, crbId);
      break;
    case "failed":
      if (result.failure === "credentialsRefused")
        await recordCredentialOutcome(table, connection, posType, "refused", clock.now());
      rejection = await applyRejection(table, crb, connection, { ...result, kind }, clock);
      await scheduleRetry(table, { crbId, kind }, result.failure, result.retryAt, clock);
      break;
    case "lost":
      // If the run lost its lease because the connection has ended, no later run updates the derived lists. So update them
      // here.
      if (kind === "inventory") await updateListsOrRequeue(table, crb, clock, deadline);
      break;
    case "held":
      // The run that has the lease does not necessarily read everything, so request the full read again.
      if (full) await requestReplication(crbId, [kind], { full, delaySeconds: secondsUntil(result.until, clock) });
      break;
    case "early":
      // The worker of the failed run may have been killed before it applied the rejection.
      rejection = await applyRejection(table, crb, connection, { ...result, kind, failure: result.error }, clock);
  }
  return { ...result, ...(rejection && { rejection }) };
}

/** Updates the inventory of each location. At the deadline it requests a new inventory message, which continues the update. */
async function updateListsOrRequeue(table: Table, { record }: Crb, clock: Clock, deadline: Date): Promise<void> {
  try {
    await updateDerivedLists(table, { crbId: record.id, timezone: record.timezone }, clock, deadline);
  } catch (error) {
    if (!(error instanceof OutOfTimeError)) throw error;
    await requestReplication(record.id, ["inventory"]);
  }
}

/**
 * Sets the POS configuration of a CRB to Needs Attention if the POS rejects the CRB and the CRB is the cause. A single
 * rejection can be a fault of the POS, so a second attempt has to confirm it. Nothing changes if the CRB has new credentials by
 * now.
 *
 * @returns the cause; undefined if the POS did not reject the CRB, or a second attempt has not confirmed the rejection
 */
async function applyRejection(
  table: Table,
  crb: Crb,
  connection: Connection,
  { kind, failure, attempts, since }: { kind: RecordKind; failure: string | null; attempts: number; since: Date },
  clock: Clock,
): Promise<RejectionCause | undefined> {
  if (!isRejection(failure) || attempts < 2) return undefined;
  // Only a rejection of the credentials can have a cause outside the CRB. Other rejections, such as an unknown location,
  // concern only this CRB, and so does a rejection that a caller made a simulated POS return.
  const rejection =
    failure === "credentialsRefused" && !connection.sandbox
      ? await attributeRejection(table, connection, since, attempts)
      : "own";
  const stillTrue = () => buildRejectionConditions(table, { crbId: crb.record.id, kind, failure, attempts });
  if (rejection === "own") await movePosConfig(table, crb, "refuse", clock, stillTrue);
  return rejection;
}

/**
 * Whether a CRB still has the connection and the sealed credentials that were read. Decrypts nothing, because KMS charges
 * each decryption.
 */
async function isCurrent(table: Table, before: Crb, sealed: Uint8Array | undefined): Promise<boolean> {
  const consistent = { consistent: true };
  const crb = await readCrb(table, before.record.id, consistent);
  const present = [crb && targetOf(crb), await readSealed(table, before.record.id, consistent)];
  return isDeepStrictEqual(present, [targetOf(before), sealed]);
}

/** A connection without the controls of its simulated POS, which may change during a run. */
const targetOf = (crb: Crb) => {
  const { sandbox: _, ...target } = toConnection(crb, {}) ?? {};
  return target;
};

/**
 * Schedules the next run after the pause that follows a failure: a short pause by a delayed message, a longer pause by the due
 * time.
 */
async function scheduleRetry(
  table: Table,
  { crbId, kind }: { crbId: string; kind: RecordKind },
  failure: PosFailure,
  retryAt: Date,
  clock: Clock,
): Promise<void> {
  const delaySeconds = secondsUntil(retryAt, clock);
  if (failure === "limited" && delaySeconds <= maxDelaySeconds) {
    const message = { crb_id: crbId, kinds: [kind], planned_at: clock.now().toISOString() };
    await requestReplications([message], { delaySeconds });
  } else await advanceReplication(table, crbId, kind, retryAt);
}

/** Seconds until an instant. One second is added, because the clock of the receiving worker may be behind. */
function secondsUntil(instant: Date, clock: Clock): number {
  return Math.max(0, Math.ceil((instant.getTime() - clock.now().getTime()) / 1_000)) + 1;
}

/**
 * Requests replications of the kinds whose last run the POS rejected. The POS has just accepted the CRB, so it may accept these
 * kinds, too.
 */
async function requeueRejectedKinds(table: Table, crbId: string): Promise<void> {
  const items = await table.batchGet(
    recordKinds.map((kind) => replicationKey(crbId, kind)),
    { consistent: true, attributes: ["error"] },
  );
  const refused = [...items.values()].filter((item) => isRejection((item as unknown as ReplicationState).error));
  const kinds = recordKinds.filter((kind) => refused.some(({ sk }) => sk === replicationKey(crbId, kind).sk));
  if (kinds.length > 0) await requestReplication(crbId, kinds);
}
