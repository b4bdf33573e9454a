import type { RecordKind } from "../../api/kinds.ts";
import { isUploaded, lacks } from "../../api/pos/posTypes.ts";
import type { Connection, Connector, PullPage, RejectedPosRecord } from "../../pos/connector.ts";
import { withRequestGuard } from "../../pos/framework/requestGuard.ts";
import { posIdOf } from "../../pos/posRecords.ts";
import { itemId, type Table } from "../../store/client.ts";
import { indexingOptions } from "../../store/indexingOptions.ts";
import { type OrderedList, recordKey, recordList } from "../../store/keys/orderedLists.ts";
import { checkFence } from "../../store/orderedList/fence.ts";
import { FingerprintGroups } from "../../store/orderedList/fingerprintGroups.ts";
import { type RecordToWrite, RecordWriter, type WriteResult } from "../../store/orderedList/recordWriter.ts";
import { recordId } from "../../store/recordId.ts";
import { checkDeadline } from "../../time/deadline.ts";
import { canCompleteSalesDays, tryCompleteSalesDays } from "./completeSalesDays.ts";
import { confirmPull } from "./confirmPull.ts";
import { eraseMergedCustomers, markMergedErased, readErased, removeErasedCustomers } from "./erasedCustomers.ts";
import { RejectedRecords } from "./rejectedRecords.ts";
import { replicatedKinds } from "./replicatedKinds.ts";
import type { ReplicationLease } from "./replicationLease.ts";
import type { Counts, Unconfirmed } from "./replicationState.ts";
import type { RunContext } from "./runContext.ts";
import type { SeenPositions } from "./seenPositions.ts";

/** The lease and progress of a run, and the listener that is called for each page. */
export interface PullProgress {
  lease: ReplicationLease;
  /** updated after each page */
  counts: Counts;
  /** positions of the records that the pull has named; only for inventory, where missing records are set to quantity 0 */
  seen: SeenPositions | undefined;
  onPage: ((counts: Counts, rejected: readonly RejectedPosRecord[]) => void) | undefined;
  /** segment size of the list of records; tests use small segments */
  segmentSize: number | undefined;
  /** whether to compare everything with the stored records, see `ReplicateOptions` */
  isFullRead: boolean;
  /** whether all earlier changes of the list are announced */
  isAnnounced: boolean;
  /** becomes true before records are written */
  hasWritten: boolean;
}

/** A run that has written nothing saves its position after this time: to read its pages again costs less than more writes. */
const saveEveryMs = 10_000;

/**
 * Continues a run to its end, page by page. Once the run has written records, the position is saved after each page, so an
 * interrupted run repeats at most one page.
 *
 * @returns the result, if a later pull must confirm it before it is applied; null if the result was applied
 * @throws OutOfTimeError at the deadline, but only after at least one page
 */
export async function pullRecords<Kind extends RecordKind>(
  context: RunContext,
  connector: Connector,
  kind: Kind,
  progress: PullProgress,
): Promise<Unconfirmed | null> {
  const { table, connection, clock, deadline } = context;
  const { lease, counts, seen, onPage, segmentSize } = progress;
  const { crbId, posType } = connection;
  const {
    writerOptions,
    complete,
    compare,
    readCaughtUpTo: settledUpTo,
    observePage,
    derivedLists,
    findVanished,
  } = replicatedKinds[kind];
  const list = recordList(crbId, kind, segmentSize);
  const idOf = (posId: string) => recordId(crbId, kind, posType, posId);
  const options = { fence: context.fence, clock, deadline: context.cutOff };
  const { completedDays } = lease;
  const rules = { ...indexingOptions[kind], ...(await writerOptions?.(context)), completedDays };
  const writer = new RecordWriter(table, list, { ...options, ...rules });
  const { timezone } = connection;
  const fingerprints = new FingerprintGroups(table, list, {
    isFromStart: lease.position === null,
    isReadingAll: progress.isFullRead,
    timezone,
    ...options,
  });
  const [rejections, caughtUpTo] = await Promise.all([
    RejectedRecords.load(context, kind, lease.startedAt, { isNone: lease.isCaughtUp }),
    settledUpTo?.(context),
  ]);
  let erased: ReadonlySet<string> | undefined;
  const observe = observePage?.(context, lease);
  const known = async (posIds: readonly string[]) => {
    const items = await table.batchGet(
      posIds.map((posId) => recordKey(list, idOf(posId))),
      { consistent: true, attributes: [] },
    );
    return new Set(posIds.filter((posId) => items.has(itemId(recordKey(list, idOf(posId))))));
  };
  const isRejected = (posId: string) => rejections.has(posId);
  const pullRequest = { kind, since: lease.since, now: lease.startedAt, known, isRejected, caughtUpTo, deadline };
  const derived = derivedLists?.(context);
  const write = async (records: readonly RecordToWrite[], ofPage?: FingerprintGroups) => {
    await derived?.beforeChange();
    let written: WriteResult;
    try {
      written = await writer.write(records, ofPage);
    } finally {
      progress.hasWritten ||= writer.hasBegun;
    }
    counts.created += written.created;
    counts.changed += written.changed;
    return written;
  };
  if (!lease.isCaughtUp) await derived?.updateLists();
  let position = lease.position;
  let savedMs = clock.now().getTime();
  for (;;) {
    const request = { ...pullRequest, position };
    const pulled = await withRequestGuard(
      () => checkFence(table, context.fence),
      () => connector.pull(connection, request),
    );
    const page = complete ? { ...pulled, records: await complete(context, pulled.records) } : pulled;
    const { made, rejected: ofPage } = normalizePage(connection, kind, page);
    if (made.size + ofPage.length > 0) erased ??= await readErased(table, crbId);
    const toSkip = erased ?? new Set<string>();
    // Do not record rejected rows of erased customers, because such a record would contain the customer's POS id.
    const rejected = ofPage.filter(({ posId }) => !toSkip.has(idOf(posId)));
    const kept = eraseMergedCustomers(kind, removeErasedCustomers(kind, [...made.values()], toSkip), toSkip);
    const written = made.size > 0 ? await write(kept.records, fingerprints) : nothingWritten;
    if (kept.merged.length > 0) {
      await markMergedErased(context, kept.merged);
      erased = new Set([...toSkip, ...kept.merged]);
    }
    const tooLarge = new Set(written.rejected.map(({ id }) => id));
    for (const [posId, { id }] of made) {
      if (tooLarge.has(id) && made.delete(posId)) rejected.push({ posId, field: "", reason: "too_large" });
    }
    await rejections.recordPage(rejected, made.keys(), counts.withoutId ?? 0);
    await observe?.(pulled.records);
    counts.read += page.records.length + page.rejected.length;
    counts.unchanged += written.unchanged;
    counts.rejected += rejected.length;
    const withoutId = rejected.filter(({ posId }) => !posId).length;
    if (withoutId > 0) counts.withoutId = (counts.withoutId ?? 0) + withoutId;
    if (page.foreign) counts.foreign = (counts.foreign ?? 0) + page.foreign;
    if (compare) {
      const { compared, mismatched } = compare(pulled.records);
      counts.compared = (counts.compared ?? 0) + compared;
      counts.mismatched = (counts.mismatched ?? 0) + mismatched;
    }
    onPage?.(counts, rejected);
    if (seen) {
      // A rejected record counts as seen, because the POS still names it.
      const refused = await ranksOf(
        table,
        list,
        rejected.map(({ posId }) => idOf(posId)),
      );
      for (const rank of [...written.ranks, ...refused]) seen.add(rank);
    }
    if ("watermark" in page.next) {
      await fingerprints.finish();
      const isCounted = page.complete || lease.confirmation.unconfirmed;
      const stock = seen && isCounted ? await findVanished?.(context, seen) : undefined;
      const confirmation = confirmPull(lease.confirmation, {
        startedAt: lease.startedAt,
        isCertain: lacks(posType, kind),
        isComplete: page.complete,
        isEmpty: lease.since === null && counts.read === 0,
        created: counts.created,
        stock,
      });
      const { unconfirmed } = confirmation;
      if (page.complete && !unconfirmed) await stock?.setToZero(write);
      if (!lease.isCaughtUp || progress.hasWritten) await derived?.updateLists();
      if ((page.complete || page.next.readAll) && !unconfirmed) await rejections.dropUnmet();
      // No file says up to which time it has all sales.
      const completesDays = kind === "sale" && !isUploaded(posType);
      const dataAsOf = await lease.finish(page.next, counts, confirmation, {
        timezone,
        isCaughtUp: progress.isAnnounced && !progress.hasWritten && rejections.isNone,
        needsLease: (asOf) =>
          Boolean(completesDays && asOf && canCompleteSalesDays(asOf, connection.timezone, completedDays)),
      });
      if (dataAsOf) {
        await tryCompleteSalesDays(context, dataAsOf, completedDays);
        await lease.releaseAfterFinish();
      }
      return unconfirmed;
    }
    position = page.next.position;
    const now = clock.now().getTime();
    const isOver = deadline !== undefined && now >= deadline.getTime();
    if (progress.hasWritten || isOver || now - savedMs >= saveEveryMs) {
      await lease.save(position, counts, page.total);
      savedMs = now;
    }
    if (isOver) checkDeadline(clock, deadline);
    if (!lease.isCaughtUp || progress.hasWritten) await derived?.updateLists();
  }
}

const nothingWritten: WriteResult = { created: 0, changed: 0, unchanged: 0, rejected: [], ranks: [] };

/** Builds the records of a page, by POS id, and collects the rejected rows. */
function normalizePage<Kind extends RecordKind>(connection: Connection, kind: Kind, page: PullPage<Kind>) {
  const { normalize, refuses = { field: "", reason: "no_record" } } = replicatedKinds[kind];
  const made = new Map<string, RecordToWrite>();
  const rejected = [...page.rejected];
  for (const record of page.records) {
    const posId = posIdOf(kind, record);
    const normalized = normalize(connection, record);
    // Delete an earlier record with this id. Otherwise the map would keep the place of the earlier record in the order.
    made.delete(posId);
    if (normalized) made.set(posId, normalized);
    else rejected.push({ posId, ...refuses });
  }
  return { made, rejected };
}

/** The positions of the stored records with these ids. An id without a stored record has no position in the result. */
async function ranksOf(table: Table, list: OrderedList, ids: readonly string[]): Promise<string[]> {
  const keys = ids.map((id) => recordKey(list, id));
  const items = await table.batchGet(keys, { consistent: true, attributes: ["rank"] });
  return [...items.values()].map(({ rank }) => rank as string);
}
