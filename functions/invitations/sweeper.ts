import { requestUnsentInvitations } from "../../shared/domain/invitations/requestUnsentInvitations.ts";
import { log } from "../../shared/platform/aws/log.ts";
import { serviceTable } from "../../shared/store/client.ts";

/**
 * Runs on a schedule. Queues invitations that the creation of a CRB could not queue, and invitations that could not be
 * sent. If any invitation has been unsent for long, the function fails after it has queued all invitations, so that an
 * alarm reports it.
 */
export async function handler(): Promise<void> {
  const result = await requestUnsentInvitations(serviceTable());
  log.info("unsent invitations", result);
  if (result.late > 0) throw new Error("invitations have been unsent for long");
}
