import type { CrbCreation } from "../../api/schemas/crbCreation.ts";
import { describeError, log } from "../../platform/aws/log.ts";
import { requestInvitations } from "../invitations/invitationQueue.ts";
import { requestReplication } from "../replication/requestReplications.ts";

/**
 * Queues the first replication and the invitations of a new CRB. A repeated call does no harm. Errors are only logged, because
 * the schedule later requests everything that was not queued.
 */
export async function queueCreationFollowUps(
  crbId: string,
  { pos_info: posInfo, users = [] }: CrbCreation,
): Promise<void> {
  const requests = [
    ...(posInfo ? [requestReplication(crbId)] : []),
    ...(users.length > 0 ? [requestInvitations(crbId)] : []),
  ];
  for (const result of await Promise.allSettled(requests)) {
    if (result.status === "rejected") {
      log.error("work for a new CRB not queued", { crb_id: crbId, error: describeError(result.reason) });
    }
  }
}
