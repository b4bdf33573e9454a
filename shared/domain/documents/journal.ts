import { randomUUID } from "node:crypto";
import * as z from "zod";
import { UUID } from "../../api/patterns.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import type { Bucket } from "./bucket.ts";

const id = z.string().regex(UUID);

/**
 * The schema of each kind of journal entry. An entry records one permanent removal. The entry contains only ids and,
 * for the secret of a webhook endpoint, a digest of the encrypted secret. `creation` is the CRB's `template_result_id`.
 * This value distinguishes the CRB from a later CRB with the same id.
 */
const entrySchemas = {
  erasure: z.object({ crb_id: id, customer_id: id }),
  end: z.object({ crb_id: id, creation: id }),
  purge: z.object({ crb_id: id, sp_id: id, creation: id }),
  withdrawal: z.object({ crb_id: id, creation: id, invitation_id: id }),
  disconnection: z.object({ crb_id: id, first_connected_at: z.iso.datetime() }),
  revocation: z.object({ client_id: id, keep_issued: z.boolean(), keep_made: z.boolean() }),
  key: z.object({ client_id: id, thumbprint: z.string() }),
  person: z.object({ sp_id: id, sub: z.string() }),
  deletion: z.object({ sp_id: id, endpoint_id: id }),
  rotation: z.object({ sp_id: id, endpoint_id: id, secret: z.string().regex(/^[0-9a-f]{64}$/) }),
  // Must stay the last kind. Entries with the same time are replayed in the order of the kinds, and a service provider
  // can be removed only after its CRBs are purged.
  removal: z.object({ sp_id: id }),
};

export type JournalKind = keyof typeof entrySchemas;
export type JournalEntry = {
  [Kind in JournalKind]: { kind: Kind } & z.infer<(typeof entrySchemas)[Kind]>;
}[JournalKind];

/** The kinds of entries, in the order in which `npm run operator` lists their counts. */
export const journalKinds = Object.keys(entrySchemas) as JournalKind[];

/** The key prefix of all entries. */
export const journalFolder = "journal/";

/**
 * The key prefix of one kind. Permissions use it: a function that may write one kind of entries cannot forge entries of
 * another kind.
 */
export const journalPrefix = (kind: JournalKind): string => `${journalFolder}${kind}/`;

/**
 * Writes a removal to the journal. Await this call before the removal, so that the journal contains every removal that
 * took effect. The journal may also contain removals that were requested but did not take effect.
 *
 * @throws ServiceError "unavailable" if S3 cannot be reached
 */
export async function writeToJournal(bucket: Bucket, { kind, ...entry }: JournalEntry, now: Date): Promise<void> {
  const key = `${journalPrefix(kind)}${now.toISOString()}-${randomUUID()}`;
  await bucket.storeBytes(key, Buffer.from(JSON.stringify(entry)));
}

export interface RevocationOptions {
  keepIssued: boolean;
  keepMade: boolean;
}

/**
 * Writes the revocations of credentials to the journal. Call it before the revocations. The options do not matter for a
 * CRB's credentials, which cannot issue credentials or create resources.
 *
 * @param options.keepIssued whether the credentials that the revoked credentials issued stay valid
 * @param options.keepMade whether the resources that the revoked credentials created or changed are kept
 */
export async function noteRevocations(
  bucket: Bucket,
  clientIds: readonly string[],
  { keepIssued, keepMade }: RevocationOptions = { keepIssued: true, keepMade: true },
  clock: Clock = systemClock,
): Promise<void> {
  for (const client_id of clientIds) {
    await writeToJournal(
      bucket,
      { kind: "revocation", client_id, keep_issued: keepIssued, keep_made: keepMade },
      clock.now(),
    );
  }
}

/** Writes the ends of keys of a credential to the journal. Call it before they end. */
export async function noteKeyEnds(
  bucket: Bucket,
  client_id: string,
  thumbprints: readonly string[],
  clock: Clock = systemClock,
): Promise<void> {
  for (const thumbprint of thumbprints)
    await writeToJournal(bucket, { kind: "key", client_id, thumbprint }, clock.now());
}

/** An entry's key and time. */
export interface JournalPlace {
  kind: JournalKind;
  key: string;
  /** ISO 8601 UTC */
  at: string;
}

/** Lists all entries since an instant, oldest first. `readJournalEntry` reads the content of one entry. */
export async function listJournal(bucket: Bucket, since: Date): Promise<JournalPlace[]> {
  const places: JournalPlace[] = [];
  for (const kind of journalKinds) {
    const prefix = journalPrefix(kind);
    let after = `${prefix}${since.toISOString()}`;
    for (;;) {
      const page = await bucket.list(prefix, after);
      const last = page.at(-1);
      if (!last) break;
      after = last.key;
      for (const { key } of page) places.push({ kind, key, at: key.slice(prefix.length, prefix.length + 24) });
    }
  }
  return places.sort((one, other) => (one.at < other.at ? -1 : 1));
}

/** @throws Error if the object is not an entry of its kind */
export async function readJournalEntry(bucket: Bucket, { kind, key }: JournalPlace): Promise<JournalEntry> {
  const entry = entrySchemas[kind].parse(JSON.parse(String(await bucket.readBytes(key))));
  return { kind, ...entry } as JournalEntry;
}
