import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { notFound } from "../../api/errors.ts";
import type { PersonName } from "../../api/schemas/person.ts";
import type { Requirement } from "../../api/schemas/requirement.ts";
import type { Table } from "../../store/client.ts";
import { commitWithEvents } from "../../store/eventLog/commitWithEvents.ts";
import type { NewEvent } from "../../store/eventLog/newEvent.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { documentToReviewWrite } from "../documents/documentsToReview.ts";
import { documentItem, type StoredDocument } from "../documents/storedDocument.ts";
import { statusAfterDocuments } from "../statuses/crbStatus.ts";
import { type AnsweredRequirement, type Answers, documentsOf, toRequirement } from "./answers.ts";

import { type Onboarding, readOnboarding, readOnboardingOnce } from "./readOnboarding.ts";
import { answersAt, answersWrite, statusChange } from "./statusChange.ts";

/** A requirement of a CRB's template, as read for a change. */
export interface RequirementView {
  requirement: AnsweredRequirement;
  /** Its documents that are not deleted, newest first. */
  documents: StoredDocument[];
  /** All documents of the CRB, including deleted ones. */
  ofCrb: readonly StoredDocument[];
  /** The time that all writes of the change use. */
  now: Date;
}

/** A document to add or change, and other writes for the same transaction. */
export interface DocumentChange {
  document: Omit<StoredDocument, "version">;
  alsoWrite: TransactWriteItem[];
}

/** @throws ServiceError "notFound" if the CRB's template has no such requirement */
export async function readRequirement(table: Table, crbId: string, requirementId: string): Promise<RequirementView> {
  return viewOf(await readOnboarding(table, crbId), requirementId, new Date());
}

/**
 * Changes a document of a requirement. One transaction stores the document, the answers and the CRB's status
 * (docs/spec.md#crb-status), and whether the document waits for review.
 *
 * @param by `client_id` of the caller; undefined for an invited user who deletes a document, because such a deletion is
 *   no review; `person`: the person who calls
 * @param change returns the change of the stored requirement, or undefined for no change; called again after each
 *   conflict. If it throws StaleReadError, the requirement is read again
 * @returns the requirement afterwards
 * @throws ServiceError "notFound" if the CRB's template has no such requirement, or its association has ended; errors
 *   of `change`
 */
export async function changeRequirement(
  table: Table,
  {
    crbId,
    requirementId,
    by,
    person,
  }: { crbId: string; requirementId: string; by?: string | undefined; person?: PersonName | null },
  change: (view: RequirementView) => DocumentChange | undefined | Promise<DocumentChange | undefined>,
  clock: Clock = systemClock,
): Promise<Requirement> {
  return retryOnConflict(clock, async (isLast) => {
    const onboarding = await readOnboardingOnce(table, crbId, isLast);
    const view = viewOf(onboarding, requirementId, clock.now());
    const changed = await change(view);
    if (!onboarding || !changed) return toRequirement(view.requirement, view.documents);
    const document = { ...changed.document, version: Number(onboarding.answersItem.version) + 1 };
    const others = onboarding.documents.filter(({ record }) => record.id !== document.record.id);
    const documents = [...others, document].sort((one, other) => (one.rank < other.rank ? 1 : -1));
    const versions = documents.reduce((sum, { version }) => sum + version, 0);
    const before = onboarding.crb.record.status;
    const status = statusAfterDocuments(before, computeRequirementStatuses(onboarding.answers, documents));
    const touched = dated(onboarding.answers, requirementId, view.now);
    const answers = status === before ? touched : answersAt(touched, status, view.now, by, person);
    const { writes, events } = await statusChange(table, onboarding.crbItem, status, view.now);
    const documentWrites = [
      answersWrite(table, onboarding.answersItem, answers, versions),
      table.putWrite(documentItem(document)),
      documentToReviewWrite(table, onboarding.crb.serviceProviderId, document),
      ...changed.alsoWrite,
    ];
    const allEvents = [...documentEvents(onboarding, document), ...events];
    await commitWithEvents(table, { writes: [...writes, ...documentWrites], events: allEvents }, clock);
    return toRequirement(viewOf({ ...onboarding, answers }, requirementId, view.now).requirement, documents);
  });
}

/** The events of an added or changed document (docs/spec.md#events). */
function documentEvents({ crb, documents }: Onboarding, { record, requirementId, review }: StoredDocument): NewEvent[] {
  const of = { spId: crb.serviceProviderId, crbId: crb.record.id };
  const data = { document_id: record.id, requirement_id: requirementId };
  const before = documents.find((document) => document.record.id === record.id);
  if (!before) return [{ type: "document.added", ...of, data }];
  if (record.deleted) return [{ type: "document.deleted", ...of, data }];
  const { status: from } = before.review;
  const moved = { ...data, from, to: review.status };
  return from === review.status ? [] : [{ type: "document.status.changed", ...of, data: moved }];
}

function viewOf(onboarding: Onboarding | undefined, requirementId: string, now: Date): RequirementView {
  const requirement = onboarding?.answers.requirements.find(({ requirement_id: id }) => id === requirementId);
  if (!onboarding || !requirement) throw notFound("requirement");
  const { documents } = onboarding;
  return { requirement, documents: documentsOf(requirement, documents), ofCrb: documents, now };
}

const computeRequirementStatuses = ({ requirements }: Answers, documents: readonly StoredDocument[]) =>
  requirements.map((requirement) => ({
    required: requirement.required ?? false,
    archived: requirement.archived ?? false,
    documents: documentsOf(requirement, documents).map(({ review }) => review.status),
  }));

/** The answers with their dates updated after a change to a requirement. */
function dated(answers: Answers, requirementId: string, now: Date): Answers {
  const date = now.toISOString();
  const requirements = answers.requirements.map((requirement) =>
    requirement.requirement_id === requirementId ? { ...requirement, date_updated: date } : requirement,
  );
  return { ...answers, requirements, last_updated: date, start_date: answers.start_date ?? date };
}
