import * as z from "zod";
import { describeError, log } from "../../platform/aws/log.ts";
import { queueUrl, sendMessages } from "../../platform/queue/sendMessages.ts";

const id = z.guid().toLowerCase();

/** A message that requests the unsent invitations of a CRB and the notices to its users. */
const invitationsOfCrb = z.strictObject({ crb_id: id });

/**
 * A message that requests new links. `link_for` is the digest of the address. `request` is a unique id, by which the
 * sender recognizes a message that the queue delivers twice. `crb_id` limits the request to one CRB, and `after` to the CRBs
 * with a greater id: the sender has processed the others.
 */
const linkRequest = z.strictObject({
  link_for: z.string().regex(/^[\w-]{43}$/),
  request: id,
  crb_id: id.optional(),
  after: id.optional(),
});

export type LinkRequest = z.output<typeof linkRequest>;

/** The body of a message in the invitation queue, as JSON. */
export const invitationMessage = z.union([invitationsOfCrb, linkRequest]);

/** Queues a message that requests the unsent invitations of a CRB and the notices to its users. */
export async function requestInvitations(crbId: string): Promise<void> {
  const message: z.input<typeof invitationMessage> = { crb_id: crbId };
  await sendMessages(queueUrl("INVITATION_QUEUE_URL"), [message]);
}

/** Requests the notices to the users of a CRB. If the queue fails, the schedule requests them later. */
export async function requestNotices(crbId: string): Promise<void> {
  await requestInvitations(crbId).catch((error) =>
    log.error("notices not queued", { crb_id: crbId, error: describeError(error) }),
  );
}

export async function requestLinks(message: LinkRequest): Promise<void> {
  await sendMessages(queueUrl("INVITATION_QUEUE_URL"), [message]);
}
