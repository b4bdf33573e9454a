import type { RequirementDocumentStatus, RequirementStatus } from "../../api/enumerations.ts";

/** Live are the documents that count: neither deleted nor archived (contract 11.1). */
export const isLive = (status: RequirementDocumentStatus): boolean => status !== "archived";

/**
 * Where a requirement stands (contract 11.4).
 *
 * @param documents statuses of its documents, without deleted ones
 */
export function requirementStatus(documents: readonly RequirementDocumentStatus[]): RequirementStatus {
  const live = documents.filter(isLive);
  if (live.length === 0) return "not_started";
  return live.every((status) => status === "approved") ? "approved" : "pending";
}
