import { randomBytes } from "node:crypto";
import { describeError, log } from "../../platform/aws/log.ts";
import type { Item, Table } from "../../store/client.ts";
import type { Key } from "../../store/keys/key.ts";
import { maxSortKeyUntil, removalKey, removalPartition, storageKeyOfRemoval } from "../../store/keys/onboarding.ts";
import type { Bucket } from "./bucket.ts";

/** After how long an object that nobody has a record of is removed (docs/spec.md#uploads-and-downloads). */
const day = 24 * 60 * 60_000;

/** A key that cannot be guessed and says nothing of the file. */
export const newStorageKey = (crbId: string): string => `${crbId}/${randomBytes(32).toString("base64url")}`;

/** What the keys of all objects of a CRB begin with: those of its documents, and of files that became none. */
export const objectPrefixes = (crbId: string): [documents: string, uploads: string] => [
  `${crbId}/`,
  `uploads/${crbId}/`,
];

/**
 * The removal that is planned before an object is stored: unless the record is made within a day, which takes this
 * item away in its transaction, the object goes again. So no crash leaves an object that nobody knows of.
 */
export const intentOf = (storageKey: string, now: Date): Key =>
  removalKey(new Date(now.getTime() + day).toISOString(), storageKey);

/** The removal of an object at once; also when the process ends before it comes to it. */
export const removalOf = (storageKey: string, now: Date): Key => removalKey(now.toISOString(), storageKey);

/**
 * Stores a document's base64 text under a new key.
 *
 * @returns the key, and the removal that the transaction with the record must take away
 */
export async function storeWithIntent(
  table: Table,
  bucket: Bucket,
  crbId: string,
  base64: string,
): Promise<{ storageKey: string; intent: Key }> {
  const storageKey = newStorageKey(crbId);
  const intent = intentOf(storageKey, new Date());
  await table.put(intent as Item);
  await bucket.store(storageKey, base64);
  return { storageKey, intent };
}

/** Does a planned removal now, if the store lets it; else the sweeper will. @returns whether it is done */
export async function remove(table: Table, bucket: Bucket, removal: Key): Promise<boolean> {
  try {
    await bucket.remove(storageKeyOfRemoval(removal.sk));
    await table.delete(removal);
    return true;
  } catch (error) {
    log.error("object not removed", { error: describeError(error) });
    return false;
  }
}

/**
 * Does every removal that is due; one that fails keeps none of the others, and is tried again the next time.
 *
 * @param crbId of whose documents alone; of all, and of uploads, when absent
 */
export async function sweepRemovals(
  table: Table,
  bucket: Bucket,
  now: Date,
  crbId?: string,
): Promise<{ removed: number; failed: number }> {
  const planned = await table.queryPartition(removalPartition, { last: maxSortKeyUntil(now.toISOString()) });
  const due = planned.filter(({ sk }) => crbId === undefined || storageKeyOfRemoval(sk).startsWith(`${crbId}/`));
  let removed = 0;
  for (const removal of due) if (await remove(table, bucket, removal)) removed++;
  return { removed, failed: due.length - removed };
}
