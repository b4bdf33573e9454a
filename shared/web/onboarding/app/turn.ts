import type { Onboarding } from "../../../api/schemas/onboarding.ts";
import type { Requirement, RequirementDocument } from "../../../api/schemas/requirement.ts";
import { formatShortDay } from "../../browser/formatDay.ts";

/** Who acts next. `pos` stands for a check of the POS connection. */
type Who = "visitor" | "pos" | "operator" | "provider" | "nobody" | "paused";

/** Whose turn it is, and what comes next. */
export interface Turn {
  who: Who;
  /** The turn in a few words, such as `Your turn: 2 documents.` */
  now: string;
  next: string;
}

/** The statuses before submission. */
const before: readonly Onboarding["status"][] = ["svc_pending", "svc_in_progress"];

export const isBeforeSubmission = ({ status }: Pick<Onboarding, "status">): boolean => before.includes(status);

/**
 * The documents of a requirement that were not accepted and not replaced yet. Only a document that was added after the
 * review replaces them: the reviewer knew the earlier ones.
 */
export function unreplaced({ archived, documents = [] }: Requirement): RequirementDocument[] {
  if (archived) return [];
  const isReplaced = ({ review_date, upload_date }: RequirementDocument) =>
    documents.some((other) => other.status !== "archived" && other.upload_date > (review_date ?? upload_date));
  return documents.filter((document) => document.status === "archived" && !isReplaced(document));
}

/** The requirements for which the visitor has to add a document. */
export const requirementsToDo = ({ requirements, missing }: Pick<Onboarding, "requirements" | "missing">) =>
  requirements.filter(
    (requirement) =>
      unreplaced(requirement).length > 0 ||
      missing.some(({ requirement_id: id }) => id !== undefined && id === requirement.requirement_id),
  );

/** What the visitor has to do before a review, in a few words for each step. */
function tasksOf(onboarding: Onboarding): string[] {
  const { consent, terms, pos, missing } = onboarding;
  const documents = requirementsToDo(onboarding).length;
  const lacksPos = missing.some(({ step }) => step === "pos_connection") && pos?.status !== "Pending";
  return [
    ...(consent ? [] : ["consent"]),
    ...(consent && consent.terms_version !== terms.version ? ["the changed terms"] : []),
    ...(lacksPos ? ["the point of sale"] : []),
    ...(documents > 0 ? [documents === 1 ? "1 document" : `${documents} documents`] : []),
  ];
}

/**
 * Whose turn it is, from the status, the missing parts and the documents.
 *
 * @param operator the company that runs the service, which reviews submissions
 */
export function turnOf(onboarding: Onboarding, operator = ""): Turn {
  const { status, service_provider: provider, missing, pos, requirements } = onboarding;
  if (status === "bank_disconnected") {
    return { who: "paused", now: "The connection is paused.", next: "Nothing is read until it is resumed." };
  }
  const isBefore = isBeforeSubmission(onboarding);
  const reviewer = status.startsWith("svc_") && status !== "svc_approved" ? operator : provider.name;
  const tasks = tasksOf(onboarding);
  const review = reviewOf(onboarding, reviewer);
  if (tasks.length > 0) {
    const then = isBefore ? `Then you submit, and ${reviewer} reviews.` : `Then ${reviewer} reviews.`;
    return { who: "visitor", now: `Your turn: ${tasks.join(", ")}.`, next: review ?? then };
  }
  if (missing.some(({ step }) => step === "pos_connection")) {
    const next = isBefore ? "Then you can submit." : (review ?? "You have nothing to do.");
    return { who: "pos", now: `The connection to ${pos?.name} is being checked.`, next };
  }
  if (isBefore) return { who: "visitor", now: "Your turn: submit.", next: `Then ${reviewer} reviews.` };
  if (status === "svc_awaiting_review") {
    return { who: "operator", now: review ?? "", next: `Then ${provider.name} continues.` };
  }
  if (review) return { who: "provider", now: review, next: "You get a mail if a required document is not accepted." };
  const isPending = requirements.some(({ documents = [] }) => documents.some((each) => each.status === "pending"));
  if (isPending && status !== "bank_approved") {
    return {
      who: "provider",
      now: `${provider.name} reviews your documents.`,
      next: "You get a mail if a required document is not accepted.",
    };
  }
  const isApproved = status === "bank_approved";
  const now = isApproved ? `${provider.name} has approved your documents.` : "Nothing is missing.";
  return { who: "nobody", now, next: "You have nothing to do." };
}

/** The review that is due, and since when; undefined if the status names none. */
function reviewOf({ status, under_review_since: since }: Onboarding, reviewer: string): string | undefined {
  if (!/review/.test(status)) return undefined;
  return `In review by ${reviewer}${since ? ` since ${formatShortDay(since)}` : ""}.`;
}
