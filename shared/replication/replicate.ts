import { ServiceError } from "../api/errors.ts";
import { type Connection, type Connector, PosError } from "../pos/connector.ts";
import type { Table } from "../table/client.ts";
import { type Clock, systemClock } from "../table/clock.ts";
import { type RankedList, type RecordKind, recordKey, recordList } from "../table/keys.ts";
import { LeaseLostError } from "../table/rankedList/fence.ts";
import { RecordWriter } from "../table/rankedList/recordWriter.ts";
import { readErased, withoutErased } from "./erasedCustomers.ts";
import { acquireLease, type Counts, type Lease, leaseMilliseconds } from "./lease.ts";
import { recordId } from "./recordId.ts";
import { replicatedKinds } from "./replicatedKinds.ts";
import { SeenRanks } from "./seenRanks.ts";

export interface ReplicateOptions {
  /** after this the run stops at the next page, to be gone on with later; without it it goes to its end */
  deadline?: Date;
  clock?: Clock;
}

/**
 * How a run ended. `finished`: the table holds what the POS held when the run started. `unfinished`: the deadline came
 * first. `held`: another worker is at it, nothing was done. `lost`: another worker took over, this one stopped.
 */
export type ReplicationResult =
  | ({ outcome: "finished" | "unfinished" } & Counts)
  | { outcome: "held"; until: Date }
  | { outcome: "lost" };

/**
 * Brings the table up to date with one kind of a business's records in its POS, under a lease. It may be killed at any
 * point and run again: what is written twice is the same, and a run goes on where the last saved page ended.
 *
 * @throws PosError when the POS refuses or cannot be reached, ServiceError "unavailable" when the table cannot; the
 * lease is given back before
 */
export async function replicate<Kind extends RecordKind>(
  table: Table,
  connection: Connection,
  connector: Connector,
  kind: Kind,
  options: ReplicateOptions = {},
): Promise<ReplicationResult> {
  const needsSeen = replicatedKinds[kind].afterCompletePull !== undefined;
  const lease = await acquireLease(table, connection.crbId, kind, options.clock, { needsSeen });
  if ("heldUntil" in lease) {
    return { outcome: "held", until: lease.heldUntil };
  }
  // A failed renewal shows at the next write, which is conditional on the lease too.
  const renewal = setInterval(() => lease.renew().catch(() => {}), leaseMilliseconds / 3);
  const seen = new SeenRanks(lease.seen);
  try {
    return await run(table, connection, connector, kind, lease, seen, options);
  } catch (error) {
    if (error instanceof LeaseLostError) {
      return { outcome: "lost" };
    }
    await lease.release(failureCode(error), needsSeen ? seen.toBytes() : null).catch(() => {});
    throw error;
  } finally {
    clearInterval(renewal);
  }
}

async function run<Kind extends RecordKind>(
  table: Table,
  connection: Connection,
  connector: Connector,
  kind: Kind,
  lease: Lease,
  seen: SeenRanks,
  { deadline, clock = systemClock }: ReplicateOptions,
): Promise<ReplicationResult> {
  const { normalise, writerOptions, beforePage, afterCompletePull } = replicatedKinds[kind];
  const context = { table, connection, fence: lease.fence, clock };
  const list = recordList(connection.crbId, kind);
  const writer = new RecordWriter(table, list, { fence: lease.fence, clock, ...writerOptions?.(context) });
  const erased = await readErased(table, connection.crbId);
  const counts = { ...lease.counts };
  let position = lease.position;
  for (;;) {
    const page = await connector.pull(connection, { kind, since: lease.since, position, now: lease.startedAt });
    await beforePage?.(context);
    const records = page.records.map((record) => normalise(connection, record)).filter((record) => record !== null);
    const written = await writer.write(withoutErased(connection, kind, records, erased));
    counts.created += written.created;
    counts.changed += written.changed;
    counts.unchanged += written.unchanged;
    counts.rejected += page.records.length - records.length + written.rejected.length + page.rejected.length;
    if (afterCompletePull) {
      for (const rank of written.ranks) seen.add(rank);
      // What the POS names has not vanished, even if it cannot be stored as it is now.
      const refused = page.rejected.map(({ posId }) => recordId(connection.crbId, kind, connection.posType, posId));
      for (const rank of await ranksOf(table, list, [...refused, ...written.rejected.map(({ id }) => id)])) {
        seen.add(rank);
      }
    }
    if ("watermark" in page.next) {
      if (page.complete) counts.changed += (await afterCompletePull?.(context, writer, seen)) ?? 0;
      await lease.finish(page.next.watermark, counts);
      return { outcome: "finished", ...counts };
    }
    position = page.next.position;
    await lease.save(position, counts, page.total);
    if (deadline && clock.now() >= deadline) {
      await lease.release(null, afterCompletePull ? seen.toBytes() : null);
      return { outcome: "unfinished", ...counts };
    }
  }
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
