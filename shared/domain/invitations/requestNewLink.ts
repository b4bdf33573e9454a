import { randomUUID } from "node:crypto";
import { addressDigest } from "./addressDigest.ts";
import { requestLinks } from "./invitationQueue.ts";

/**
 * Asks for new links to be sent to an address. The same is queued for every one, however often it was asked for: whether it
 * is invited, and how often a day it is answered, the sender alone looks at, so that neither answer, time nor work tells
 * anything of it.
 *
 * @param crbId of the one CRB that is meant; all without it
 */
export async function requestNewLink(email: string, crbId: string | undefined): Promise<void> {
  await requestLinks({ link_for: addressDigest(email), request: randomUUID(), ...(crbId && { crb_id: crbId }) });
}
