import type { AccessScope } from "../api/enumerations.ts";
import { notFound } from "../api/errors.ts";
import { type Item, itemId, type Table, unchanged } from "../table/client.ts";
import { type Clock, systemClock } from "../table/clock.ts";
import { associationKey, credentialKey, issuedCredentialsKey } from "../table/keys.ts";
import { untilCommitted } from "../table/untilCommitted.ts";
import { newCredential, revocationWrite } from "./credentials.ts";

/** How many pairs of a service provider for a CRB are good at a time, so that one can be rotated (contract 6.3). */
const goodPairs = 2;

/** The item behind a CRB's pairs. */
interface Issued {
  /** Newest first. */
  client_ids: string[];
  version: number;
}

/**
 * Issues a pair for a CRB and ends those that are one too many, all in one transaction.
 *
 * @returns the pair of contract 9.23; the secret can not be shown again
 * @throws ServiceError "notFound" when the association has ended meanwhile
 */
export async function issueCrbAccess(
  table: Table,
  { spId, crbId, scopes }: { spId: string; crbId: string; scopes: readonly AccessScope[] },
  clock: Clock = systemClock,
): Promise<{ client_id: string; secret: string }> {
  const { pair, item, listing } = newCredential({ owner: { kind: "crb", id: crbId }, spId, scopes });
  const association = associationKey(spId, crbId);
  const listKey = issuedCredentialsKey(spId, crbId);
  return untilCommitted(clock, async () => {
    const found = await table.batchGet([association, listKey], { consistent: true });
    if (!found.has(itemId(association))) throw notFound();
    const issued = found.get(itemId(listKey)) as (Item & Issued) | undefined;
    const ids = [pair.client_id, ...(issued?.client_ids ?? [])];
    await table.transact([
      table.checkWrite(association, { expression: "attribute_exists(pk)" }),
      table.putWrite(item, { expression: "attribute_not_exists(pk)" }),
      table.putWrite(listing),
      table.putWrite(
        { ...listKey, client_ids: ids.slice(0, goodPairs), version: (issued?.version ?? 0) + 1 },
        unchanged("version", issued?.version),
      ),
      ...ids.slice(goodPairs).map((id) => revocationWrite(table, id, clock.now())),
    ]);
    return pair;
  });
}

/** The client ids of a CRB's good pairs that the next one ends. */
export async function endedByNextPair(table: Table, spId: string, crbId: string): Promise<string[]> {
  const issued = (await table.get(issuedCredentialsKey(spId, crbId), { consistent: true })) as
    | (Item & Issued)
    | undefined;
  const ids = issued?.client_ids.slice(goodPairs - 1) ?? [];
  const credentials = await table.batchGet(ids.map(credentialKey), { consistent: true });
  return ids.filter((id) => {
    const credential = credentials.get(itemId(credentialKey(id)));
    return credential && credential.revoked_at === undefined;
  });
}
