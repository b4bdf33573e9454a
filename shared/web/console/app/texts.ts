import type { CrbStatus, PersonRole, PosConnectionStatus } from "../../../api/enumerations.ts";
import { failureMessage } from "../../browser/failureMessage.ts";
import { Rejection } from "../../browser/failures.ts";

// The words of the console for values of the API: each value has the same words everywhere.

export const roleNames: Readonly<Record<PersonRole, string>> = {
  viewer: "Viewer",
  reviewer: "Reviewer",
  administrator: "Administrator",
};

/** The kind of a mark: a decision is due or a rule is broken, a look is advisable, all is well, or nothing is known. */
export type Mark = "act" | "look" | "wait" | "good" | "idle";

/** The state of something, as a mark and words. */
export type StateWords = readonly [mark: Mark, words: string];

/** Due-diligence statuses of a business. */
const crbStates: Readonly<Record<CrbStatus, StateWords>> = {
  svc_pending: ["idle", "Invited"],
  svc_in_progress: ["idle", "In onboarding"],
  svc_awaiting_review: ["wait", "Operator reviews"],
  svc_approved: ["good", "Approved by the operator"],
  bank_pending: ["idle", "No document yet"],
  bank_in_progress: ["idle", "Documents missing"],
  bank_awaiting_review: ["wait", "Documents wait"],
  bank_review_in_progress: ["wait", "Documents in review"],
  bank_approved: ["good", "Approved"],
  bank_disconnected: ["idle", "Paused"],
};

/** Connections to a point of sale. */
const connectionStates: Readonly<Record<PosConnectionStatus, StateWords>> = {
  Connected: ["good", "Connected"],
  Pending: ["wait", "Not read yet"],
  "Needs Attention": ["look", "Needs attention"],
  "Not Connected": ["idle", "Not connected"],
};

/** The words of a state. A value that a newer service added is shown as it is. */
const wordsIn =
  (states: Readonly<Record<string, StateWords>>) =>
  (value: string): StateWords =>
    Object.hasOwn(states, value) ? (states[value] as StateWords) : ["idle", value];

export const crbState = wordsIn(crbStates);
export const connectionState = wordsIn(connectionStates);

/** The message of a failed call, with what to do. @param support the support address */
export function explainFailure(failure: unknown, role: PersonRole, support: string): string {
  if (failure instanceof Rejection) {
    const { status, code } = failure;
    if (code === "role_missing" || code === "scope_missing")
      return `Your role, ${roleNames[role].toLowerCase()}, does not include this. Roles come from your bank’s own accounts; the person who manages them can change yours.`;
    if (status === 404)
      return "This does not exist, or your bank’s access to this business has ended. Go back to the portfolio.";
    if (status === 409) return `${failure.message} Load the page again to see the present state.`;
    if (status === 422 || status === 403) return failure.message;
  }
  return failureMessage(failure, support);
}
