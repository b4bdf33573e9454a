import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import type { CrbStatus } from "../../api/enumerations.ts";
import { conflict, notFound } from "../../api/errors.ts";
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
import { type CrbMove, moveCrb } from "../statuses/crbStatus.ts";
import { type Answers, answersItem, toAnswers, versionsOfDocuments } from "./answers.ts";

/**
 * The answers of a CRB that has come to a status, with what they keep of that (docs/spec.md#templates-and-answers): nothing of a review that
 * is not finished any more.
 *
 * @param by `client_id` of the caller; none when the operator moved it, or an invited user took a document back
 */
export function answersAt(answers: Answers, status: CrbStatus, now: Date, by?: string): Answers {
  const { reviewed_by, review_date, ...unreviewed } = answers;
  const isReviewed = status === "bank_approved" || status === "bank_disconnected" || status.startsWith("svc_");
  return { ...(isReviewed ? answers : unreviewed), ...datesOf(status, now, by) };
}

function datesOf(status: CrbStatus, now: Date, by?: string): Partial<Answers> {
  const date = now.toISOString();
  if (status.endsWith("_awaiting_review")) return { submitted_date: date, ...(by && { submitted_by: by }) };
  if (status === "bank_review_in_progress") return { review_start_date: date };
  // Nobody has reviewed anything where invited users took back what was still to be reviewed.
  if (status === "bank_approved") return by ? { review_date: date, reviewed_by: by } : {};
  if (status === "bank_disconnected") return { disconnected_on: date };
  return {};
}

/**
 * Stores a CRB's status, against the version that was read; a CRB that has it already is only held to that version, and
 * to its association.
 *
 * @throws ServiceError "notFound" for a CRB whose association has ended
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
  if (!(await table.get(association, { consistent: true }))) throw notFound();
  const checks = [
    table.checkWrite(crbKey(crb.record.id), unchanged("version", crbItem.version)),
    table.checkWrite(association, exists),
  ];
  return { writes: checks, events: [] };
}

/**
 * Stores answers, against the version that was read.
 *
 * @param documents the sum of their documents' versions, where one of them changes along
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

/** What is to become of a CRB, and what else is stored with it or not at all. */
export interface OnboardingStatusChange {
  crb: Crb;
  writes?: readonly TransactWriteItem[];
  events?: readonly NewEvent[];
}

/** A CRB as a change of its standing finds it. */
export interface OnboardingStatus {
  crb: Crb;
  /** Its answers as stored; absent where it has none. */
  answersItem: Item | undefined;
  now: Date;
  /** Whether this is the last try. */
  isLast: boolean;
}

/**
 * Changes how a CRB stands; the dates that its answers keep of its status (docs/spec.md#templates-and-answers) go along.
 *
 * @param change is given the CRB as stored, and again when somebody else changed it in between; undefined leaves it
 * @param by who changes it, where that is no operator
 * @returns the CRB before and after; undefined where there is no such CRB
 * @throws ServiceError "notFound" for a CRB whose association has ended; what `change` throws
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
        {
          writes: [...writes, ...moved, ...(planned.writes ?? [])],
          events: [...(planned.events ?? []), ...events],
        },
        clock,
      );
      return { before, after: planned.crb };
    },
    crbRetryOptions,
  );
}

/**
 * Whether the consent of its users is missing for its approval (docs/spec.md#consent): they were invited, and no POS credentials came
 * with the creation. A CRB that is older than consent does not say so; one of them that never had a POS came without.
 */
async function awaitsConsent(table: Table, { consent, needsConsent, record }: Crb): Promise<boolean> {
  if (consent) return false;
  if (needsConsent || record.pos_configs.length > 0) return needsConsent ?? false;
  return (await readInvitations(table, record.id)).length > 0;
}

/**
 * Moves a CRB by hand (docs/spec.md#crb-status).
 *
 * @returns from where to where; without `to` when the move is not allowed; undefined when there is no such CRB
 * @throws ServiceError "conflict" for an approval that the consent of the CRB's users is missing for
 */
export async function moveOnboarding(
  table: Table,
  crbId: string,
  move: CrbMove,
  clock: Clock = systemClock,
): Promise<{ from: CrbStatus; to?: CrbStatus } | undefined> {
  const change = async ({ crb }: OnboardingStatus) => {
    const to = moveCrb(crb.record.status, move);
    if (to && move === "approve" && (await awaitsConsent(table, crb))) {
      throw conflict("None of its users has given consent, or it was withdrawn.");
    }
    return to && { crb: { ...crb, record: { ...crb.record, status: to } } };
  };
  const changed = await changeOnboardingStatus(table, crbId, change, clock);
  if (!changed) return undefined;
  const [from, to] = [changed.before.record.status, changed.after.record.status];
  return changed.before === changed.after ? { from } : { from, to };
}
