import { utcDay } from "../../shared/time/clock.ts";
import { type AccessLogStore, type LoggedAccess, parseAccessLine } from "./accessLines.ts";

/** A query of the access log: entries must match every given field. */
export interface AccessQuery {
  clients: readonly string[];
  crbId?: string | undefined;
  recordId?: string | undefined;
  from: Date;
  /** Exclusive. */
  to: Date;
}

export interface FoundAccesses {
  /** Oldest first, without duplicates. */
  entries: LoggedAccess[];
  /** Objects and lines that could not be read. While it is not 0, entries may be missing. */
  unreadable: number;
}

const dayMs = 86_400_000;

/**
 * Reads the access log from one instant to another.
 *
 * @param onDay called with the number of read days, the number of all days, the last read UTC day, and the number of entries so far
 */
export async function findAccesses(
  store: AccessLogStore,
  query: AccessQuery,
  onDay: (progress: { read: number; days: number; day: string; found: number }) => void,
): Promise<FoundAccesses> {
  const found = new Map<string, LoggedAccess>();
  const required = [query.clients, query.crbId ?? [], query.recordId ?? []].map((ids) => [ids].flat());
  const wanted = (text: string) => required.every((ids) => ids.length === 0 || ids.some((id) => text.includes(id)));
  let unreadable = 0;
  const days = daysOf(query);
  for await (const part of store.read(days, wanted)) {
    unreadable += part.unreadable;
    for (const line of part.lines) {
      const entry = parseAccessLine(line);
      if (!entry) unreadable++;
      else if (agrees(entry, query)) found.set(identify(entry), entry);
    }
    onDay({ read: days.indexOf(part.day) + 1, days: days.length, day: part.day, found: found.size });
  }
  return { entries: [...found.values()].sort((a, b) => Date.parse(a.time) - Date.parse(b.time)), unreadable };
}

/**
 * Identifies a log line: only copies of the line have the same value. `request_id` is not enough, since a caller can
 * choose it.
 */
const identify = ({ time, request_id, extended_request_id }: LoggedAccess): string =>
  JSON.stringify([time, extended_request_id, request_id]);

const agrees = (entry: LoggedAccess, { clients, crbId, recordId, from, to }: AccessQuery): boolean =>
  (clients.length === 0 || clients.includes(entry.client_id)) &&
  (crbId === undefined || entry.crb_id === crbId) &&
  (recordId === undefined || entry.record_id === recordId) &&
  Date.parse(entry.time) >= from.getTime() &&
  Date.parse(entry.time) < to.getTime();

/**
 * The UTC days whose files can hold an entry. The result includes the day after `to`, since Firehose stores a line
 * under the day of its arrival.
 */
function daysOf({ from, to }: AccessQuery): string[] {
  const days: string[] = [];
  for (let at = Date.parse(utcDay(from)); at < to.getTime() + dayMs; at += dayMs) days.push(utcDay(new Date(at)));
  return days;
}
