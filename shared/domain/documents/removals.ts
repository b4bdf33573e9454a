import { randomBytes } from "node:crypto";
import type { MimeType } from "../../api/enumerations.ts";
import { describeError, log } from "../../platform/aws/log.ts";
import type { Item, Table } from "../../store/client.ts";
import { mapInGroups } from "../../store/groups.ts";
import type { Key } from "../../store/keys/key.ts";
import { afterTime, lastKeyOf } from "../../store/keys/key.ts";
import { removalKey, removalPartition } from "../../store/keys/onboarding.ts";
import { isPast } from "../../time/deadline.ts";
import { type Bucket, fileKey } from "./bucket.ts";

/** Milliseconds after which an object without a record is removed (docs/spec.md#uploads-and-downloads). */
const day = 24 * 60 * 60_000;

/** Objects that a sweep removes at the same time. */
const atOnce = 10;

/** An unguessable key that reveals nothing about the file. */
export const newStorageKey = (crbId: string): string => `${crbId}/${randomBytes(32).toString("base64url")}`;

/** Whether the key is of a document, which has two objects, and not of an upload or of a file of an export. */
const isDocument = (storageKey: string): boolean => !/^(uploads|exports)\//.test(storageKey);

/**
 * The key of an item that plans the removal of an object after one day. The item is written before the object is
 * stored, and the transaction that creates the object's record deletes the item. If a crash prevents the record, the
 * object is removed after a day.
 */
export const intentOf = (storageKey: string, now: Date): Key =>
  removalKey(new Date(now.getTime() + day).toISOString(), storageKey);

/**
 * The key of an item that plans the removal of an object now. With this item, the sweeper removes the object even if
 * the caller crashes.
 */
export const removalOf = (storageKey: string, now: Date): Key => removalKey(now.toISOString(), storageKey);

/**
 * Stores a document's file and its base64 text under a new key.
 *
 * @returns the key, and the planned removal that the transaction with the record must delete
 */
export async function storeWithIntent(
  table: Table,
  bucket: Bucket,
  crbId: string,
  { base64, file_type }: { base64: string; file_type: MimeType },
): Promise<{ storageKey: string; intent: Key }> {
  const storageKey = newStorageKey(crbId);
  const intent = intentOf(storageKey, new Date());
  await table.put(intent as Item);
  await bucket.store(storageKey, base64, file_type);
  return { storageKey, intent };
}

/** The CRBs of all open uploads, and of other uploads of the last day: `planUpload` plans the removal of each. */
export async function findUploadingCrbs(table: Table): Promise<ReadonlySet<string>> {
  const planned = await table.queryPartition(removalPartition, { consistent: true });
  return new Set(planned.flatMap(({ sk }) => /^uploads\/([^/]+)\//.exec(afterTime(sk))?.[1] ?? []));
}

/**
 * Tries a planned removal now. If S3 fails, the sweeper retries it.
 *
 * @returns whether the removal is done
 */
export async function remove(table: Table, bucket: Bucket, removal: Key): Promise<boolean> {
  try {
    const storageKey = afterTime(removal.sk);
    await bucket.remove(storageKey);
    if (isDocument(storageKey)) await bucket.remove(fileKey(storageKey));
    await table.delete(removal);
    return true;
  } catch (error) {
    log.error("object not removed", { error: describeError(error) });
    return false;
  }
}

/**
 * Executes every planned removal that is due. A failed removal does not stop the other removals; the next call retries
 * it.
 *
 * @param options.crbId limits the removals to the documents of one CRB; if absent, objects of all CRBs are removed, including
 *   uploads and files of exports
 * @param options.deadline after this time, the sweep begins no further removal; the next call continues
 */
export async function sweepRemovals(
  table: Table,
  bucket: Bucket,
  now: Date,
  { crbId, deadline }: { crbId?: string; deadline?: Date } = {},
): Promise<{ removed: number; failed: number }> {
  const planned = await table.queryPartition(removalPartition, { to: lastKeyOf(now.toISOString()) });
  const due = planned.filter(({ sk }) => crbId === undefined || afterTime(sk).startsWith(`${crbId}/`));
  const results: boolean[] = [];
  for await (const some of mapInGroups(due, atOnce, (removal) => remove(table, bucket, removal))) {
    results.push(...some);
    if (isPast(table.clock, deadline)) break;
  }
  const removed = results.filter((isRemoved) => isRemoved).length;
  return { removed, failed: results.length - removed };
}
