import { ServiceError } from "../api/errors.ts";
import type { RecordKind } from "../kinds.ts";
import {
  type Connection,
  type Connector,
  PosError,
  type PosFailure,
  type PullPage,
  type RejectedPosRecord,
} from "../pos/connector.ts";
import { posIdOf } from "../pos/posRecords.ts";
import { itemId, type Table } from "../table/client.ts";
import { type RankedList, recordKey, recordList } from "../table/keys.ts";
import { defaultChapterSize } from "../table/rankedList/directory.ts";
import { LeaseLostError } from "../table/rankedList/fence.ts";
import { type RecordToWrite, RecordWriter } from "../table/rankedList/recordWriter.ts";
import { recordId } from "../table/recordId.ts";
import { type Clock, systemClock } from "../time/clock.ts";
import { readErased, withoutErased } from "./erasedCustomers.ts";
import { acquireLease, type Counts, Lease, leaseMilliseconds, type NoLease } from "./lease.ts";
import { RejectedRecords } from "./rejectedRecords.ts";
import { replicatedKinds } from "./replicatedKinds.ts";
import { retryPause } from "./retryPause.ts";
import { SeenRanks } from "./seenRanks.ts";

export interface ReplicateOptions {
  /** after this the run stops at the next page, to be gone on with later; without it it goes to its end */
  deadline?: Date;
  /** when the run was planned; see `LeaseOptions`. Without it the run begins in any case */
  plannedAt?: string | undefined;
  /**
   * asked once under the lease: whether the connection is still what it was when it was read. Whoever changes it takes
   * the leases away, but only from those who have one
   */
  isCurrent?: () => Promise<boolean>;
  /** everything is read from the beginning, and what was set aside before is forgotten at the end */
  anew?: boolean;
  /** told of each page that is written: the counts of the run up to it, and what of it was set aside */
  onPage?: (counts: Counts, rejected: readonly RejectedPosRecord[]) => void;
  clock?: Clock;
  /** of the list of records; tests have small ones */
  chapterSize?: number;
}

/**
 * How a run ended. `finished`: the table holds what the POS held when the run started. `unfinished`: the deadline came
 * first. `failed`: the POS could not be read, for the `attempts`th time in a row; planned runs wait until `retryAt`. `held`: another worker is at it, nothing
 * was done. `lost`: another worker took over, or the connection was changed; this one stopped. Of planned runs only, and nothing was done: `early`, it
 * is to wait because of an earlier failure; `needless`, one that began later has succeeded.
 */
export type ReplicationResult =
  | ({ outcome: "finished" | "unfinished" } & Counts)
  | { outcome: "failed"; failure: PosFailure; code: string | undefined; retryAt: Date; attempts: number }
  | { outcome: "held"; until: Date }
  | { outcome: "early"; until: Date; error: string | null; attempts: number }
  | { outcome: "needless" | "lost" };

/**
 * Brings the table up to date with one kind of a business's records in its POS, under a lease. It may be killed at any
 * point and run again: what is written twice is the same, and a run goes on where the last saved page ended.
 *
 * @throws ServiceError "unavailable" when the table cannot be reached; the lease is given back before
 */
export async function replicate<Kind extends RecordKind>(
  table: Table,
  connection: Connection,
  connector: Connector,
  kind: Kind,
  options: ReplicateOptions = {},
): Promise<ReplicationResult> {
  const needsSeen = replicatedKinds[kind].afterCompletePull !== undefined;
  const { plannedAt, anew = false, clock } = options;
  const lease = await acquireLease(table, connection.crbId, kind, clock, { needsSeen, plannedAt, anew });
  if (!(lease instanceof Lease)) return withoutLease(lease);
  // A failed renewal shows at the next write, which is conditional on the lease too.
  const renewal = setInterval(() => lease.renew().catch(() => {}), leaseMilliseconds / 3);
  const seen = new SeenRanks(lease.seen);
  try {
    if (options.isCurrent && !(await options.isCurrent())) {
      await lease.release(lease.seen);
      return { outcome: "lost" };
    }
    return await run(table, connection, connector, kind, lease, seen, options);
  } catch (error) {
    if (error instanceof LeaseLostError) return { outcome: "lost" };
    const pause = (attempts: number) => (error instanceof PosError ? retryPause(error, attempts) : null);
    const { retryAt, attempts } = await lease
      .fail(failureCode(error), needsSeen ? seen.toBytes() : null, pause)
      // A table that is out of reach is what failed the run; who has the lease now needs no telling.
      .catch(() => ({ retryAt: null, attempts: 0 }));
    if (!(error instanceof PosError && retryAt)) throw error;
    return { outcome: "failed", failure: error.failure, code: error.code, retryAt, attempts };
  } finally {
    clearInterval(renewal);
  }
}

function withoutLease(reason: NoLease): ReplicationResult {
  if ("heldUntil" in reason) return { outcome: "held", until: reason.heldUntil };
  if ("notBefore" in reason) {
    const { notBefore: until, error, attempts } = reason;
    return { outcome: "early", until, error, attempts };
  }
  return { outcome: "needless" };
}

async function run<Kind extends RecordKind>(
  table: Table,
  connection: Connection,
  connector: Connector,
  kind: Kind,
  lease: Lease,
  seen: SeenRanks,
  { deadline, onPage, clock = systemClock, chapterSize = defaultChapterSize }: ReplicateOptions,
): Promise<ReplicationResult> {
  const { writerOptions, complete, settledUpTo, beforeRun, beforePage, afterCompletePull } = replicatedKinds[kind];
  const { crbId, posType } = connection;
  const context = { table, connection, lease, fence: lease.fence, clock };
  const list = recordList(crbId, kind);
  const idOf = (posId: string) => recordId(crbId, kind, posType, posId);
  const writer = new RecordWriter(table, list, {
    fence: lease.fence,
    clock,
    chapterSize,
    ...writerOptions?.(context),
  });
  const [erased, rejections] = await Promise.all([
    readErased(table, crbId),
    RejectedRecords.load(table, crbId, kind, lease.fence, clock),
  ]);
  const known = async (posIds: readonly string[]) => {
    const items = await table.batchGet(
      posIds.map((posId) => recordKey(list, idOf(posId))),
      { consistent: true, attributes: [] },
    );
    return new Set(posIds.filter((posId) => items.has(itemId(recordKey(list, idOf(posId))))));
  };
  const settled = await settledUpTo?.(context);
  const isSetAside = (posId: string) => rejections.has(posId);
  const asked = { kind, since: lease.since, now: lease.startedAt, known, isSetAside, settled, deadline };
  await beforeRun?.(context);
  const counts = { ...lease.counts };
  let position = lease.position;
  for (;;) {
    const pulled = await connector.pull(connection, { ...asked, position });
    const page = complete ? { ...pulled, records: await complete(context, pulled.records) } : pulled;
    await beforePage?.(context);
    const { made, rejected } = normalisePage(connection, kind, page);
    const written = await writer.write(withoutErased(connection, kind, [...made.values()], erased));
    const tooLarge = new Set(written.rejected.map(({ id }) => id));
    for (const [posId, { id }] of made) {
      if (tooLarge.has(id) && made.delete(posId)) rejected.push({ posId, field: "", reason: "too_large" });
    }
    await rejections.note(rejected, made);
    counts.read += page.records.length + page.rejected.length;
    counts.created += written.created;
    counts.changed += written.changed;
    counts.unchanged += written.unchanged;
    counts.rejected += rejected.length;
    onPage?.(counts, rejected);
    if (afterCompletePull) {
      // What the POS names has not vanished, even if it cannot be stored as it is now.
      const refused = await ranksOf(
        table,
        list,
        rejected.map(({ posId }) => idOf(posId)),
      );
      for (const rank of [...written.ranks, ...refused]) seen.add(rank);
    }
    if ("watermark" in page.next) {
      if (page.complete) counts.changed += (await afterCompletePull?.(context, writer, seen)) ?? 0;
      // Without a watermark everything there is was read, also by those who were at it before.
      if (page.complete || lease.since === null) await rejections.dropBefore(lease.startedAt);
      await lease.finish(page.next.watermark, counts);
      return { outcome: "finished", ...counts };
    }
    position = page.next.position;
    await lease.save(position, counts, page.total);
    if (deadline && clock.now() >= deadline) {
      await lease.release(afterCompletePull ? seen.toBytes() : null);
      return { outcome: "unfinished", ...counts };
    }
  }
}

/** The records of a page, by their ids in the POS, and what had to be set aside. */
function normalisePage<Kind extends RecordKind>(connection: Connection, kind: Kind, page: PullPage<Kind>) {
  const { normalise, refuses = { field: "", reason: "no_record" } } = replicatedKinds[kind];
  const made = new Map<string, RecordToWrite>();
  const rejected = [...page.rejected];
  for (const record of page.records) {
    const posId = posIdOf(kind, record);
    const normalised = normalise(connection, record);
    // Deleted first, so that of a record that comes twice the later one counts, and comes later.
    made.delete(posId);
    if (normalised) made.set(posId, normalised);
    else rejected.push({ posId, ...refuses });
  }
  return { made, rejected };
}

/** Where records stand that are in the table; others have no rank. */
async function ranksOf(table: Table, list: RankedList, ids: readonly string[]): Promise<string[]> {
  const keys = ids.map((id) => recordKey(list, id));
  const items = await table.batchGet(keys, { consistent: true, attributes: ["rank"] });
  return [...items.values()].map(({ rank }) => rank as string);
}

/** What stopped a run, as a code: a message might hold what must not be stored. */
export function failureCode(error: unknown): string {
  if (error instanceof PosError) {
    return error.failure;
  }
  return error instanceof ServiceError ? error.kind : "unexpected";
}
