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
  /** Objects and lines that could not be read. While it is not 0, entries may be missing. */
  unreadable: number;
}

const dayMs = 86_400_000;

/**
 * Reads the access log of one service provider from one instant to another. It reads no line of another service provider.
 * Undelivered parts are not counted: see `AccessLogStore.countFailed`.
 *
 * @param spId id of the service provider; `operatorFolder` for the commands of operators
 * @param onDay called with the number of read days, the number of all days, and the number of entries so far
 */
export async function findAccesses(
  store: AccessLogStore,
  spId: string,
  query: AccessQuery,
  onDay: (progress: { read: number; days: number; found: number }) => void = () => undefined,
): Promise<FoundAccesses> {
  const found = new Map<string, LoggedAccess>();
  const crbIds = query.crbId !== undefined && spId !== operatorFolder ? [query.crbId] : [];
  const required = [query.clients, crbIds, query.recordId ?? []].map((ids) => [ids].flat());
  const wanted = (text: string) => required.every((ids) => ids.length === 0 || ids.some((id) => text.includes(id)));
  let unreadable = 0;
  const days = daysBetween(query.from, query.to);
  for await (const part of store.read(spId, days, wanted)) {
    unreadable += part.unreadable;
    for (const line of part.lines) {
      const entry = parseAccessLine(line);
      if (!entry) unreadable++;
      else if (entry.sp_id === spId && agrees(entry, query))
        found.set(identify(entry), query.omitsCrbIds ? { ...entry, crb_ids: null } : entry);
    }
    onDay({ read: days.indexOf(part.day) + 1, days: days.length, found: found.size });
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
export function daysBetween(from: Date, to: Date): string[] {
  const days: string[] = [];
  for (let at = Date.parse(utcDay(from)); at < to.getTime(); at += dayMs) days.push(utcDay(new Date(at)));
  return days;
}
