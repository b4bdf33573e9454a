import type { Onboarding } from "../../../api/schemas/onboarding.ts";
import { requirementsToDo, turnOf } from "./turn.ts";

/** The steps in their order; each is a fragment of the page's address. */
const stepNames = ["consent", "pos", "documents", "submit"] as const;
export type StepName = (typeof stepNames)[number];

/** A step's title, and whether the step is complete. */
export interface Step {
  name: StepName;
  title: string;
  isDone: boolean;
}

/** Whether the consent covers the present version of the terms. */
export const isPresent = ({ consent, terms }: Pick<Onboarding, "consent" | "terms">): boolean =>
  consent?.terms_version === terms.version;

/** The steps with their progress. A step is complete only if nothing of it is missing. */
export function stepsOf(onboarding: Onboarding): Step[] {
  const { who } = turnOf(onboarding);
  const isSubmitting = onboarding.status.startsWith("svc_") && onboarding.status !== "svc_approved";
  return [
    { name: "consent", title: "Consent", isDone: isPresent(onboarding) },
    { name: "pos", title: "Point of sale", isDone: !onboarding.missing.some(({ step }) => step === "pos_connection") },
    { name: "documents", title: "Documents", isDone: requirementsToDo(onboarding).length === 0 },
    // A business that was invited without `onboarding_required` has nothing to submit.
    isSubmitting
      ? { name: "submit", title: "Submit", isDone: who === "operator" }
      : { name: "submit", title: "Review", isDone: who === "nobody" },
  ];
}

/** The step to continue with: the first incomplete step, or the last step if all are complete. */
export const nextStep = (onboarding: Onboarding): StepName =>
  stepsOf(onboarding).find(({ isDone }) => !isDone)?.name ?? "submit";

/** The step that a fragment such as `#pos` names, also if the fragment names a part of it (`#documents/…`). */
export const stepOf = (fragment: string): StepName | undefined =>
  stepNames.find((name) => name === fragment.replace(/^#/, "").split("/")[0]);

/** The address of a requirement's card. */
export const cardLink = (requirementId: string | undefined): string => `#documents/${requirementId ?? ""}`;

/** The id of a requirement's card. */
export const cardId = (requirementId: string): string => cardLink(requirementId).slice(1);

/** The address at which the visitor completes a missing part, and the label of the link to it. */
export function describeMissing(
  { step, requirement_id }: Onboarding["missing"][number],
  { requirements }: Pick<Onboarding, "requirements">,
): { href: string; label: string } {
  if (step === "consent") return { href: "#consent", label: "Give consent" };
  if (step === "pos_connection") return { href: "#pos", label: "Connect the point of sale" };
  const name = requirements.find((each) => each.requirement_id === requirement_id)?.name;
  return { href: cardLink(requirement_id), label: `Add a document: ${name ?? "a required one"}` };
}
