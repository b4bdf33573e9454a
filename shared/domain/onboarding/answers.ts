import type { CrbStatus } from "../../api/enumerations.ts";
import type { Crb } from "../../api/schemas/crb.ts";
import { type CrbTemplate, crbTemplate } from "../../api/schemas/crbTemplate.ts";
import type { OnboardingTemplate } from "../../api/schemas/onboardingTemplate.ts";
import { type Requirement, requirement as requirementSchema } from "../../api/schemas/requirement.ts";
import type { Item } from "../../store/client.ts";
import { answersKey } from "../../store/keys/onboarding.ts";
import type { StoredDocument } from "../documents/storedDocument.ts";
import { requirementStatus } from "../statuses/requirementStatus.ts";

/** A requirement without the fields that are computed from its documents. */
export type AnsweredRequirement = Omit<Requirement, "status" | "documents"> & { requirement_id: string };

/**
 * The stored answers of a CRB to its template, with the requirements of the template version that they answer. The
 * status is stored with the CRB, and review data with the documents.
 */
export type Answers = Omit<CrbTemplate, "status" | "standard_requirements"> & { requirements: AnsweredRequirement[] };

/** Kinds of fields that display something and take no answer. */
const silent = ["displayContent", "hyperlink", "fileDownload"];

/** The item of a CRB without answers; stored together with the CRB. */
export function newAnswersItem(
  crb: Pick<Crb, "id" | "template_id" | "template_result_id">,
  template: OnboardingTemplate,
  now: Date,
): Item {
  const date = now.toISOString();
  const answers: Answers = {
    id: crb.template_result_id,
    org_id: crb.id,
    template_id: crb.template_id,
    template_version: template.version,
    name: template.name,
    description: template.description,
    last_updated: date,
    review_start_date: null,
    disconnected_on: null,
    requirements: template.document_requirements.map((requirement) => ({
      requirement_id: requirement.requirement_id,
      name: requirement.name,
      description: requirement.description,
      category: requirement.category,
      required: requirement.required,
      archived: requirement.archived ?? false,
      requirement_version: template.version,
      date_created: date,
      date_updated: date,
    })),
    custom_requirements: [...template.custom_field_sections]
      .sort((one, other) => one.order - other.order)
      .flatMap(({ fields }) => fields.filter(({ type }) => !silent.includes(type)))
      .map(({ id, label, type }) => ({ id, label, value: null, ...(type === "file" && { doc_metadata: [] }) })),
  };
  return answersItem(answers, 1, 0);
}

/**
 * @param version increased by every change; a change fails if another change has increased the version since it was
 * read
 * @param documents sum of the versions of all documents; readers use it to check that answers and documents belong to
 * the same state
 */
export const answersItem = (answers: Answers, version: number, documents: number | undefined): Item => ({
  ...answersKey(answers.org_id),
  answers,
  version,
  documents,
});

/**
 * The sum of the document versions that belong to these answers; undefined if the item was stored before this attribute
 * existed.
 */
export const versionsOfDocuments = (item: Item): number | undefined => item.documents as number | undefined;

export const toAnswers = (item: Item): Answers => item.answers as Answers;

/** A requirement with its documents, as the API returns it. */
export function toRequirement(answered: AnsweredRequirement, documents: readonly StoredDocument[]): Requirement {
  const own = documentsOf(answered, documents);
  // Parsing restores the specification's field order; a DynamoDB map has no order.
  return requirementSchema.parse({
    ...answered,
    status: requirementStatus(own.map(({ review }) => review.status)),
    documents: own.map(({ record: { id, uploaded_by, uploaded_by_person, upload_date, file_name }, review }) => ({
      id,
      uploaded_by,
      uploaded_by_person,
      upload_date,
      file_name,
      ...review,
    })),
  });
}

/** The documents of a requirement that are not deleted, in the given order. */
export const documentsOf = (
  { requirement_id: id }: AnsweredRequirement,
  documents: readonly StoredDocument[],
): StoredDocument[] => documents.filter(({ requirementId, record }) => requirementId === id && !record.deleted);

/** The answers of a CRB as the API returns them. */
export function toCrbTemplate(
  { requirements, ...answers }: Answers,
  status: CrbStatus,
  documents: readonly StoredDocument[],
): CrbTemplate {
  const standard_requirements = requirements.map((answered) => toRequirement(answered, documents));
  return crbTemplate.parse({ ...answers, status, standard_requirements });
}
