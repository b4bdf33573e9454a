import { expect, test } from "vitest";
import { crbStatuses } from "../../../../../shared/api/enumerations.ts";
import { getOnboarding } from "../../../../../shared/api/operations/inAppOnboarding.ts";
import type { Onboarding } from "../../../../../shared/api/schemas/onboarding.ts";
import type { Requirement } from "../../../../../shared/api/schemas/requirement.ts";
import { stepsOf } from "../../../../../shared/web/onboarding/app/steps.ts";
import { turnOf, unreplaced } from "../../../../../shared/web/onboarding/app/turn.ts";

const example = getOnboarding.success.example as unknown as Onboarding;
const [requirement] = example.requirements;
const bank = example.service_provider.name;
const consent = { terms_version: example.terms.version, date: "2026-02-11T18:20:02.000Z", given_by: "Alex Moreno" };
const onboardingOf = (changed: Partial<Onboarding>): Onboarding => ({ ...example, consent, missing: [], ...changed });
const lineOf = (changed: Partial<Onboarding>) => {
  const { now, next } = turnOf(onboardingOf(changed), "Range Data");
  return `${now} ${next}`;
};
const requirementOf = (id: string, ...documents: object[]) =>
  ({ ...requirement, requirement_id: id, documents }) as unknown as Requirement;
const documentOf = (status: string, upload: string, review?: string) => ({
  id: upload,
  status,
  upload_date: `2026-02-${upload}T10:00:00.000Z`,
  ...(review && { review_date: `2026-02-${review}T10:00:00.000Z` }),
});
const since = `${new Date().getFullYear()}-11-28T12:00:00.000Z`;
const [pending, refused] = [documentOf("pending", "12"), documentOf("archived", "12", "13")];

test.each<[string, Partial<Onboarding>, string]>([
  [
    "an invitation without onboarding_required begins with the visitor",
    {
      status: "svc_approved",
      consent: null,
      missing: [{ step: "consent" }, { step: "pos_connection" }, ...example.missing],
    },
    `Your turn: consent, the point of sale, 1 document. Then ${bank} reviews.`,
  ],
  [
    "two missing documents",
    {
      requirements: [requirementOf("a"), requirementOf("b")],
      missing: ["a", "b"].map((id) => ({ step: "document", requirement_id: id }) as const),
    },
    "Your turn: 2 documents. Then you submit, and Range Data reviews.",
  ],
  [
    "changed terms",
    { status: "bank_approved", consent: { ...consent, terms_version: "before" } },
    `Your turn: the changed terms. Then ${bank} reviews.`,
  ],
  [
    "a requirement without an accepted document counts once",
    { requirements: [requirementOf("a", refused)], missing: [{ step: "document", requirement_id: "a" }] },
    "Your turn: 1 document. Then you submit, and Range Data reviews.",
  ],
  ["nothing missing before the submission", {}, "Your turn: submit. Then Range Data reviews."],
  [
    "a POS that is being checked",
    { pos: { name: "Flowhub", status: "Pending", updated_date: since }, missing: [{ step: "pos_connection" }] },
    "The connection to Flowhub is being checked. Then you can submit.",
  ],
  [
    "the review by the operator",
    { status: "svc_awaiting_review", under_review_since: since },
    `In review by Range Data since Nov 28. Then ${bank} continues.`,
  ],
  [
    "the review by the service provider",
    { status: "bank_awaiting_review", under_review_since: since },
    `In review by ${bank} since Nov 28. You get a mail if a required document is not accepted.`,
  ],
  [
    "a review that began in another year",
    { status: "bank_review_in_progress", under_review_since: "2020-11-28T12:00:00.000Z" },
    `In review by ${bank} since Nov 28, 2020. You get a mail if a required document is not accepted.`,
  ],
  [
    "a review with a document that was not accepted",
    { status: "bank_awaiting_review", under_review_since: since, requirements: [requirementOf("a", refused)] },
    `Your turn: 1 document. In review by ${bank} since Nov 28.`,
  ],
  [
    "documents after the operator's approval",
    { status: "svc_approved", requirements: [requirementOf("a", pending)] },
    `${bank} reviews your documents. You get a mail if a required document is not accepted.`,
  ],
  ["the approval", { status: "bank_approved" }, `${bank} has approved your documents. You have nothing to do.`],
  ["no documents", { status: "bank_pending" }, "Nothing is missing. You have nothing to do."],
  [
    "a pause",
    { status: "bank_disconnected", missing: example.missing },
    "The connection is paused. Nothing is read until it is resumed.",
  ],
])("the line says whose turn it is: %s", (_, changed, line) => {
  expect(lineOf(changed)).toBe(line);
});

test.each(crbStatuses.filter((status) => status !== "bank_disconnected"))(
  "with the status %s it is the visitor's turn while a document is missing",
  (status) => {
    expect(turnOf(onboardingOf({ status, missing: example.missing })).who).toBe("visitor");
  },
);

test.each<[string, object[], number]>([
  ["alone", [refused], 1],
  ["next to an approved one, which the reviewer saw", [documentOf("approved", "12", "14"), refused], 1],
  ["next to one of the same time", [pending, refused], 1],
  ["before one that was added after the review", [documentOf("pending", "14"), refused], 0],
  [
    "before one that was added after the review and not accepted either",
    [documentOf("archived", "14", "15"), refused],
    2,
  ],
  ["without a date of review, before a later one", [pending, documentOf("archived", "11")], 0],
])("a document that was not accepted is announced until it is replaced: %s", (_, documents, count) => {
  const { requirements } = onboardingOf({ requirements: [requirementOf("a", ...documents)] });
  expect(requirements.flatMap(unreplaced)).toHaveLength(count);
  const documentsStep = stepsOf(onboardingOf({ requirements })).find(({ name }) => name === "documents");
  expect(documentsStep?.isDone).toBe(count === 0);
});

test("a document of an archived requirement is not announced", () => {
  expect(unreplaced({ ...requirementOf("a", refused), archived: true })).toEqual([]);
});
