import { createHash, randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { Table } from "../../store/client.ts";
import { accessReportKey } from "../../store/keys/accessReports.ts";
import { removalKey } from "../../store/keys/onboarding.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { checkDeadline, OutOfTimeError } from "../../time/deadline.ts";
import type { AccessLogStore, LoggedAccess } from "../accessLog/accessLines.ts";
import { findAccesses } from "../accessLog/findAccesses.ts";
import type { Bucket } from "../documents/bucket.ts";
import { readNames } from "./readNames.ts";
import { readReport, reportPrefix, type StoredReport } from "./storedReport.ts";

/** Maximum number of requests in a report, so that a worker holds them in memory. */
const maxRequests = 500_000;

/** The report has more requests than a worker can hold. */
class TooManyRequestsError extends Error {
  override readonly name = "TooManyRequestsError";
}

/**
 * Makes an access report from the lines of its service provider, and of no other one. If the worker is killed, SQS delivers the
 * message again. The removal of the file is planned before the file is stored, and every attempt has a key of its own.
 *
 * @returns `skipped` if the report is made already, or was purged
 * @throws an error of the access log or of the bucket, after which the message is delivered again
 */
export async function runAccessReport(
  { table, bucket, accessLog }: { table: Table; bucket: Bucket; accessLog: AccessLogStore },
  { sp_id: spId, report_id: id }: { sp_id: string; report_id: string },
  { deadline, clock = systemClock, most = maxRequests }: { deadline: Date; clock?: Clock; most?: number },
): Promise<"ready" | "failed" | "skipped"> {
  const stored = await readReport(table, spId, id);
  if (stored?.status !== "queued") return "skipped";
  const found = await find(accessLog, stored, (count) => {
    checkDeadline(clock, deadline);
    if (count > most) throw new TooManyRequestsError();
  });
  if (!found) return end(table, stored, { status: "failed", error: "too_long" });
  const namesOf = await readNames(table, spId, found.entries);
  const lines = found.entries.map((entry) => `${JSON.stringify({ ...lineOf(entry), ...namesOf(entry) })}\n`);
  const content = gzipSync(lines.join(""));
  const storage_key = `${reportPrefix(spId, id)}${randomUUID()}.ndjson.gz`;
  await table.put({ ...removalKey(stored.expires_date, storage_key) });
  await bucket.storeBytes(storage_key, content, "application/gzip");
  const sha256 = createHash("sha256").update(content).digest("hex");
  const file = { bytes: content.length, sha256, storage_key };
  const { unreadable, entries } = found;
  return end(table, stored, { status: "ready", requests: entries.length, unreadable, file });
}

/** The requests of a report; undefined if there are too many of them. */
async function find(
  accessLog: AccessLogStore,
  { sp_id: spId, crb_id, record_id, from, to }: StoredReport,
  onDay: (count: number) => void,
) {
  const query = { clients: [], crbId: crb_id ?? undefined, recordId: record_id ?? undefined };
  const window = { from: new Date(from), to: new Date(to) };
  try {
    return await findAccesses(accessLog, spId, { ...query, ...window }, ({ found }) => onDay(found));
  } catch (error) {
    if (error instanceof OutOfTimeError || error instanceof TooManyRequestsError) return undefined;
    throw error;
  }
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
