import { describeError, log } from "../../platform/aws/log.ts";
import type { Table } from "../../store/client.ts";
import {
  exportDueKey,
  exportDuePartition,
  exportKey,
  parseExportDueKey,
  runningExportKey,
} from "../../store/keys/exports.ts";
import { lastKeyOf } from "../../store/keys/key.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { isPast } from "../../time/deadline.ts";
import type { Bucket } from "../documents/bucket.ts";
import { endExport } from "./endExport.ts";
import { requestExportRun } from "./exportMessage.ts";
import { findFirstQueued, findRunningExport } from "./nextExport.ts";
import { changeExport, isLive, readExport, type StoredExport, waitingItem } from "./storedExport.ts";

/** Milliseconds for which an export may run. */
const maxRunMs = 24 * 60 * 60_000;
/** Milliseconds for which the first message of an export may wait in the queue. */
const maxQueuedMs = 2 * 60_000;

/** The attributes that show whether an export waits in the line of its service provider. */
const waitingAttributes = ["sp_id", "crb_id", "id", "status", "created_at", "expires_at"] as const;

type WaitingExport = Pick<StoredExport, (typeof waitingAttributes)[number]>;

/** Whether an export is queued and may still begin. */
const isWaiting = ({ status, expires_at }: WaitingExport, now: Date): boolean =>
  status === "queued" && now.getTime() < Date.parse(expires_at);

/** The numbers of exports that a sweep has ended or queued again, and whose sweep failed. */
export interface SweptExports {
  ended: number;
  queued: number;
  failed: number;
}

/**
 * Ends exports that have expired, that were not ready a day after they began, or that did not begin within their life.
 * Completes interrupted ends. Queues exports again whose message was lost, whose worker was killed, or whose attempt failed.
 * An error does not stop the other exports. Of the exports that wait, it reads a hundred at once, and the line of each service
 * provider once.
 *
 * @param deadline after this time, the sweep begins no further export; the next sweep continues
 */
export async function sweepExports(
  stores: { table: Table; bucket: Bucket },
  clock: Clock = systemClock,
  deadline?: Date,
): Promise<SweptExports> {
  const { table } = stores;
  const last = lastKeyOf(clock.now().toISOString());
  const due = await table.queryPartition(exportDuePartition, { to: last });
  const names = due.map(({ sk }) => parseExportDueKey(sk));
  const dueIds = new Set(names.map(({ exportId }) => exportId));
  const waiting = await readWaiting(table, names, clock.now());
  const swept: SweptExports = { ended: 0, queued: 0, failed: 0 };
  for (const [spId, line] of Map.groupBy(waiting.values(), ({ sp_id }) => sp_id)) {
    if (isPast(clock, deadline)) break;
    try {
      if (await sweepLine(table, spId, line, dueIds, clock)) swept.queued++;
    } catch (error) {
      swept.failed++;
      log.error("line of exports not swept", { sp_id: spId, error: describeError(error) });
    }
  }
  for (const { pk, sk } of due) {
    if (isPast(clock, deadline)) break;
    const { crbId, exportId } = parseExportDueKey(sk);
    if (waiting.has(exportId)) continue;
    try {
      const done = await sweep(stores, crbId, exportId, clock);
      if (done === "gone") await table.delete({ pk, sk });
      else if (done) swept[done]++;
    } catch (error) {
      swept.failed++;
      log.error("export not swept", { crb_id: crbId, export_id: exportId, error: describeError(error) });
    }
  }
  return swept;
}

/** The exports that wait, by id. */
async function readWaiting(
  table: Table,
  names: readonly { crbId: string; exportId: string }[],
  now: Date,
): Promise<Map<string, WaitingExport>> {
  const keys = names.map(({ crbId, exportId }) => exportKey(crbId, exportId));
  const items = await table.batchGet(keys, { consistent: true, attributes: waitingAttributes });
  const found = [...items.values()] as unknown as WaitingExport[];
  return new Map(found.filter((one) => isWaiting(one, now)).map((one) => [one.id, one]));
}

/**
 * Requests the run of the first export in the line of a service provider, unless an export runs. First adds what a restored
 * table may lack: the places of waiting exports, and the entry of the running export.
 *
 * @param dueIds the ids of the exports that this sweep reads
 * @returns whether it has requested a run
 */
async function sweepLine(
  table: Table,
  spId: string,
  waiting: readonly WaitingExport[],
  dueIds: ReadonlySet<string>,
  clock: Clock,
): Promise<boolean> {
  const line = await table.queryPartition(runningExportKey(spId).pk, { consistent: true });
  const places = new Set(line.map(({ sk }) => sk));
  const now = clock.now();
  for (const one of waiting.filter((each) => !places.has(waitingItem(each).sk))) {
    const stored = await readExport(table, one.crb_id, one.id, now);
    if (stored?.status === "queued")
      await changeExport(table, stored, {}, clock, { writes: [table.putWrite(waitingItem(stored))] });
  }
  const running = await findRunningExport(table, spId, now);
  if (running) {
    const { due, crb_id, id } = running;
    if (!dueIds.has(id)) await table.put({ ...exportDueKey(due, crb_id, id) });
    return false;
  }
  const first = await findFirstQueued(table, spId, now);
  if (!first || !isWaiting(first, now) || now.getTime() - Date.parse(first.created_at) < maxQueuedMs) return false;
  await requestExportRun(first);
  return true;
}

async function sweep(
  stores: { table: Table; bucket: Bucket },
  crbId: string,
  exportId: string,
  clock: Clock,
): Promise<"ended" | "queued" | "gone" | undefined> {
  const now = clock.now().getTime();
  const stored = await readExport(stores.table, crbId, exportId, clock.now());
  if (!stored) return "gone";
  if (!isLive(stored) || stored.status === "ready") {
    // If the export has ended already, this call removes its files.
    if (stored.status === "ready" && now < Date.parse(stored.expires_at)) return undefined;
    await endExport(stores, crbId, exportId, { status: "expired" }, clock);
    return "ended";
  }
  const isOver = now >= Date.parse(stored.expires_at);
  if (isOver || (stored.started_at !== null && now - Date.parse(stored.started_at) > maxRunMs)) {
    await endExport(stores, crbId, exportId, { status: "failed", error: "too_slow" }, clock);
    return "ended";
  }
  if (stored.held_until > now || stored.status === "queued") return undefined;
  await requestExportRun(stored);
  return "queued";
}
