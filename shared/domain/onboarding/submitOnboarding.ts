import { conflict, notFound } from "../../api/errors.ts";
import type { Table } from "../../store/client.ts";
import { StaleReadError } from "../../store/retryOnConflict.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { moveCrb } from "../statuses/crbStatus.ts";
import { missingSteps } from "./onboardingView.ts";
import { readOnboardingOnce } from "./readOnboarding.ts";
import { changeOnboardingStatus, type OnboardingStatus } from "./statusChange.ts";

/**
 * Submits an onboarding for review by the operator (docs/spec.md#work-of-invited-users). The check for missing steps
 * uses exactly the state that is submitted.
 *
 * @param by id of the user's invitation
 * @throws ServiceError "conflict" for any status but `svc_in_progress`, and if steps are missing (with `data.missing`);
 *   "notFound" if the association has ended
 */
export async function submitOnboarding(
  table: Table,
  { crbId, by }: { crbId: string; by: string },
  clock: Clock = systemClock,
): Promise<void> {
  const change = async ({ crb, answersItem, isLast }: OnboardingStatus) => {
    const status = moveCrb(crb.record.status, "submit");
    if (!status)
      throw conflict("status_not_allowed", `An onboarding with status ${crb.record.status} cannot be submitted.`);
    const onboarding = await readOnboardingOnce(table, crbId, isLast);
    if (!onboarding) throw notFound("CRB");
    // Every change of a document raises the version of the answers. The submission is conditional on this version, so
    // the check for missing steps must use documents of this version.
    if (onboarding.answersItem.version !== answersItem?.version) throw new StaleReadError(crbId);
    const missing = missingSteps({ ...onboarding, crb });
    if (missing.length > 0)
      throw conflict("steps_missing", "The onboarding is incomplete: do the steps in data.missing first.", { missing });
    const of = { spId: crb.serviceProviderId, crbId };
    const event = { type: "onboarding.submitted", ...of, data: { invitation_id: by } } as const;
    return { crb: { ...crb, record: { ...crb.record, status } }, events: [event] };
  };
  if (!(await changeOnboardingStatus(table, crbId, change, clock, by))) throw notFound("CRB");
}
