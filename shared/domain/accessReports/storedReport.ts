import type { AccessReport } from "../../api/schemas/accessReport.ts";
import { toPerson } from "../../api/schemas/person.ts";
import type { Item, Table } from "../../store/client.ts";
import { accessReportKey, accessReportsPartition } from "../../store/keys/accessReports.ts";
import { datedRank } from "../../store/keys/key.ts";
import { type CursorPage, cursorPage, readRanked } from "../../store/pageCursor.ts";
import type { Bucket } from "../documents/bucket.ts";
import { type FileLink, noLink } from "../documents/fileLink.ts";
import { exportPrefix } from "../documents/objectPrefixes.ts";
import { signFiles } from "../documents/signBySession.ts";

/** An access report, as stored. All instants are ISO 8601 UTC. */
export interface StoredReport extends Omit<AccessReport, "file"> {
  sp_id: string;
  file: { bytes: number; sha256: string; storage_key: string } | null;
  /** Epoch milliseconds until which no other worker may make the report; 0 before the first one. */
  held_until: number;
}

const dayMs = 24 * 60 * 60_000;
/** Milliseconds after its creation within which a report must be ready. */
const maxQueuedMs = dayMs;
/** Milliseconds after its creation until the file of a report is removed. */
export const fileLifeMs = 7 * dayMs;
/** Milliseconds for which a report is listed. */
const listedMs = 14 * dayMs;
/** Seconds; the same as of exports. */
const linkLife = 600;

/** The key prefix of the file of a report, next to the files of exports, whose links and removal have the same rules. */
export const reportPrefix = (spId: string, id: string): string => `${exportPrefix(spId)}${id}/`;

const rankOf = ({ created_date, id }: Pick<StoredReport, "created_date" | "id">): string => datedRank(created_date, id);

const listedUntil = ({ created_date }: StoredReport): number => Date.parse(created_date) + listedMs;

export const reportItem = (stored: StoredReport): Item => ({
  ...accessReportKey(stored.sp_id, stored.id),
  rank: rankOf(stored),
  ...stored,
  expires: Math.floor(listedUntil(stored) / 1_000),
});

/** The report as it is at a time, which ends its file, and a report whose message was lost. */
function reportAt({ pk: _pk, sk: _sk, rank: _rank, expires: _expires, ...item }: Item, now: Date): StoredReport {
  const stored = item as unknown as StoredReport;
  if (stored.status === "ready" && stored.expires_date <= now.toISOString())
    return { ...stored, status: "expired", file: null };
  const isLate = stored.status === "queued" && now.getTime() - Date.parse(stored.created_date) > maxQueuedMs;
  return isLate ? { ...stored, status: "failed", error: "too_slow" } : stored;
}

/** Reads a report; undefined if it does not exist, or is too old. */
export async function readReport(table: Table, spId: string, id: string): Promise<StoredReport | undefined> {
  const item = await table.get(accessReportKey(spId, id), { consistent: true });
  if (item?.id === undefined) return undefined;
  const now = table.clock.now();
  const stored = reportAt(item, now);
  return listedUntil(stored) > now.getTime() ? stored : undefined;
}

/**
 * Reads a page of the reports of a service provider, newest first. The read is eventually consistent.
 *
 * @throws ServiceError "invalid" on `query.cursor` if the cursor is of another list
 */
export async function listReports(
  table: Table,
  spId: string,
  query: { cursor?: string | undefined; limit: number },
): Promise<CursorPage<StoredReport>> {
  const list = accessReportsPartition(spId);
  const items = await readRanked(table, list, query.cursor);
  const now = table.clock.now();
  const listed = items.map((item) => reportAt(item, now)).filter((stored) => listedUntil(stored) > now.getTime());
  return cursorPage(list, listed, query, rankOf);
}

/**
 * A report as the API returns it.
 *
 * @param link the link of its file; without it, the file has none
 */
export function toReport(stored: StoredReport, link: FileLink = noLink): AccessReport {
  const { id, crb_id, record_id, from, to, status, error, created_date, created_by, expires_date } = stored;
  const { created_by_person, requests, unreadable, file } = stored;
  return {
    ...{ id, crb_id, record_id, from, to, status, error, created_date, created_by },
    created_by_person: toPerson(created_by_person),
    ...{ expires_date, requests, unreadable },
    file: file && { bytes: file.bytes, sha256: file.sha256, ...link },
  };
}

/**
 * A report with a new link to its file, for 600 s. Anyone with the link can use it. If ACCESS_REPORT_READER_ROLE names a role (on AWS), a
 * session of that role signs it, and can read only this file.
 *
 * @throws ServiceError "unavailable" if STS provides no session
 */
export async function reportWithLink(bucket: Bucket, stored: StoredReport): Promise<AccessReport> {
  if (!stored.file) return toReport(stored);
  const session = {
    ...{ name: "access-report", role: process.env.ACCESS_REPORT_READER_ROLE, life: linkLife },
    storageKey: `${reportPrefix(stored.sp_id, stored.id)}*`,
  };
  const linkOf = await signFiles(bucket, session, [stored.file], () => "accesses.ndjson.gz");
  return toReport(stored, linkOf(stored.file));
}
