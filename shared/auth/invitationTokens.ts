import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { unauthorized } from "../api/errors.ts";
import type { Condition, Item, Table } from "../store/client.ts";
import { invitationTokenKey } from "../store/keys/invitations.ts";
import { retryOnConflict } from "../store/retryOnConflict.ts";
import type { Clock } from "../time/clock.ts";
import type { Principal } from "./credentials.ts";
import { createSecret, digestOf, type PresentedSecret, parseSecret, sameDigest } from "./secrets.ts";

/** How long (seconds) an invitation token is good (docs/spec.md#invitation-tokens). */
const lifetime = 30 * 24 * 60 * 60;

/** The token of the mail that was taken last, and the two latest of those of whose mails that is not known. */
const maxAtOnce = 3;

/** What is stored of a token. */
interface StoredToken {
  digest: string;
  /** Epoch seconds; also the attribute by which DynamoDB removes the item some time later. */
  expires: number;
}

/** What of an invitation's tokens is stored: all that a decision needs. The oldest one that is good stands outside. */
interface InvitationTokens extends StoredToken {
  crb_id: string;
  sp_id: string;
  /** Those of which nobody knows yet whether their mail was taken, in the order in which they were made. */
  newer?: readonly StoredToken[];
}

type TokensItem = Item & InvitationTokens;

/** Whose token it is. */
interface TokenOf {
  invitationId: string;
  crbId: string;
  spId: string;
}

/**
 * A new token of an invitation, beside the one before, which stays good until the new one's mail was taken
 * (`endOlderTokens`): who asks for a link that cannot be sent has not lost the one that is there.
 *
 * @returns the token, to be mailed and never stored, and what stores its digest, for a transaction that is refused where
 * others have made or ended one since it was planned
 */
export async function newInvitationToken(
  table: Table,
  { invitationId, crbId, spId }: TokenOf,
  now: Date,
): Promise<{ token: string; write: TransactWriteItem }> {
  const token = createSecret("iv", invitationId);
  const seconds = Math.floor(now.getTime() / 1000);
  const made: StoredToken = { digest: digestOf(token), expires: seconds + lifetime };
  const before = await readTokens(table, invitationId);
  const [oldest, ...others] = storedTokens(before).filter(({ expires }) => expires > seconds);
  const tokens = oldest ? { ...oldest, newer: [...others.slice(2 - maxAtOnce), made] } : { ...made, newer: [] };
  const stored: InvitationTokens = { ...tokens, crb_id: crbId, sp_id: spId };
  return { token, write: table.putWrite({ ...invitationTokenKey(invitationId), ...stored }, asRead(before)) };
}

/** Ends the tokens of an invitation that are older than one whose mail was taken; nothing where a newer one has ended that. */
export async function endOlderTokens(table: Table, token: string, clock: Clock): Promise<void> {
  const { clientId: invitationId, digest } = parseSecret(token) ?? { clientId: "", digest: "" };
  await retryOnConflict(clock, async () => {
    const before = await readTokens(table, invitationId);
    const tokens = storedTokens(before);
    const index = tokens.findIndex((each) => each.digest === digest);
    if (!before || index <= 0) return;
    const [mailed, ...newer] = tokens.slice(index);
    await table.transact([table.putWrite({ ...before, ...mailed, newer }, asRead(before))]);
  });
}

const readTokens = async (table: Table, invitationId: string) =>
  (await table.get(invitationTokenKey(invitationId), { consistent: true })) as TokensItem | undefined;

/** In the order in which they were made. */
const storedTokens = (stored: TokensItem | undefined): StoredToken[] =>
  stored ? [{ digest: stored.digest, expires: stored.expires }, ...(stored.newer ?? [])] : [];

/** The condition that the tokens stand as they were read. */
function asRead(stored: TokensItem | undefined): Condition {
  if (!stored) return { expression: "attribute_not_exists(pk)" };
  const { digest, newer } = stored;
  return {
    expression: `digest = :digest AND ${newer ? "newer = :newer" : "attribute_not_exists(newer)"}`,
    values: { ":digest": digest, ...(newer && { ":newer": newer }) },
  };
}

/**
 * Proves an invitation token: that of the mail that was taken last, or a newer one. Whatever fails takes the same time and
 * gets the same answer.
 *
 * @throws ServiceError "unauthorized"
 */
export function proveInvitationToken(item: Item | undefined, { clientId, digest }: PresentedSecret): Principal {
  const stored = item as TokensItem | undefined;
  const known = stored ? storedTokens(stored) : [{ digest: noDigest, expires: 0 }];
  const [proved] = known.filter((each) => sameDigest(each.digest, digest));
  if (!stored || !proved || proved.expires <= Date.now() / 1000) throw unauthorized();
  return { clientId, owner: { kind: "invitedUser", id: stored.crb_id }, spId: stored.sp_id, scopes: [] };
}

/** No token's. */
const noDigest = "0".repeat(64);
