import { randomUUID } from "node:crypto";
import { addressDigest } from "./addressDigest.ts";
import { requestLinks } from "./invitationQueue.ts";

/**
 * Queues a request for new links, whether or not the address is invited. The sender later checks whether the address is
 * invited and how many requests it had today. Therefore neither the response nor its timing reveals whether an address
 * is invited.
 *
 * @param crbId limits the request to one CRB; all CRBs if undefined
 */
export async function requestNewLink(email: string, crbId: string | undefined): Promise<void> {
  await requestLinks({ link_for: addressDigest(email), request: randomUUID(), ...(crbId && { crb_id: crbId }) });
}
