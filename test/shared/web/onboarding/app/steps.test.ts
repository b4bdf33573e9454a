import { expect, test } from "vitest";
import { getOnboarding } from "../../../../../shared/api/operations/inAppOnboarding.ts";
import type { Onboarding } from "../../../../../shared/api/schemas/onboarding.ts";
import { nextStep, stepOf, stepsOf, wordsOfMissing } from "../../../../../shared/web/onboarding/app/steps.ts";

const example = getOnboarding.success.example as unknown as Onboarding;
const [asked] = example.missing;
const given = (changed: Partial<Onboarding>): Onboarding => ({ ...example, missing: [], ...changed });
const version = example.terms.version;
const consent = { ...(example.consent ?? expect.fail()), terms_version: version };

test.each<[string, Onboarding, string]>([
  ["consent first", given({ consent: null, missing: [{ step: "consent" }, { step: "pos_connection" }] }), "consent"],
  ["consent again when the terms have changed", given({ consent: { ...consent, terms_version: "before" } }), "consent"],
  ["then the POS", given({ consent, missing: [{ step: "pos_connection" }, ...example.missing] }), "pos"],
  ["then documents", given({ consent, missing: example.missing }), "documents"],
  ["then the submission", given({ consent, status: "svc_in_progress" }), "submit"],
  ["what happens next, when all is done", given({ consent, status: "svc_awaiting_review" }), "submit"],
  [
    "what has gone missing after the submission",
    given({ consent, status: "bank_approved", missing: [{ step: "pos_connection" }] }),
    "pos",
  ],
])("the way goes to %s", (_, onboarding, step) => {
  expect(nextStep(onboarding)).toBe(step);
});

test.each(["svc_pending", "svc_in_progress", "svc_awaiting_review", "svc_approved", "bank_pending"] as const)(
  "%s is submitted, or not",
  (status) => {
    const isDone = stepsOf(given({ consent, status })).at(-1)?.isDone;
    expect(isDone).toBe(!["svc_pending", "svc_in_progress"].includes(status));
  },
);

test("a fragment names a step, or none", () => {
  expect([stepOf("#pos"), stepOf("#"), stepOf("#toString"), stepOf("")]).toEqual([
    "pos",
    undefined,
    undefined,
    undefined,
  ]);
});

test("what is missing is named by its requirement, and leads to its step", () => {
  expect(wordsOfMissing(asked ?? expect.fail(), example)).toEqual({
    step: "documents",
    words: "Add a document: State cannabis business license",
  });
  expect(wordsOfMissing({ step: "pos_connection" }, example).step).toBe("pos");
});
