import { log } from "../../shared/api/log.ts";
import { requestUnsentInvitations } from "../../shared/invitations/requestUnsentInvitations.ts";
import { serviceTable } from "../../shared/table/client.ts";

/** Runs by a schedule: queues invitations that a creation could not queue, or that were given up by the queue. */
export async function handler(): Promise<void> {
  log.info("unsent invitations", { requested: await requestUnsentInvitations(serviceTable()) });
}
