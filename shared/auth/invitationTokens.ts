import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { unauthorized } from "../api/errors.ts";
import type { Condition, Item, Table } from "../store/client.ts";
import { invitationTokenKey } from "../store/keys/invitations.ts";
import { retryOnConflict } from "../store/retryOnConflict.ts";
import type { Clock } from "../time/clock.ts";
import type { Principal } from "./credentials.ts";
import { createSecret, digestOf, type PresentedSecret, sameDigest } from "./secrets.ts";

/** Validity of an invitation token in seconds (docs/spec.md#invitation-tokens). */
const lifetime = 30 * 24 * 60 * 60;

/**
 * Maximum number of tokens per invitation. Anyone who knows an address can request five links a day for it, 150 within the
 * life of a link, so they must not displace earlier ones. The rest is for mails that are sent again.
 */
const maxAtOnce = 200;

interface StoredToken {
  digest: string;
  /** Epoch seconds. */
  expires: number;
}

/** The tokens of an invitation, with all data that the authorization of a request needs. */
interface InvitationTokens {
  /** In the order of their creation, which is also that of their expiry. */
  tokens: readonly StoredToken[];
  /** Epoch seconds at which the newest token expires; the time-to-live attribute of DynamoDB. */
  expires: number;
  crb_id: string;
  sp_id: string;
}

type TokensItem = Item & InvitationTokens;

interface TokenOf {
  invitationId: string;
  crbId: string;
  spId: string;
}

/**
 * Creates a token of an invitation. The previous tokens stay valid until `endOlderTokens` ends them. So if the mail cannot
 * be sent, or a stranger requested it, the previous links still work.
 *
 * @returns the token, which is mailed and never stored, and the write that stores its digest. The write fails if
 * another process changed the tokens in the meantime
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
  const tokens = oldest ? [oldest, ...others.slice(2 - maxAtOnce), made] : [made];
  const stored: InvitationTokens = { tokens, expires: made.expires, crb_id: crbId, sp_id: spId };
  return { token, write: table.putWrite({ ...invitationTokenKey(invitationId), ...stored }, asRead(before)) };
}

/**
 * Ends all tokens of an invitation that are older than a token. Called after SES has accepted an invitation with the token,
 * and when its user makes a change with it: a link that a stranger requested reaches only the user. Does nothing if the token
 * has already ended, or if it is the oldest token.
 *
 * @param token its invitation and digest
 */
export async function endOlderTokens(
  table: Table,
  { clientId: invitationId, digest }: Pick<PresentedSecret, "clientId" | "digest">,
  clock: Clock,
): Promise<void> {
  await retryOnConflict(clock, async () => {
    const before = await readTokens(table, invitationId);
    const tokens = storedTokens(before);
    const index = tokens.findIndex((each) => each.digest === digest);
    if (!before || index <= 0) return;
    await table.transact([table.putWrite({ ...before, tokens: tokens.slice(index) }, asRead(before))]);
  });
}

const readTokens = async (table: Table, invitationId: string) =>
  (await table.get(invitationTokenKey(invitationId), { consistent: true })) as TokensItem | undefined;

/** The stored tokens in the order of their creation. */
const storedTokens = (stored: TokensItem | undefined): readonly StoredToken[] => stored?.tokens ?? [];

/** The condition that the tokens have not changed since they were read. */
function asRead(stored: TokensItem | undefined): Condition {
  if (!stored) return { expression: "attribute_not_exists(pk)" };
  return { expression: "tokens = :tokens", values: { ":tokens": stored.tokens } };
}

/**
 * Proves an invitation token. All failures take the same time and give the same response.
 *
 * @throws ServiceError "unauthorized"
 */
export function proveInvitationToken(item: Item | undefined, { clientId, digest }: PresentedSecret): Principal {
  const stored = item as TokensItem | undefined;
  const known = stored ? storedTokens(stored) : [{ digest: noDigest, expires: 0 }];
  const [proved] = known.filter((each) => sameDigest(each.digest, digest));
  if (!stored || !proved || proved.expires <= Date.now() / 1000) throw unauthorized();
  return {
    clientId,
    owner: { kind: "invitedUser", id: stored.crb_id },
    spId: stored.sp_id,
    scopes: [],
    ...(proved !== known[0] && { hasEarlierLinks: true }),
  };
}

/**
 * A digest that no token has. A comparison with this digest takes the same time as a comparison with the digest of a
 * stored token.
 */
const noDigest = "0".repeat(64);
