import { expect, test } from "vitest";
import { crbStatuses } from "../../../../../shared/api/enumerations.ts";
import { getOnboarding } from "../../../../../shared/api/operations/inAppOnboarding.ts";
import type { Onboarding } from "../../../../../shared/api/schemas/onboarding.ts";
import { describeMissing, nextStep, stepOf, stepsOf } from "../../../../../shared/web/onboarding/app/steps.ts";

const example = getOnboarding.success.example as unknown as Onboarding;
const [missing] = example.missing;
const createOnboarding = (changed: Partial<Onboarding>): Onboarding => ({ ...example, missing: [], ...changed });
const version = example.terms.version;
const consent = { ...(example.consent ?? expect.fail()), terms_version: version };

test.each<[string, Onboarding, string]>([
  [
    "consent first",
    createOnboarding({ consent: null, missing: [{ step: "consent" }, { step: "pos_connection" }] }),
    "consent",
  ],
  [
    "consent again when the terms have changed",
    createOnboarding({ consent: { ...consent, terms_version: "before" } }),
    "consent",
  ],
  ["then the POS", createOnboarding({ consent, missing: [{ step: "pos_connection" }, ...example.missing] }), "pos"],
  ["then documents", createOnboarding({ consent, missing: example.missing }), "documents"],
  ["then the submission", createOnboarding({ consent, status: "svc_in_progress" }), "submit"],
  ["the last step, when all is done", createOnboarding({ consent, status: "svc_awaiting_review" }), "submit"],
  [
    "the POS connection if it is missing after the submission",
    createOnboarding({ consent, status: "bank_approved", missing: [{ step: "pos_connection" }] }),
    "pos",
  ],
])("the next step is %s", (_, onboarding, step) => {
  expect(nextStep(onboarding)).toBe(step);
});

test.each([
  ["svc_pending", "Submit", false],
  ["svc_in_progress", "Submit", false],
  ["svc_awaiting_review", "Submit", true],
  ["svc_approved", "Review", true],
  ["bank_pending", "Review", true],
  ["bank_in_progress", "Review", true],
  ["bank_awaiting_review", "Review", false],
  ["bank_review_in_progress", "Review", false],
  ["bank_approved", "Review", true],
  ["bank_disconnected", "Review", false],
] as const)("with the status %s and nothing missing, the last step is %s, and done: %s", (status, title, isDone) => {
  expect(stepsOf(createOnboarding({ consent, status })).at(-1)).toEqual({ name: "submit", title, isDone });
});

test.each(crbStatuses)("with the status %s, no step is done while something of it is missing", (status) => {
  const nothing = { consent: null, missing: [{ step: "consent" }, { step: "pos_connection" }, ...example.missing] };
  const steps = stepsOf(createOnboarding({ ...nothing, status } as Partial<Onboarding>));
  expect(steps.map(({ isDone }) => isDone)).toEqual([false, false, false, false]);
});

test("a fragment names a step or no step", () => {
  expect(["#pos", "#documents/1a6f0c52", "#", "#toString", ""].map(stepOf)).toEqual([
    "pos",
    "documents",
    undefined,
    undefined,
    undefined,
  ]);
});

test("a missing item has the name of its requirement and leads to its card or step", () => {
  expect(describeMissing(missing ?? expect.fail(), example)).toEqual({
    href: `#documents/${missing?.requirement_id}`,
    label: "Add a document: State cannabis business license",
  });
  expect(describeMissing({ step: "pos_connection" }, example).href).toBe("#pos");
});
