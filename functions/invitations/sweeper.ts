import { requestUnsentInvitations } from "../../shared/domain/invitations/requestUnsentInvitations.ts";
import { log } from "../../shared/platform/aws/log.ts";
import { isTrial } from "../../shared/platform/aws/trialEvent.ts";
import { serviceTable } from "../../shared/store/client.ts";

/**
 * Runs on a schedule. Queues invitations that the creation of a CRB could not queue, and invitations that could not be
 * sent. An alarm of their own reports invitations that have been unsent for long: the fault is most often an address.
 */
export async function handler(event?: unknown): Promise<void> {
  if (isTrial(event)) return;
  log.info("unsent invitations", await requestUnsentInvitations(serviceTable()));
}
