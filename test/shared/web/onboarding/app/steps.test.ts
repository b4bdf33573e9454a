import { expect, test } from "vitest";
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

test.each(["svc_pending", "svc_in_progress", "svc_awaiting_review", "svc_approved", "bank_pending"] as const)(
  "the status %s counts as submitted or not",
  (status) => {
    const isDone = stepsOf(createOnboarding({ consent, status })).at(-1)?.isDone;
    expect(isDone).toBe(!["svc_pending", "svc_in_progress"].includes(status));
  },
);

test("a fragment names a step or no step", () => {
  expect([stepOf("#pos"), stepOf("#"), stepOf("#toString"), stepOf("")]).toEqual([
    "pos",
    undefined,
    undefined,
    undefined,
  ]);
});

test("a missing item has the name of its requirement and leads to its step", () => {
  expect(describeMissing(missing ?? expect.fail(), example)).toEqual({
    step: "documents",
    label: "Add a document: State cannabis business license",
  });
  expect(describeMissing({ step: "pos_connection" }, example).step).toBe("pos");
});
