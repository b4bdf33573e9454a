import type { RequirementDocumentStatus, RequirementStatus } from "../../api/enumerations.ts";

/** Only active documents count: neither deleted nor archived (docs/spec.md#crb-status-after-a-document-operation). */
export const isActive = (status: RequirementDocumentStatus): boolean => status !== "archived";

/**
 * Computes the status of a requirement (docs/spec.md#requirement-status).
 *
 * @param documents statuses of its documents, without deleted ones
 */
export function requirementStatus(documents: readonly RequirementDocumentStatus[]): RequirementStatus {
  const live = documents.filter(isActive);
  if (live.length === 0) return "not_started";
  return live.every((status) => status === "approved") ? "approved" : "pending";
}
