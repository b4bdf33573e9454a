import type { CrbCreation } from "../../api/schemas/crbCreation.ts";
import { describeError, log } from "../../platform/aws/log.ts";
import { requestInvitations } from "../invitations/invitationQueue.ts";
import { requestReplication } from "../replication/requestReplications.ts";

/**
 * Queues what follows a creation; repeated, it changes nothing. It fails quietly: the CRB stands, and the schedule finds
 * what was not queued.
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
      log.error("not queued", { crb_id: crbId, error: describeError(result.reason) });
    }
  }
}
