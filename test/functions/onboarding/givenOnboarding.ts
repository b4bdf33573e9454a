import { randomUUID } from "node:crypto";
import { handler as add } from "../../../functions/onboarding/addRequirementDocument.ts";
import { handler as deleteDocument } from "../../../functions/onboarding/deleteRequirementDocument.ts";
import { handler as getTemplate } from "../../../functions/onboarding/getCrbOnboardingTemplate.ts";
import { handler as review } from "../../../functions/onboarding/updateRequirementDocumentStatus.ts";
import type { RequirementDocumentStatus } from "../../../shared/api/enumerations.ts";
import type { OnboardingTemplate } from "../../../shared/api/schemas/onboardingTemplate.ts";
import { newAnswersItem } from "../../../shared/domain/onboarding/answers.ts";
import { standardTemplate } from "../../../shared/domain/onboarding/standardTemplate.ts";
import type { Table } from "../../../shared/store/client.ts";
import { changeCrb, readCrb } from "../../../shared/store/crbs.ts";
import type { crbRecord } from "../../crbRecord.ts";
import { givenServiceProvider } from "../callHandler.ts";

const onboarding = "/service-providers/{sp_id}/crbs/{crb_id}/onboarding-template";

/** A requirement with only the required fields. */
export const asking = (
  more: Partial<OnboardingTemplate["document_requirements"][number]> = {},
): OnboardingTemplate["document_requirements"][number] => ({
  requirement_id: randomUUID(),
  name: "License",
  description: "",
  category: "license",
  type: "svc_standard",
  required: true,
  ...more,
});

/** The smallest document. */
export const note = { file_name: "note.txt", file_type: "text/plain", base64: "eA==" };

/** A service provider with one CRB that has these document requirements, and calls of the operations on them. */
export async function givenOnboarding(
  table: Table,
  requirements = [asking()],
  record: Partial<ReturnType<typeof crbRecord>> = {},
) {
  const given = await givenServiceProvider(table, undefined, record);
  const { crbId, own, call } = given;
  const template = { ...standardTemplate, document_requirements: requirements };
  const crb = await readCrb(table, crbId);
  if (!crb) throw new Error("no CRB");
  await table.put(newAnswersItem(crb.record, template, new Date("2026-01-01T00:00:00.000Z")));
  const requirementId = requirements[0]?.requirement_id ?? "";
  const path = (more: Record<string, string> = {}) => ({ crb_id: crbId, requirement_id: requirementId, ...more });
  const documents = `${onboarding}/requirements/{requirement_id}/documents`;
  const requests = {
    add: (body: object = note, ids: Record<string, string> = {}) =>
      own({ resource: documents, method: "PUT", path: path(ids), body }),
    remove: (document_id: string, ids: Record<string, string> = {}) =>
      own({ resource: `${documents}/{document_id}`, method: "DELETE", path: path({ document_id, ...ids }) }),
  };
  return {
    ...given,
    requirementId,
    path,
    requests,
    /** @param ids path parameters that differ from the first requirement's */
    add: (body: object = note, ids: Record<string, string> = {}) => call(add, requests.add(body, ids)),
    review: (
      document_id: string,
      status: RequirementDocumentStatus,
      ids: Record<string, string> = {},
      more: { review_note?: string } = {},
    ) =>
      call(review, {
        resource: `${documents}/{document_id}`,
        method: "PUT",
        path: path({ document_id, ...ids }),
        body: { status, ...more },
      }),
    remove: (document_id: string, ids: Record<string, string> = {}) =>
      call(deleteDocument, requests.remove(document_id, ids)),
    template: () => call(getTemplate, { resource: onboarding, path: { crb_id: crbId } }),
    status: async () => (await readCrb(table, crbId))?.record.status,
    setStatus: (status: ReturnType<typeof crbRecord>["status"]) =>
      changeCrb(table, crbId, (stored) => ({ ...stored, record: { ...stored.record, status } })),
  };
}
