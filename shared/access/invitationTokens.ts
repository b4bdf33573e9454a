import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { unauthorized } from "../api/errors.ts";
import type { Item, Table } from "../table/client.ts";
import { invitationTokenKey } from "../table/keys.ts";
import type { Grant } from "./credentials.ts";
import { createSecret, digestOf, type PresentedSecret, sameDigest } from "./secrets.ts";

/** How long (seconds) an invitation token is good (contract 14.4). */
const lifetime = 30 * 24 * 60 * 60;

/** What of an invitation's latest token is stored: all that a decision needs. */
interface InvitationToken {
  digest: string;
  crb_id: string;
  sp_id: string;
  /** Epoch seconds; also the attribute by which DynamoDB removes the item some time later. */
  expires: number;
}

/** Whose token it is. */
interface TokenOf {
  invitationId: string;
  crbId: string;
  spId: string;
}

/**
 * A new token of an invitation, in place of the one before, which opens nothing any more once this is stored.
 *
 * @returns the token, to be mailed and never stored, and what stores its digest, for a transaction
 */
export function newInvitationToken(
  table: Table,
  { invitationId, crbId, spId }: TokenOf,
  now: Date,
): { token: string; write: TransactWriteItem } {
  const token = createSecret("iv", invitationId);
  const expires = Math.floor(now.getTime() / 1000) + lifetime;
  const stored: InvitationToken = { digest: digestOf(token), crb_id: crbId, sp_id: spId, expires };
  return { token, write: table.putWrite({ ...invitationTokenKey(invitationId), ...stored }) };
}

/**
 * Proves an invitation token: the one that was sent last, and not yet ended. Whatever fails takes the same time and gets
 * the same answer.
 *
 * @throws ServiceError "unauthorized"
 */
export function proveInvitationToken(item: Item | undefined, { clientId, digest }: PresentedSecret): Grant {
  const stored = item as (Item & InvitationToken) | undefined;
  const isProved = sameDigest(stored?.digest ?? noDigest, digest);
  if (!stored || !isProved || stored.expires <= Date.now() / 1000) throw unauthorized();
  return { clientId, owner: { kind: "invitedUser", id: stored.crb_id }, spId: stored.sp_id, scopes: [] };
}

/** No token's. */
const noDigest = "0".repeat(64);
