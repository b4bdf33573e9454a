import { itemId, type Table } from "../store/client.ts";
import { type ChangeWithEvents, commitWithEvents } from "../store/eventLog/commitWithEvents.ts";
import { credentialKey } from "../store/keys/credentials.ts";
import { retryOnConflict } from "../store/retryOnConflict.ts";
import { type Clock, systemClock } from "../time/clock.ts";
import { credentialEvent, type ListedCredential, listCredentials } from "./credentials.ts";

/** So many revocations fit one transaction: each may bring an event of another CRB. */
const revokedAtOnce = 45;

type Revoked = Pick<ListedCredential, "client_id" | "owner" | "sp_id">;

/** What ends good credentials, for `commit`: refused where one of them was ended meanwhile. */
export const buildRevocations = (table: Table, credentials: readonly Revoked[], now: Date): ChangeWithEvents => ({
  writes: credentials.map(({ client_id }) =>
    table.updateWrite(
      credentialKey(client_id),
      { expression: "SET revoked_at = :now", values: { ":now": now.toISOString() } },
      "attribute_exists(pk) AND attribute_not_exists(revoked_at)",
    ),
  ),
  events: credentials.map((credential) => credentialEvent("credential.revoked", credential)),
});

/**
 * Ends credentials, and with each every token made from it, in as many transactions as that takes. One that was revoked
 * before keeps its date.
 */
export async function revokeCredentials(table: Table, clientIds: readonly string[], clock: Clock = systemClock) {
  for (let done = 0; done < clientIds.length; done += revokedAtOnce) {
    const keys = clientIds.slice(done, done + revokedAtOnce).map(credentialKey);
    await retryOnConflict(clock, async () => {
      const attributes = ["client_id", "owner", "sp_id", "revoked_at"];
      const stored = await table.batchGet(keys, { consistent: true, attributes });
      const found = keys.flatMap((key) => (stored.get(itemId(key)) as ListedCredential | undefined) ?? []);
      const good = found.filter(({ revoked_at }) => revoked_at === undefined);
      if (good.length > 0) await commitWithEvents(table, buildRevocations(table, good, clock.now()), clock);
    });
  }
}

/**
 * Ends credentials until none is left: those too that are issued while others are ended.
 *
 * @param look finds those that are good
 * @returns what it has ended
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
 * The credentials that a credential has issued, and those that these have issued in turn, also revoked ones.
 *
 * @param spId the service provider that owns the credential, or has issued it
 */
export async function listIssuedCredentials(table: Table, spId: string, clientId: string): Promise<ListedCredential[]> {
  const byIssuer = Map.groupBy(await listCredentials(table, spId), ({ issued_by }) => issued_by);
  const found = [...(byIssuer.get(clientId) ?? [])];
  // Grows while it is walked through. Nothing is issued by two, so that nothing comes twice.
  for (const { client_id } of found) found.push(...(byIssuer.get(client_id) ?? []));
  return found;
}

/** Those of `issuedBy` that are not revoked. */
export const listActiveIssuedCredentials = async (
  table: Table,
  spId: string,
  clientId: string,
): Promise<ListedCredential[]> =>
  (await listIssuedCredentials(table, spId, clientId)).filter(({ revoked_at }) => revoked_at === undefined);

/**
 * Ends a credential, every token made from it and, unless `keepIssued`, every credential that it has issued, directly or
 * by one that it has issued: whoever had a leaked key may have issued more. An unknown client id changes nothing.
 *
 * Called again it ends what is left, such as after a crash.
 *
 * @returns the credentials that were ended with it
 */
export async function revokeCredential(
  table: Table,
  clientId: string,
  { keepIssued = false }: { keepIssued?: boolean } = {},
  clock: Clock = systemClock,
): Promise<ListedCredential[]> {
  const item = await table.get(credentialKey(clientId), { consistent: true });
  if (!item) return [];
  await revokeCredentials(table, [clientId], clock);
  if (keepIssued) return [];
  // What has been revoked issues no more (`issueCrbAccess`), so that nothing escapes the last look.
  return revokeAllFound(table, () => listActiveIssuedCredentials(table, item.sp_id as string, clientId), clock);
}
