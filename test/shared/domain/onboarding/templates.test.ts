import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { demoTemplate } from "../../../../infra/local/demoTemplate.ts";
import { onboardingTemplate } from "../../../../shared/api/schemas/onboardingTemplate.ts";
import { standardTemplate } from "../../../../shared/domain/onboarding/standardTemplate.ts";
import { publishedTemplate, putTemplate, readTemplates } from "../../../../shared/domain/onboarding/templates.ts";
import { useTestTable } from "../../../useTestTable.ts";

const table = useTestTable();

test.each([standardTemplate, demoTemplate])(
  "$name is as docs/spec.md#templates-and-answers says, and its ids are unique",
  (template) => {
    expect(onboardingTemplate.parse(template)).toEqual(template);
    const ids = [
      ...template.document_requirements.map(({ requirement_id }) => requirement_id),
      ...template.custom_field_sections.flatMap(({ fields }) => fields.map(({ id }) => id)),
    ];
    expect(new Set(ids).size).toBe(ids.length);
    for (const { conditions } of rulesOf(template)) {
      for (const { targetFieldId } of conditions) expect(ids).toContain(targetFieldId);
    }
  },
);

const rulesOf = ({ custom_field_sections: sections }: typeof demoTemplate) =>
  sections.flatMap((section) => [section, ...section.fields]).flatMap(({ smart_rule: rule }) => rule ?? []);

test("the standard template requires what a bank needs, and the demo bank's template has questions with rules", () => {
  expect(new Set(standardTemplate.document_requirements.map(({ category }) => category))).toEqual(
    new Set(["license", "legal", "insurance", "financial", "operational"]),
  );
  expect(standardTemplate.document_requirements.some(({ type }) => type === "svc_standard")).toBe(true);
  expect(rulesOf(demoTemplate).map(({ action }) => action)).toEqual(expect.arrayContaining(["Show", "Hide"]));
});

describe("the published template of a service provider", () => {
  const spId = randomUUID();
  const newest = { ...demoTemplate, template_id: randomUUID(), published_date: "2026-03-01T00:00:00.000Z" };
  const older = { ...demoTemplate, template_id: randomUUID(), date_updated: "2026-04-01T00:00:00.000Z" };
  const { published_date, published_by, ...rest } = demoTemplate;
  const draft = { ...rest, template_id: randomUUID(), version: "draft", date_updated: "2026-05-01T00:00:00.000Z" };
  beforeAll(async () => {
    for (const template of [older, newest, draft]) await putTemplate(table(), spId, template);
  });

  test("is the one with the given id", async () => {
    expect(await publishedTemplate(table(), spId, older.template_id)).toEqual(older);
    expect(await publishedTemplate(table(), spId, standardTemplate.template_id)).toEqual(standardTemplate);
  });
  test("does not exist for a draft, an unknown id or another service provider's template", async () => {
    expect(await publishedTemplate(table(), spId, draft.template_id)).toBeUndefined();
    expect(await publishedTemplate(table(), spId, randomUUID())).toBeUndefined();
    expect(await publishedTemplate(table(), randomUUID(), older.template_id)).toBeUndefined();
  });
  test("is the most recently published one if no id is given", async () => {
    expect(await publishedTemplate(table(), spId)).toEqual(newest);
  });
  test("is the service's own if the service provider has none", async () => {
    expect(await publishedTemplate(table(), randomUUID())).toEqual(standardTemplate);
  });
  test("is listed with the others, latest change first, with the fields in the order of the specification", async () => {
    const templates = await readTemplates(table(), spId);
    expect(templates).toEqual([draft, older, newest, standardTemplate]);
    expect(Object.keys(templates[1] ?? {})).toEqual(Object.keys(demoTemplate));
  });
});
