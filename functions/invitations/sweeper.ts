import { requestUnsentInvitations } from "../../shared/domain/invitations/requestUnsentInvitations.ts";
import { log } from "../../shared/platform/aws/log.ts";
import { serviceTable } from "../../shared/store/client.ts";

/**
 * Runs by a schedule: queues invitations that a creation could not queue, or that could not be sent. What has been unsent
 * for long fails the whole, once all is asked for, so that it does not go unnoticed.
 */
export async function handler(): Promise<void> {
  const asked = await requestUnsentInvitations(serviceTable());
  log.info("unsent invitations", asked);
  if (asked.late > 0) throw new Error("invitations have been unsent for long");
}
