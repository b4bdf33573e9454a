import { utcDay } from "../../time/clock.ts";
import { type AccessLogStore, type LoggedAccess, operatorFolder, parseAccessLine } from "./accessLines.ts";

/** A query of the access log: entries must match every given field. */
export interface AccessQuery {
  /** Matches entries of these credentials, and of keys that they added to others. */
  clients: readonly string[];
  /**
   * Matches entries for this CRB, and for lists that name it. Also matches operators' commands that name no CRB, since
   * they can read every CRB.
   */
  crbId?: string | undefined;
  recordId?: string | undefined;
  from: Date;
  /** Exclusive. */
  to: Date;
  /** Sets `crb_ids` of the result to null: a list of a large bank names a thousand CRBs in each entry. */
  omitsCrbIds?: boolean;
}

export interface FoundAccesses {
  /** Oldest first, without duplicates. */
  entries: LoggedAccess[];
  /** Objects and lines that could not be read or were not delivered. While it is not 0, entries may be missing. */
  unreadable: number;
}

/** The progress of a reading. */
export interface FindProgress {
  /** Number of days of all folders so far, with the present one. */
  read: number;
  /** Number of days of all folders. */
  days: number;
  /** Number of entries so far. */
  found: number;
  /** Characters of the entries of the present day. */
  characters: number;
}

/** The lines of a day of the log, or the file that is made of them, are larger than a worker can hold. */
export class LogTooLargeError extends Error {
  override readonly name = "LogTooLargeError";
}

const dayMs = 86_400_000;

/**
 * Reads the access log from one instant to another, and yields the entries of one UTC day after the other, so that a
 * reader can forget them. The first result has no entries, but counts the parts that were not delivered. They can hold
 * lines of any folder.
 *
 * @param folders ids of service providers, and `operatorFolder` for the commands of operators. Only their lines are
 *   read
 * @param onPart called after each part of the log. If it throws, the reading ends
 */
export async function* findAccesses(
  store: AccessLogStore,
  folders: readonly string[],
  query: AccessQuery,
  onPart: (progress: FindProgress) => void = () => undefined,
): AsyncGenerator<FoundAccesses> {
  // An undelivered part has the day of its arrival, which can be the day after that of its lines.
  const arrivals = daysBetween(query.from, new Date(query.to.getTime() + dayMs));
  yield { entries: [], unreadable: await store.countFailed(arrivals) };
  const days = daysBetween(query.from, query.to);
  let [read, found] = [0, 0];
  for (const folder of folders) {
    for (const day of days) {
      read++;
      yield await readDay(store, folder, day, query, (more, characters) => {
        found += more;
        onPart({ read, days: folders.length * days.length, found, characters });
      });
    }
  }
}

async function readDay(
  store: AccessLogStore,
  folder: string,
  day: string,
  query: AccessQuery,
  onPart: (found: number, characters: number) => void,
): Promise<FoundAccesses> {
  const found = new Map<string, LoggedAccess>();
  const crbIds = query.crbId !== undefined && folder !== operatorFolder ? [query.crbId] : [];
  const required = [query.clients, crbIds, query.recordId ?? []].map((ids) => [ids].flat());
  const wanted = (text: string) => required.every((ids) => ids.length === 0 || ids.some((id) => text.includes(id)));
  let [unreadable, characters] = [0, 0];
  for await (const part of store.read(folder, day, wanted)) {
    const before = found.size;
    unreadable += part.unreadable;
    for (const line of part.lines) {
      const entry = parseAccessLine(line);
      if (!entry) unreadable++;
      else if (entry.sp_id === folder && agrees(entry, query)) {
        found.set(identify(entry), query.omitsCrbIds ? { ...entry, crb_ids: null } : entry);
        characters += line.length;
      }
    }
    onPart(found.size - before, characters);
  }
  return { entries: inOrder([...found.values()]), unreadable };
}

/** Sorts entries by their time, oldest first. */
export const inOrder = (entries: readonly LoggedAccess[]): LoggedAccess[] =>
  entries.toSorted((a, b) => Date.parse(a.time) - Date.parse(b.time));

/**
 * Identifies a log line: only copies of the line have the same value. `request_id` is not enough, since a caller can
 * choose it.
 */
const identify = ({ time, request_id, extended_request_id }: LoggedAccess): string =>
  JSON.stringify([time, extended_request_id, request_id]);

const agrees = (entry: LoggedAccess, { clients, crbId, recordId, from, to }: AccessQuery): boolean =>
  (clients.length === 0 || [entry.client_id, ...(entry.ends_with ?? [])].some((id) => clients.includes(id))) &&
  (crbId === undefined || isAbout(entry, crbId)) &&
  (recordId === undefined || entry.record_id === recordId) &&
  Date.parse(entry.time) >= from.getTime() &&
  Date.parse(entry.time) < to.getTime();

const isAbout = ({ owner, crb_id, crb_ids }: LoggedAccess, crbId: string): boolean =>
  crb_id === crbId || crb_ids?.includes(crbId) === true || (owner.kind === "operator" && crb_id === null);

/** The UTC days from one instant to another, in the form 2026-11-25. @param to exclusive */
function daysBetween(from: Date, to: Date): string[] {
  const days: string[] = [];
  for (let at = Date.parse(utcDay(from)); at < to.getTime(); at += dayMs) days.push(utcDay(new Date(at)));
  return days;
}
