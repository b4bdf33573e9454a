import type { CrbStatus, RequirementDocumentStatus } from "../../api/enumerations.ts";
import { crbStatuses } from "../../api/enumerations.ts";
import { isActive, requirementStatus } from "./requirementStatus.ts";

const connected = crbStatuses.filter((status) => status !== "bank_disconnected");

/** The status changes that the CRB or the operator requests; all others are rejected (docs/spec.md#crb-status). */
const moves = {
  start: { from: ["svc_pending"], to: "svc_in_progress" },
  submit: { from: ["svc_in_progress"], to: "svc_awaiting_review" },
  withdraw: { from: ["svc_awaiting_review"], to: "svc_in_progress" },
  sendBack: { from: ["svc_awaiting_review"], to: "svc_in_progress" },
  approve: { from: ["svc_awaiting_review"], to: "svc_approved" },
  pause: { from: connected, to: "bank_disconnected" },
  resume: { from: ["bank_disconnected"], to: "bank_pending" },
} as const satisfies Record<string, { from: readonly CrbStatus[]; to: CrbStatus }>;

export type CrbMove = keyof typeof moves;

export const crbMoves = Object.keys(moves) as CrbMove[];

/** The CRB's status after a move; undefined if its present status does not allow the move. */
export function moveCrb(status: CrbStatus, move: CrbMove): CrbStatus | undefined {
  const { from, to }: { from: readonly CrbStatus[]; to: CrbStatus } = moves[move];
  return from.includes(status) ? to : undefined;
}

/** Whether the association of a CRB in this status is paused; its replication is then paused too. */
export function isPaused(status: CrbStatus): boolean {
  return status === moves.pause.to;
}

/** The part of a requirement that affects the CRB's status. */
export interface RequirementDocuments {
  required: boolean;
  archived: boolean;
  /** Statuses of its documents, without deleted ones. */
  documents: readonly RequirementDocumentStatus[];
}

/** Documents do not change these statuses: the operator has not finished the onboarding, or the CRB is paused. */
const unaffectedStatuses: readonly CrbStatus[] = [
  "svc_pending",
  "svc_in_progress",
  "svc_awaiting_review",
  "bank_disconnected",
];

/**
 * The CRB's status after a document was added, changed or deleted
 * (docs/spec.md#crb-status-after-a-document-operation).
 */
export function statusAfterDocuments(present: CrbStatus, requirements: readonly RequirementDocuments[]): CrbStatus {
  if (unaffectedStatuses.includes(present)) return present;
  const holdingLive = requirements.filter(({ documents }) => documents.some(isActive));
  if (holdingLive.length === 0) return "bank_pending";
  const requiredLive = requirements.filter(({ required, archived }) => required && !archived);
  const counted = requiredLive.length > 0 ? requiredLive : holdingLive;
  if (counted.some((requirement) => !holdingLive.includes(requirement))) return "bank_in_progress";
  if (counted.every(({ documents }) => requirementStatus(documents) === "approved")) return "bank_approved";
  const someApproved = requirements.some(({ documents }) => documents.includes("approved"));
  return someApproved ? "bank_review_in_progress" : "bank_awaiting_review";
}
