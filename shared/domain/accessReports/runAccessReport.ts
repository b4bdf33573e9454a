import { createHash, randomUUID } from "node:crypto";
import type { Table } from "../../store/client.ts";
import { accessReportKey } from "../../store/keys/accessReports.ts";
import { removalKey } from "../../store/keys/onboarding.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { checkDeadline, OutOfTimeError } from "../../time/deadline.ts";
import type { AccessLogStore, LoggedAccess } from "../accessLog/accessLines.ts";
import { findAccesses, LogTooLargeError } from "../accessLog/findAccesses.ts";
import type { Bucket } from "../documents/bucket.ts";
import { NdjsonFile } from "../exports/ndjsonFile.ts";
import { readNames } from "./readNames.ts";
import { readReport, reportPrefix, type StoredReport } from "./storedReport.ts";

/**
 * Maximum bytes of the file, and of the log's lines of one UTC day. The worker has both in memory, for a moment with a
 * second day or a copy of the file: measured at 628 MB resident at both limits.
 */
const maxReportBytes = 100_000_000;

/** Milliseconds after the worker's deadline until another worker may make its report. */
const leaseMarginMs = 120_000;

/**
 * Makes an access report from the lines of its service provider, and of no other one. If the worker is killed or
 * fails, SQS or the sweeper sends another message. The removal of the file is planned before the file is stored, and
 * every attempt has a key of its own.
 *
 * @returns `skipped` if the report is made already, another worker makes it, or it was purged; `failed` if the file or a day
 *   is too large, or the deadline passes
 * @throws an error of the access log or of the bucket; the next attempt begins after the lease
 */
export async function runAccessReport(
  stores: { table: Table; bucket: Bucket; accessLog: AccessLogStore },
  { sp_id: spId, report_id: id }: { sp_id: string; report_id: string },
  { deadline, clock = systemClock, maxBytes = maxReportBytes }: { deadline: Date; clock?: Clock; maxBytes?: number },
): Promise<"ready" | "failed" | "skipped"> {
  const { table, bucket } = stores;
  const stored = await readReport(table, spId, id);
  if (stored?.status !== "queued" || !(await hold(table, stored, deadline, clock))) return "skipped";
  const check = (bytes: number) => {
    checkDeadline(clock, deadline);
    if (bytes > maxBytes) throw new LogTooLargeError();
  };
  try {
    const { content, ...counts } = await makeFile(stores, stored, check);
    const storage_key = `${reportPrefix(spId, id)}${randomUUID()}.ndjson.gz`;
    await table.put({ ...removalKey(stored.expires_date, storage_key) });
    await bucket.storeBytes(storage_key, content, "application/gzip");
    const sha256 = createHash("sha256").update(content).digest("hex");
    return await end(table, stored, {
      ...{ status: "ready", ...counts },
      file: { bytes: content.length, sha256, storage_key },
    });
  } catch (error) {
    if (!(error instanceof OutOfTimeError || error instanceof LogTooLargeError)) throw error;
    return end(table, stored, { status: "failed", error: "too_long" });
  }
}

/** Keeps other workers from making the report at the same time. Returns false if another worker makes it. */
async function hold(table: Table, { sp_id: spId, id }: StoredReport, deadline: Date, clock: Clock): Promise<boolean> {
  const update = {
    expression: "SET held_until = :until",
    names: { "#status": "status" },
    values: { ":until": deadline.getTime() + leaseMarginMs, ":now": clock.now().getTime(), ":queued": "queued" },
  };
  const { done } = await table.change(accessReportKey(spId, id), update, "#status = :queued AND NOT held_until > :now");
  return done;
}

/**
 * Makes the file of a report, oldest request first. Forgets each day of the log after its lines are written.
 *
 * @param check called with the bytes in memory; an error of it ends the work
 */
async function makeFile(
  { table, accessLog }: { table: Table; accessLog: AccessLogStore },
  { sp_id: spId, crb_id, record_id, from, to }: StoredReport,
  check: (bytes: number) => void,
): Promise<{ content: Buffer; requests: number; unreadable: number }> {
  const file = new NdjsonFile();
  const ids = { clients: [], crbId: crb_id ?? undefined, recordId: record_id ?? undefined };
  const query = { ...ids, from: new Date(from), to: new Date(to) };
  let [requests, unreadable] = [0, 0];
  for await (const day of findAccesses(accessLog, [spId], query, ({ characters }) => check(characters))) {
    requests += day.entries.length;
    unreadable += day.unreadable;
    const namesOf = await readNames(table, spId, day.entries);
    for (const entry of day.entries) {
      await file.add([{ text: JSON.stringify({ ...lineOf(entry), ...namesOf(entry) }) }]);
      check(file.bytes);
    }
  }
  const content = await file.finish();
  check(content.length);
  return { content, requests, unreadable };
}

/** A line of the file. The address of an invited user is personal data, which the service provider does not need. */
const lineOf = ({ extended_request_id: _, sp_id: __, source, ...entry }: LoggedAccess) => ({
  ...entry,
  source: entry.owner.kind === "invitedUser" ? null : source,
});

async function end(
  table: Table,
  stored: StoredReport,
  change: Partial<StoredReport> & Pick<StoredReport, "status">,
): Promise<"ready" | "failed" | "skipped"> {
  const names = Object.keys(change);
  const { done } = await table.change(
    accessReportKey(stored.sp_id, stored.id),
    {
      expression: `SET ${names.map((name) => `#${name} = :${name}`).join(", ")}`,
      names: Object.fromEntries(names.map((name) => [`#${name}`, name])),
      values: {
        ...Object.fromEntries(Object.entries(change).map(([name, value]) => [`:${name}`, value])),
        ":queued": "queued",
      },
    },
    "#status = :queued",
  );
  if (!done) return "skipped";
  return change.status === "ready" ? "ready" : "failed";
}
