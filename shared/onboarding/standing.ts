import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import type { CrbStatus } from "../api/enumerations.ts";
import { notFound } from "../api/errors.ts";
import { exists, type Item, itemId, type Table, unchanged } from "../table/client.ts";
import { toCrb } from "../table/crb.ts";
import { crbChange } from "../table/crbs.ts";
import { type Change, commit } from "../table/events/commit.ts";
import { answersKey, associationKey, crbKey } from "../table/keys.ts";
import { untilCommitted } from "../table/untilCommitted.ts";
import { type Clock, systemClock } from "../time/clock.ts";
import { type Answers, answersItem, toAnswers, versionsOfDocuments } from "./answers.ts";
import { type CrbMove, moveCrb } from "./crbStatus.ts";

/**
 * The answers of a CRB that has come to a status, with what they keep of that (contract 9.18): nothing of a review that
 * is not finished any more.
 *
 * @param by `client_id` of the caller; none when the operator moved it
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
  if (status === "bank_approved") return { review_date: date, ...(by && { reviewed_by: by }) };
  if (status === "bank_disconnected") return { disconnected_on: date };
  return {};
}

/**
 * Stores a CRB's status, against the version that was read; a CRB that has it already is only held to that version, and
 * to its association.
 *
 * @throws ServiceError "notFound" for a CRB whose association has ended
 */
export async function statusChange(table: Table, crbItem: Item, status: CrbStatus, now: Date): Promise<Change> {
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

/**
 * Moves a CRB by hand (contract 11.1), with the dates that its answers keep of it.
 *
 * @returns from where to where; without `to` when the move is not allowed; undefined when there is no such CRB
 */
export async function moveOnboarding(
  table: Table,
  crbId: string,
  move: CrbMove,
  clock: Clock = systemClock,
): Promise<{ from: CrbStatus; to?: CrbStatus } | undefined> {
  return untilCommitted(clock, async () => {
    const items = await table.batchGet([crbKey(crbId), answersKey(crbId)], { consistent: true });
    const crbItem = items.get(itemId(crbKey(crbId)));
    if (!crbItem) return undefined;
    const from = toCrb(crbItem).record.status;
    const to = moveCrb(from, move);
    if (!to) return { from };
    const now = clock.now();
    const read = items.get(itemId(answersKey(crbId)));
    const resumed = from === "bank_disconnected" && { disconnected_on: null };
    const changed = { last_updated: now.toISOString(), ...resumed };
    const { writes, events } = await statusChange(table, crbItem, to, now);
    const answers = read ? [answersWrite(table, read, answersAt({ ...toAnswers(read), ...changed }, to, now))] : [];
    await commit(table, { writes: [...writes, ...answers], events }, clock);
    return { from, to };
  });
}
