import type { RequirementDocumentStatus } from "../../api/enumerations.ts";

/** The moves of a requirement document that its review may make (docs/spec.md#review-and-deletion). */
const moves: Record<RequirementDocumentStatus, readonly RequirementDocumentStatus[]> = {
  pending: ["approved", "archived"],
  approved: ["pending", "archived"],
  archived: ["pending"],
};

/** Whether a document may go from one status to another; to the same one it always may, and nothing changes. */
export const mayMove = (from: RequirementDocumentStatus, to: RequirementDocumentStatus): boolean =>
  from === to || moves[from].includes(to);
