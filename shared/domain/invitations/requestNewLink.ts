import { randomUUID } from "node:crypto";
import { addressDigest } from "./addressDigest.ts";
import { requestLinks } from "./invitationQueue.ts";

/**
 * Requests new links for an address. Every request queues the same message. Only the sender checks whether the address is
 * invited and how many requests it had today, so neither response nor timing reveals it.
 *
 * @param crbId limits the request to one CRB; all CRBs if undefined
 */
export async function requestNewLink(email: string, crbId: string | undefined): Promise<void> {
  await requestLinks({ link_for: addressDigest(email), request: randomUUID(), ...(crbId && { crb_id: crbId }) });
}
