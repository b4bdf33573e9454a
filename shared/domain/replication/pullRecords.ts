import type { RecordKind } from "../../api/kinds.ts";
import { isUploaded, lacks } from "../../api/pos/posTypes.ts";
import type { Connection, Connector, LastPage, PullPage, RejectedPosRecord } from "../../pos/connector.ts";
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
import {
  eraseMergedCustomers,
  keepPosIds,
  markMergedErased,
  readErased,
  removeErasedCustomers,
} from "./erasedCustomers.ts";
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
  const run = await openRun(context, kind, progress);
  await run.updateLists();
  let { position } = progress.lease;
  for (;;) {
    const page = await readPage(run, connector, position);
    await storePage(run, page);
    if ("watermark" in page.next) return finish(run, page, page.next);
    position = page.next.position;
    await saveWhenDue(run, position, page.total);
    await run.updateLists();
  }
}

type Run<Kind extends RecordKind> = Awaited<ReturnType<typeof openRun<Kind>>>;
/** A page of a POS, with the records as the POS has them in `pulled`, and as they are stored in `records`. */
type Page<Kind extends RecordKind> = PullPage<Kind> & { pulled: PullPage<Kind>["records"] };

/** What the pages of a run share. */
async function openRun<Kind extends RecordKind>(context: RunContext, kind: Kind, progress: PullProgress) {
  const { table, connection, clock } = context;
  const { lease, counts } = progress;
  const { writerOptions, readCaughtUpTo, observePage, derivedLists } = replicatedKinds[kind];
  const list = recordList(connection.crbId, kind, progress.segmentSize);
  const options = { fence: context.fence, clock, deadline: context.cutOff };
  const rules = { ...indexingOptions[kind], ...(await writerOptions?.(context)), completedDays: lease.completedDays };
  const writer = new RecordWriter(table, list, { ...options, ...rules });
  const [rejections, caughtUpTo] = await Promise.all([
    RejectedRecords.load(context, kind, lease.startedAt, { isNone: lease.isCaughtUp }),
    readCaughtUpTo?.(context),
  ]);
  const derived = derivedLists?.(context);
  return {
    context,
    kind,
    progress,
    list,
    rejections,
    caughtUpTo,
    idOf: (posId: string) => recordId(connection.crbId, kind, connection.posType, posId),
    fingerprints: new FingerprintGroups(table, list, {
      isFromStart: lease.position === null,
      isReadingAll: progress.isFullRead,
      timezone: connection.timezone,
      ...options,
    }),
    observe: observePage?.(context, lease),
    /** The ids of erased customers; undefined until a page has records. */
    erased: undefined as ReadonlySet<string> | undefined,
    savedMs: clock.now().getTime(),
    /** Updates the derived lists, if records may have changed. */
    updateLists: async () => {
      if (!lease.isCaughtUp || progress.hasWritten) await derived?.updateLists();
    },
    write: async (records: readonly RecordToWrite[], ofPage?: FingerprintGroups) => {
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
    },
  };
}

/** Reads a page from the POS, and completes its records. */
async function readPage<Kind extends RecordKind>(
  { context, kind, progress: { lease }, list, rejections, caughtUpTo, idOf }: Run<Kind>,
  connector: Connector,
  position: string | null,
): Promise<Page<Kind>> {
  const { table, connection, deadline } = context;
  const { complete } = replicatedKinds[kind];
  const known = async (posIds: readonly string[]) => {
    const items = await table.batchGet(
      posIds.map((posId) => recordKey(list, idOf(posId))),
      { consistent: true, attributes: [] },
    );
    return new Set(posIds.filter((posId) => items.has(itemId(recordKey(list, idOf(posId))))));
  };
  const isRejected = (posId: string) => rejections.has(posId);
  const request = { kind, since: lease.since, position, now: lease.startedAt, known, isRejected, caughtUpTo, deadline };
  const page = await withRequestGuard(
    () => checkFence(table, context.fence),
    () => connector.pull(connection, request),
  );
  const { records: pulled } = page;
  return { ...page, records: complete ? await complete(context, pulled) : pulled, pulled };
}

/** Stores the records of a page and its rejected rows, and counts them. */
async function storePage<Kind extends RecordKind>(run: Run<Kind>, page: Page<Kind>): Promise<void> {
  const { context, kind, progress, list, rejections, idOf } = run;
  const { table, connection } = context;
  const { counts, seen } = progress;
  const { made, rejected: ofPage } = normalizePage(connection, kind, page);
  if (made.size + ofPage.length > 0) run.erased ??= await readErased(table, connection.crbId);
  const toSkip = run.erased ?? new Set<string>();
  // Do not record rejected rows of erased customers, because such a record would contain the customer's POS id.
  const rejected = ofPage.filter(({ posId }) => !toSkip.has(idOf(posId)));
  const kept = eraseMergedCustomers(kind, removeErasedCustomers(kind, [...made.values()], toSkip), toSkip);
  await keepPosIds(context, kept.merged);
  const written = made.size > 0 ? await run.write(kept.records, run.fingerprints) : nothingWritten;
  await markMergedErased(context, kept.merged);
  if (kept.merged.size > 0) run.erased = new Set([...toSkip, ...kept.merged.keys()]);
  const tooLarge = new Set(written.rejected.map(({ id }) => id));
  for (const [posId, { id }] of made) {
    if (tooLarge.has(id) && made.delete(posId)) rejected.push({ posId, field: "", reason: "too_large" });
  }
  await rejections.recordPage(rejected, made.keys(), counts.withoutId ?? 0);
  await run.observe?.(page.pulled);
  countPage(counts, kind, page, written, rejected);
  progress.onPage?.(counts, rejected);
  if (!seen) return;
  // A rejected record counts as seen, because the POS still names it.
  const refused = rejected.map(({ posId }) => idOf(posId));
  for (const rank of [...written.ranks, ...(await ranksOf(table, list, refused))]) seen.add(rank);
}

function countPage<Kind extends RecordKind>(
  counts: Counts,
  kind: Kind,
  { records, rejected: unread, foreign, pulled }: Page<Kind>,
  { unchanged }: WriteResult,
  rejected: readonly RejectedPosRecord[],
): void {
  const { compare } = replicatedKinds[kind];
  const withoutId = rejected.filter(({ posId }) => !posId).length;
  counts.read += records.length + unread.length;
  counts.unchanged += unchanged;
  counts.rejected += rejected.length;
  if (withoutId > 0) counts.withoutId = (counts.withoutId ?? 0) + withoutId;
  if (foreign) counts.foreign = (counts.foreign ?? 0) + foreign;
  if (!compare) return;
  const { compared, mismatched } = compare(pulled);
  counts.compared = (counts.compared ?? 0) + compared;
  counts.mismatched = (counts.mismatched ?? 0) + mismatched;
}

/** Ends a run after its last page: vanished stock, derived lists, rejected records, complete days, and the state of the lease. */
async function finish<Kind extends RecordKind>(
  run: Run<Kind>,
  { complete: isComplete }: Page<Kind>,
  end: LastPage,
): Promise<Unconfirmed | null> {
  const { context, kind, progress, rejections } = run;
  const { timezone, posType } = context.connection;
  const { lease, counts, seen } = progress;
  const { completedDays } = lease;
  await run.fingerprints.finish();
  const isCounted = isComplete || lease.confirmation.unconfirmed;
  const waitingSample = lease.confirmation.unconfirmed?.sample;
  const stock =
    seen && isCounted ? await replicatedKinds[kind].findVanished?.(context, seen, waitingSample) : undefined;
  const confirmation = confirmPull(lease.confirmation, {
    startedAt: lease.startedAt,
    isCertain: lacks(posType, kind),
    isComplete,
    isEmpty: lease.since === null && counts.read === 0,
    created: counts.created,
    stock,
  });
  const { unconfirmed } = confirmation;
  if (isComplete && !unconfirmed) await stock?.setToZero(run.write);
  await run.updateLists();
  if ((isComplete || end.readAll) && !unconfirmed) await rejections.dropUnmet();
  // No file says up to which time it has all sales.
  const completesDays = kind === "sale" && !isUploaded(posType);
  const dataAsOf = await lease.finish(end, counts, confirmation, {
    timezone,
    isCaughtUp: progress.isAnnounced && !progress.hasWritten && rejections.isNone,
    needsLease: (asOf) => Boolean(completesDays && asOf && canCompleteSalesDays(asOf, timezone, completedDays)),
  });
  if (dataAsOf) {
    await tryCompleteSalesDays(context, dataAsOf, completedDays);
    await lease.releaseAfterFinish();
  }
  return unconfirmed && { since: unconfirmed.since, records: unconfirmed.records };
}

/** Saves the position of the next page. @throws OutOfTimeError at the deadline, after the position is saved */
async function saveWhenDue(
  run: Pick<Run<RecordKind>, "context" | "progress" | "savedMs">,
  position: string,
  total: number | null,
): Promise<void> {
  const { clock, deadline } = run.context;
  const { lease, counts, hasWritten } = run.progress;
  const now = clock.now().getTime();
  const isOver = deadline !== undefined && now >= deadline.getTime();
  if (hasWritten || isOver || now - run.savedMs >= saveEveryMs) {
    await lease.save(position, counts, total);
    run.savedMs = now;
  }
  if (isOver) checkDeadline(clock, deadline);
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
