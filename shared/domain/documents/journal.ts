import { randomUUID } from "node:crypto";
import * as z from "zod";
import { UUID } from "../../api/patterns.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import type { Bucket } from "./bucket.ts";

const id = z.string().regex(UUID);

/**
 * What was taken away for good, by kind: ids alone, and of a secret of a webhook endpoint a digest of its sealed form.
 * `creation` is the CRB's `template_result_id`, since a CRB that is created anew may get the id that another had.
 */
const entrySchemas = {
  erasure: z.object({ crb_id: id, customer_id: id }),
  end: z.object({ crb_id: id, creation: id }),
  purge: z.object({ crb_id: id, sp_id: id, creation: id }),
  withdrawal: z.object({ crb_id: id, creation: id, invitation_id: id }),
  revocation: z.object({ client_id: id, keep_issued: z.boolean(), keep_made: z.boolean() }),
  deletion: z.object({ sp_id: id, endpoint_id: id }),
  rotation: z.object({ sp_id: id, endpoint_id: id, secret: z.string().regex(/^[0-9a-f]{64}$/) }),
  // The last one: of entries of one instant it follows the purges that it needs.
  removal: z.object({ sp_id: id }),
};

export type JournalKind = keyof typeof entrySchemas;
export type JournalEntry = {
  [Kind in JournalKind]: { kind: Kind } & z.infer<(typeof entrySchemas)[Kind]>;
}[JournalKind];

/** The kinds of entries, in the order in which they are counted. */
export const journalKinds = Object.keys(entrySchemas) as JournalKind[];

/** What the keys of all entries begin with. */
export const journalFolder = "journal/";

/** What the keys of all entries of a kind begin with: who may write one kind can forge no other. */
export const journalPrefix = (kind: JournalKind): string => `${journalFolder}${kind}/`;

/**
 * Notes what is about to be taken away. To be awaited before it is: what took effect is then never missing here, and what
 * is here without having taken effect was asked for.
 *
 * @throws ServiceError "unavailable" when the store cannot be reached
 */
export async function writeToJournal(bucket: Bucket, { kind, ...entry }: JournalEntry, now: Date): Promise<void> {
  const key = `${journalPrefix(kind)}${now.toISOString()}-${randomUUID()}`;
  await bucket.storeBytes(key, Buffer.from(JSON.stringify(entry)));
}

/** Options of the revocation of a credential. */
export interface RevocationOptions {
  keepIssued: boolean;
  keepMade: boolean;
}

/**
 * Notes that credentials are about to be revoked.
 *
 * @param options.keepIssued whether the credentials that they issued stay valid; those of a CRB issue none
 * @param options.keepMade whether the resources that they made or changed stay; those of a CRB make none
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

/** Where an entry is, and when it was noted. */
export interface JournalPlace {
  kind: JournalKind;
  key: string;
  /** ISO 8601 UTC */
  at: string;
}

/** All entries since an instant, oldest first; to be read one by one. */
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

/** @throws Error when what stands there is no entry of its kind */
export async function readJournalEntry(bucket: Bucket, { kind, key }: JournalPlace): Promise<JournalEntry> {
  const entry = entrySchemas[kind].parse(JSON.parse(String(await bucket.readBytes(key))));
  return { kind, ...entry } as JournalEntry;
}
