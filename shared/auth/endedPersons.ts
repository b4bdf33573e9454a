import type { Table } from "../store/client.ts";
import {
  endedPersonKey,
  endedPersonPrefix,
  identityProviderKey,
  permittedPersonKey,
  tokenKey,
} from "../store/keys/credentials.ts";
import { type Clock, systemClock } from "../time/clock.ts";
import type { Person } from "./roles.ts";

/** The maximum length of the id of a person at an identity provider. */
export const maxSubLength = 255;

/**
 * Ends the access of a person until `permitPerson`: deletes the person's tokens, and no further ID token of the person is
 * exchanged, whatever the identity provider says. What the person made stays. If a call fails, another one finishes its work.
 *
 * @returns the number of deleted tokens
 */
export async function endPerson(table: Table, spId: string, sub: string, clock: Clock = systemClock): Promise<number> {
  // Mark the person first: a token is stored only if the mark does not exist (`issueToken`).
  await table.put({ ...endedPersonKey(spId, sub), sub, ended_at: clock.now().toISOString() });
  const settings = await table.get(identityProviderKey(spId), { consistent: true });
  if (!settings) return 0;
  const { pk, sk: prefix } = tokenKey(String(settings.credential_id), "");
  const tokens = await table.queryPartition(pk, { prefix, consistent: true });
  const own = tokens.filter(({ person }) => (person as Person | undefined)?.sub === sub);
  await table.batchDelete(own);
  return own.length;
}

/** Lets a person sign in again. A replay of an earlier end then changes nothing. */
export const permitPerson = (table: Table, spId: string, sub: string, clock: Clock = systemClock): Promise<void> =>
  table.transact([
    table.deleteWrite(endedPersonKey(spId, sub)),
    table.putWrite({ ...permittedPersonKey(spId, sub), permitted_at: clock.now().toISOString() }),
  ]);

/** Whether the operator has permitted a person again after a time. */
export async function isPermittedSince(table: Table, spId: string, sub: string, time: Date): Promise<boolean> {
  const item = await table.get(permittedPersonKey(spId, sub), { consistent: true });
  return item !== undefined && String(item.permitted_at) > time.toISOString();
}

/** The persons whose access the operator has ended, by the time of the end. */
export async function listEndedPersons(table: Table, spId: string): Promise<{ sub: string; ended_at: string }[]> {
  const { pk } = endedPersonKey(spId, "");
  const items = await table.queryPartition(pk, { prefix: endedPersonPrefix, consistent: true });
  return items
    .map(({ sub, ended_at }) => ({ sub: String(sub), ended_at: String(ended_at) }))
    .sort((one, other) => (one.ended_at < other.ended_at ? -1 : 1));
}
