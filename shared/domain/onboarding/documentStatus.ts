import type { RequirementDocumentStatus } from "../../api/enumerations.ts";

/** The status transitions of a document in review (docs/spec.md#review-and-deletion). */
const moves: Record<RequirementDocumentStatus, readonly RequirementDocumentStatus[]> = {
  pending: ["approved", "archived"],
  approved: ["pending", "archived"],
  archived: ["pending"],
};

/** Whether a transition is allowed. A transition to the present status is always allowed and changes nothing. */
export const mayMove = (from: RequirementDocumentStatus, to: RequirementDocumentStatus): boolean =>
  from === to || moves[from].includes(to);
