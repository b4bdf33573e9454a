import { randomUUID } from "node:crypto";
import type { RequirementDocumentStatus } from "../../../shared/api/enumerations.ts";
import type { OnboardingTemplate } from "../../../shared/api/schemas/onboardingTemplate.ts";
import { newAnswersItem } from "../../../shared/domain/onboarding/answers.ts";
import { standardTemplate } from "../../../shared/domain/onboarding/standardTemplate.ts";
import type { Table } from "../../../shared/store/client.ts";
import { changeCrb, readCrb } from "../../../shared/store/crbs.ts";
import type { crbRecord } from "../../crbRecord.ts";
import { givenServiceProvider, type OperationId, type OperationRequest } from "../callHandler.ts";

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

/**
 * A service provider with one CRB that has these document requirements, and calls of the operations on them. Without other
 * ids, a call is about the first requirement.
 */
export async function givenOnboarding(
  table: Table,
  requirements = [asking()],
  record: Partial<ReturnType<typeof crbRecord>> = {},
) {
  const given = await givenServiceProvider(table, undefined, record);
  const { crbId } = given;
  const template = { ...standardTemplate, document_requirements: requirements };
  const crb = await readCrb(table, crbId);
  if (!crb) throw new Error("no CRB");
  await table.put(newAnswersItem(crb.record, template, new Date("2026-01-01T00:00:00.000Z")));
  const requirementId = requirements[0]?.requirement_id ?? "";
  const own = (request: OperationRequest) =>
    given.own({ ...request, path: { requirement_id: requirementId, ...request.path } });
  const call = (operationId: OperationId, request: OperationRequest = {}) => given.call(operationId, own(request));
  return {
    ...given,
    requirementId,
    own,
    call,
    add: (body: object = note, path: Record<string, string> = {}) => call("addRequirementDocument", { path, body }),
    review: (
      document_id: string,
      status: RequirementDocumentStatus,
      ids: Record<string, string> = {},
      more: { review_note?: string } = {},
    ) => call("updateRequirementDocumentStatus", { path: { document_id, ...ids }, body: { status, ...more } }),
    remove: (document_id: string, ids: Record<string, string> = {}) =>
      call("deleteRequirementDocument", { path: { document_id, ...ids } }),
    template: () => call("getCrbOnboardingTemplate"),
    status: async () => (await readCrb(table, crbId))?.record.status,
    setStatus: (status: ReturnType<typeof crbRecord>["status"]) =>
      changeCrb(table, crbId, (stored) => ({ ...stored, record: { ...stored.record, status } })),
  };
}
