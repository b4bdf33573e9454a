import type { Onboarding } from "../../../api/schemas/onboarding.ts";

/** The steps in their order; each is a fragment of the page's address. */
const stepNames = ["consent", "pos", "documents", "submit"] as const;
export type StepName = (typeof stepNames)[number];

/** A step's title, and whether the step is complete. */
export interface Step {
  name: StepName;
  title: string;
  isDone: boolean;
}

/** The statuses before submission. */
const before: readonly Onboarding["status"][] = ["svc_pending", "svc_in_progress"];

export const isSubmitted = ({ status }: Pick<Onboarding, "status">): boolean => !before.includes(status);

/** Whether the consent covers the present version of the terms. */
export const isPresent = ({ consent, terms }: Pick<Onboarding, "consent" | "terms">): boolean =>
  consent?.terms_version === terms.version;

/** The steps with their progress. */
export function stepsOf(onboarding: Onboarding): Step[] {
  const lacks = (step: Onboarding["missing"][number]["step"]) => onboarding.missing.some((each) => each.step === step);
  return [
    { name: "consent", title: "Consent", isDone: isPresent(onboarding) },
    { name: "pos", title: "Point of sale", isDone: !lacks("pos_connection") },
    { name: "documents", title: "Documents", isDone: !lacks("document") },
    { name: "submit", title: "Submit", isDone: isSubmitted(onboarding) },
  ];
}

/** The step to continue with: the first incomplete step, or the last step if all are complete. */
export const nextStep = (onboarding: Onboarding): StepName =>
  stepsOf(onboarding).find(({ isDone }) => !isDone)?.name ?? "submit";

/** The step that a fragment such as `#pos` names. */
export const stepOf = (fragment: string): StepName | undefined =>
  stepNames.find((name) => name === fragment.replace(/^#/, ""));

/** The step in which the visitor completes a missing part, and the label of the link to it. */
export function describeMissing(
  { step, requirement_id }: Onboarding["missing"][number],
  { requirements }: Pick<Onboarding, "requirements">,
): { step: StepName; label: string } {
  if (step === "consent") return { step, label: "Give consent" };
  if (step === "pos_connection") return { step: "pos", label: "Connect the point of sale" };
  const name = requirements.find((each) => each.requirement_id === requirement_id)?.name;
  return { step: "documents", label: `Add a document: ${name ?? "a required one"}` };
}
