import { itemId, type Table } from "../store/client.ts";
import { type ChangeWithEvents, commitWithEvents } from "../store/eventLog/commitWithEvents.ts";
import { credentialKey } from "../store/keys/credentials.ts";
import { retryOnConflict } from "../store/retryOnConflict.ts";
import { type Clock, systemClock } from "../time/clock.ts";
import { credentialEvent, type ListedCredential, listCredentials } from "./credentials.ts";
import { reportForeignRevocations, selectIssued } from "./revocationRights.ts";

/**
 * Maximum number of revocations per transaction. It is below the limit of DynamoDB, because each revocation can add an
 * event for a different CRB.
 */
const revokedAtOnce = 45;

type Revoked = Pick<ListedCredential, "client_id" | "owner" | "sp_id">;

/**
 * The writes and events that revoke active credentials, for `commitWithEvents`. The transaction fails if another
 * process has revoked one of these credentials in the meantime.
 */
export const buildRevocations = (
  table: Table,
  credentials: readonly Revoked[],
  now: Date,
  revokedBy?: string,
): ChangeWithEvents => ({
  writes: credentials.map(({ client_id }) =>
    table.updateWrite(
      credentialKey(client_id),
      {
        expression: revokedBy === undefined ? "SET revoked_at = :now" : "SET revoked_at = :now, revoked_by = :by",
        values: { ":now": now.toISOString(), ...(revokedBy !== undefined && { ":by": revokedBy }) },
      },
      "attribute_exists(pk) AND attribute_not_exists(revoked_at)",
    ),
  ),
  events: credentials.map((credential) => credentialEvent("credential.revoked", credential)),
});

/**
 * Revokes credentials and all their tokens, in as many transactions as needed. A credential that is already revoked
 * keeps its date of revocation.
 *
 * @param revokedBy client id of the credential that requested the revocations; undefined for any other cause
 */
export async function revokeCredentials(
  table: Table,
  clientIds: readonly string[],
  clock: Clock = systemClock,
  revokedBy?: string,
) {
  for (let done = 0; done < clientIds.length; done += revokedAtOnce) {
    const keys = clientIds.slice(done, done + revokedAtOnce).map(credentialKey);
    await retryOnConflict(clock, async () => {
      const attributes = ["client_id", "owner", "sp_id", "revoked_at"];
      const stored = await table.batchGet(keys, { consistent: true, attributes });
      const found = keys.flatMap((key) => (stored.get(itemId(key)) as ListedCredential | undefined) ?? []);
      const good = found.filter(({ revoked_at }) => revoked_at === undefined);
      if (good.length > 0) await commitWithEvents(table, buildRevocations(table, good, clock.now(), revokedBy), clock);
    });
  }
}

/**
 * Revokes credentials until `look` finds no further active credential. So credentials that are issued while the
 * function runs are also revoked.
 *
 * @param look finds the active credentials to revoke
 * @returns the revoked credentials
 */
export async function revokeAllFound(
  table: Table,
  look: () => Promise<ListedCredential[]>,
  clock: Clock,
): Promise<ListedCredential[]> {
  const revoked: ListedCredential[] = [];
  for (let left = await look(); left.length > 0; left = await look()) {
    await revokeCredentials(
      table,
      left.map(({ client_id }) => client_id),
      clock,
    );
    revoked.push(...left);
  }
  return revoked;
}

/**
 * The credentials that a credential has issued, directly or through other credentials, including revoked credentials.
 *
 * @param spId the service provider that owns or has issued the credential
 */
export async function listIssuedCredentials(table: Table, spId: string, clientId: string): Promise<ListedCredential[]> {
  return selectIssued(await listCredentials(table, spId), clientId);
}

/** The unrevoked credentials that a credential has issued, directly or through other credentials. */
export const listActiveIssuedCredentials = async (
  table: Table,
  spId: string,
  clientId: string,
): Promise<ListedCredential[]> =>
  (await listIssuedCredentials(table, spId, clientId)).filter(({ revoked_at }) => revoked_at === undefined);

/**
 * Revokes a credential with its tokens and, unless `keepIssued`, all credentials that it has issued, directly or
 * through other credentials: the holder of a leaked key may have issued further credentials. An unknown client id
 * changes nothing. If a crash interrupts the revocation, another call completes it.
 *
 * @param options `revokedBy`: client id of the credential that requests the revocation; absent for the operator
 *
 * @returns the credentials that this call revoked, without the given credential
 */
export async function revokeCredential(
  table: Table,
  clientId: string,
  { keepIssued = false, revokedBy }: { keepIssued?: boolean; revokedBy?: string } = {},
  clock: Clock = systemClock,
): Promise<ListedCredential[]> {
  const item = await table.get(credentialKey(clientId), { consistent: true });
  if (!item) return [];
  const spId = item.sp_id as string;
  await revokeCredentials(table, [clientId], clock, revokedBy);
  // Report before the rest of the work, which may fail. Of two simultaneous revocations, the later read finds both.
  if (revokedBy !== undefined) reportForeignRevocations(await listCredentials(table, spId), [clientId], clock.now());
  if (keepIssued) return [];
  // A revoked credential cannot issue further credentials (`issueCrbAccess`), so none remains active when `look` finds
  // none.
  return revokeAllFound(table, () => listActiveIssuedCredentials(table, spId, clientId), clock);
}
