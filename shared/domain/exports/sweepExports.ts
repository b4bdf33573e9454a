import { describeError, log } from "../../platform/aws/log.ts";
import type { Table } from "../../store/client.ts";
import { exportDuePartition, parseExportDueKey } from "../../store/keys/exports.ts";
import { lastKeyOf } from "../../store/keys/key.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import type { Bucket } from "../documents/bucket.ts";
import { endExport } from "./endExport.ts";
import { requestExportRun } from "./exportMessage.ts";
import { findNextExport } from "./nextExport.ts";
import { isLive, readExport } from "./storedExport.ts";

/** Milliseconds for which an export may run. */
const maxRunMs = 24 * 60 * 60_000;
/** Milliseconds for which the first message of an export may wait in the queue. */
const maxQueuedMs = 2 * 60_000;

/** The numbers of exports that a sweep has ended or queued again, and whose sweep failed. */
export interface SweptExports {
  ended: number;
  queued: number;
  failed: number;
}

/**
 * Ends exports that have expired, that were not ready a day after they began, or that did not begin within their life.
 * Completes interrupted ends. Queues exports again whose message was lost, whose worker was killed, or whose attempt failed.
 * An error does not stop the other exports.
 */
export async function sweepExports(
  stores: { table: Table; bucket: Bucket },
  clock: Clock = systemClock,
): Promise<SweptExports> {
  const last = lastKeyOf(clock.now().toISOString());
  const due = await stores.table.queryPartition(exportDuePartition, { to: last });
  const swept: SweptExports = { ended: 0, queued: 0, failed: 0 };
  for (const { pk, sk } of due) {
    const { crbId, exportId } = parseExportDueKey(sk);
    try {
      const done = await sweep(stores, crbId, exportId, clock);
      if (done === "gone") await stores.table.delete({ pk, sk });
      else if (done) swept[done]++;
    } catch (error) {
      swept.failed++;
      log.error("export not swept", { crb_id: crbId, export_id: exportId, error: describeError(error) });
    }
  }
  return swept;
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
  if (stored.held_until > now) return undefined;
  if (stored.status === "queued") {
    if (now - Date.parse(stored.created_at) < maxQueuedMs) return undefined;
    // All others wait for an export of their service provider.
    if ((await findNextExport(stores.table, stored.sp_id, clock.now()))?.id !== exportId) return undefined;
  }
  await requestExportRun(stored);
  return "queued";
}
