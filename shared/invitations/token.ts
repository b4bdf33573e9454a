import { parse } from "uuid";
import { keyedDigest } from "../privacy/serviceKey.ts";

/**
 * The token in an invitation's link: the invitation's id and a proof that this service has made it, 65 base64url
 * characters. It follows from the id and the service key, so that it is nowhere stored.
 */
export function invitationToken(invitationId: string): string {
  const id = Buffer.from(parse(invitationId)).toString("base64url");
  return `${id}${keyedDigest("invitations", invitationId).toString("base64url")}`;
}
