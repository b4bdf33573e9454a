import type { RequirementDocumentStatus } from "../../api/enumerations.ts";
import { conflict, notFound } from "../../api/errors.ts";
import type { PersonName } from "../../api/schemas/person.ts";
import type { Requirement } from "../../api/schemas/requirement.ts";
import type { Table } from "../../store/client.ts";
import { requestNotices } from "../invitations/invitationQueue.ts";
import { noticeWrites } from "../invitations/sendNotices.ts";
import { changeRequirement } from "./changeRequirement.ts";
import { mayMove } from "./documentStatus.ts";

/**
 * Changes the review status of a document (docs/spec.md#review-and-deletion). A call with the present status changes
 * nothing.
 *
 * If a document of a required requirement is archived, the CRB's users get a notice by mail.
 *
 * @param by `client_id` of the reviewing credential
 * @param person the reviewing person; null for a program
 * @returns the requirement afterwards
 * @throws ServiceError "notFound" for an unknown requirement or document; "conflict" if the transition is not allowed
 */
export async function reviewDocument(
  table: Table,
  path: { crb_id: string; requirement_id: string; document_id: string },
  { status, review_note: note }: { status: RequirementDocumentStatus; review_note?: string | undefined },
  by: string,
  person: PersonName | null = null,
): Promise<Requirement> {
  const target = { crbId: path.crb_id, requirementId: path.requirement_id, by, person };
  let isRejected = false;
  const reviewed = await changeRequirement(table, target, ({ requirement, documents, now }) => {
    const document = documents.find(({ record }) => record.id === path.document_id);
    if (!document) throw notFound("document");
    const { status: from, reviewed_by, reviewed_by_person, review_date, review_note, ...earlier } = document.review;
    if (from === status) return undefined;
    if (!mayMove(from, status)) throw conflict("status_not_allowed", `A document cannot go from ${from} to ${status}.`);
    const review =
      status === "pending"
        ? {}
        : {
            reviewed_by: by,
            reviewed_by_person: person,
            review_date: now.toISOString(),
            ...(note !== undefined && { review_note: note }),
          };
    // The users have to replace a required document, so they get a notice.
    isRejected = status === "archived" && requirement.required === true;
    return {
      document: { ...document, review: { ...earlier, ...review, status } },
      alsoWrite: isRejected ? noticeWrites(table, path.crb_id, "documents", now) : [],
    };
  });
  if (isRejected) await requestNotices(path.crb_id);
  return reviewed;
}
