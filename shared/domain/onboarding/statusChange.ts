import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import type { CrbStatus } from "../../api/enumerations.ts";
import { conflict, notFound } from "../../api/errors.ts";
import type { PersonName } from "../../api/schemas/person.ts";
import { exists, type Item, itemId, type Table, unchanged } from "../../store/client.ts";
import { type Crb, toCrb } from "../../store/crb.ts";
import { crbChange, crbRetryOptions } from "../../store/crbs.ts";
import { type ChangeWithEvents, commitWithEvents } from "../../store/eventLog/commitWithEvents.ts";
import type { NewEvent } from "../../store/eventLog/newEvent.ts";
import { associationKey, crbKey } from "../../store/keys/crbs.ts";
import { answersKey } from "../../store/keys/onboarding.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { readInvitations } from "../invitations/invitations.ts";
import { noticeWrites } from "../invitations/sendNotices.ts";
import { type CrbMove, moveCrb } from "../statuses/crbStatus.ts";
import { type Answers, answersItem, toAnswers, versionsOfDocuments } from "./answers.ts";

/**
 * The answers of a CRB in its new status, with the dates that the status determines
 * (docs/spec.md#templates-and-answers). Drops the data of a review that is no longer complete.
 *
 * @param by `client_id` of the caller; undefined for the operator, and for an invited user who deletes a document
 * @param person the person who calls; null for a program or an invited user
 */
export function answersAt(
  answers: Answers,
  status: CrbStatus,
  now: Date,
  by?: string,
  person: PersonName | null = null,
): Answers {
  const { reviewed_by, reviewed_by_person, review_date, ...unreviewed } = answers;
  const isReviewed = status === "bank_approved" || status === "bank_disconnected" || status.startsWith("svc_");
  return { ...(isReviewed ? answers : unreviewed), ...datesOf(status, now, by, person) };
}

function datesOf(status: CrbStatus, now: Date, by: string | undefined, person: PersonName | null): Partial<Answers> {
  const date = now.toISOString();
  if (status.endsWith("_awaiting_review"))
    return { submitted_date: date, ...(by && { submitted_by: by, submitted_by_person: person }) };
  if (status === "bank_review_in_progress") return { review_start_date: date };
  // If invited users deleted the last document to review, there is no reviewer.
  if (status === "bank_approved") return by ? { review_date: date, reviewed_by: by, reviewed_by_person: person } : {};
  if (status === "bank_disconnected") return { disconnected_on: date };
  return {};
}

/**
 * Writes that store a CRB's status, conditional on the version that was read. If the status is unchanged, the writes
 * only check the version and the association.
 *
 * @throws ServiceError "notFound" if the association has ended
 */
export async function statusChange(
  table: Table,
  crbItem: Item,
  status: CrbStatus,
  now: Date,
): Promise<ChangeWithEvents> {
  const crb = toCrb(crbItem);
  if (crb.record.status !== status) {
    return crbChange(table, crbItem, { ...crb, record: { ...crb.record, status } }, now);
  }
  const association = associationKey(crb.serviceProviderId, crb.record.id);
  if (!(await table.get(association, { consistent: true }))) throw notFound("CRB");
  const checks = [
    table.checkWrite(crbKey(crb.record.id), unchanged("version", crbItem.version)),
    table.checkWrite(association, exists),
  ];
  return { writes: checks, events: [] };
}

/**
 * A write that stores answers, conditional on the version that was read.
 *
 * @param documents sum of the document versions, if the transaction also changes a document
 */
export function answersWrite(
  table: Table,
  read: Item,
  answers: Answers,
  documents = versionsOfDocuments(read),
): TransactWriteItem {
  const version = Number(read.version);
  return table.putWrite(answersItem(answers, version + 1, documents), unchanged("version", version));
}

/** The changed CRB, with other writes and events of the same transaction. */
export interface OnboardingStatusChange {
  crb: Crb;
  writes?: readonly TransactWriteItem[];
  events?: readonly NewEvent[];
}

/** A CRB as read for a change of its status. */
export interface OnboardingStatus {
  crb: Crb;
  /** The stored answers; undefined if the CRB has none. */
  answersItem: Item | undefined;
  now: Date;
  /** Whether this is the last attempt. */
  isLast: boolean;
}

/**
 * Changes a CRB and its status. Updates the dates in its answers that the status determines
 * (docs/spec.md#templates-and-answers).
 *
 * @param change returns the change of the stored CRB, or undefined for no change; called again after each conflict
 * @param by the actor; undefined for the operator
 * @returns the CRB before and after; undefined if it does not exist
 * @throws ServiceError "notFound" if the association has ended; errors of `change`
 */
export async function changeOnboardingStatus(
  table: Table,
  crbId: string,
  change: (
    standing: OnboardingStatus,
  ) => OnboardingStatusChange | undefined | Promise<OnboardingStatusChange | undefined>,
  clock: Clock = systemClock,
  by?: string,
): Promise<{ before: Crb; after: Crb } | undefined> {
  return retryOnConflict(
    clock,
    async (isLast) => {
      const items = await table.batchGet([crbKey(crbId), answersKey(crbId)], { consistent: true });
      const crbItem = items.get(itemId(crbKey(crbId)));
      if (!crbItem) return undefined;
      const before = toCrb(crbItem);
      const now = clock.now();
      const answersItem = items.get(itemId(answersKey(crbId)));
      const planned = await change({ crb: before, answersItem, now, isLast });
      if (!planned) return { before, after: before };
      const [from, to] = [before.record.status, planned.crb.record.status];
      const resumed = from === "bank_disconnected" && { disconnected_on: null };
      const answers = answersItem && { ...toAnswers(answersItem), last_updated: now.toISOString(), ...resumed };
      const { writes, events } = await crbChange(table, crbItem, planned.crb, now);
      const moved = answers && from !== to ? [answersWrite(table, answersItem, answersAt(answers, to, now, by))] : [];
      await commitWithEvents(
        table,
        { writes: [...writes, ...moved, ...(planned.writes ?? [])], events: [...(planned.events ?? []), ...events] },
        clock,
      );
      return { before, after: planned.crb };
    },
    crbRetryOptions,
  );
}

/**
 * Whether the approval of a CRB requires consent that is missing (docs/spec.md#consent): the CRB has invited users, and
 * was created without POS credentials. CRBs that were created before consent existed have no `needsConsent`. Such a CRB
 * was created without credentials if it has no POS configuration.
 */
async function awaitsConsent(table: Table, { consent, needsConsent, record }: Crb): Promise<boolean> {
  if (consent) return false;
  if (needsConsent || record.pos_configs.length > 0) return needsConsent ?? false;
  return (await readInvitations(table, record.id)).length > 0;
}

/**
 * Moves a CRB on behalf of the operator (docs/spec.md#crb-status).
 *
 * @returns the old and new status; without `to` if the move is not allowed; undefined if the CRB does not exist
 * @throws ServiceError "conflict" for an approval without the required consent of the CRB's users
 */
export async function moveOnboarding(
  table: Table,
  crbId: string,
  move: CrbMove,
  clock: Clock = systemClock,
): Promise<{ from: CrbStatus; to?: CrbStatus } | undefined> {
  const change = async ({ crb, now }: OnboardingStatus) => {
    const to = moveCrb(crb.record.status, move);
    if (to && move === "approve" && (await awaitsConsent(table, crb))) {
      throw conflict("consent_missing", "The business has not given consent, or has withdrawn it.");
    }
    const writes = move === "sendBack" ? noticeWrites(table, crbId, "documents", now) : [];
    return to && { crb: { ...crb, record: { ...crb.record, status: to } }, writes };
  };
  const changed = await changeOnboardingStatus(table, crbId, change, clock);
  if (!changed) return undefined;
  const [from, to] = [changed.before.record.status, changed.after.record.status];
  return changed.before === changed.after ? { from } : { from, to };
}
