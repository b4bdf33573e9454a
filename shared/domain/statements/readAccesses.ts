import { addDays } from "../../time/addDays.ts";
import { type Clock, utcDay } from "../../time/clock.ts";
import { checkDeadline, OutOfTimeError } from "../../time/deadline.ts";
import type { AccessLogStore } from "../accessLog/accessLines.ts";
import { type FindProgress, findAccesses, LogTooLargeError } from "../accessLog/findAccesses.ts";
import type { StatementAccess } from "./statementContent.ts";

type Reader = StatementAccess["readers"][number];

/** A line arrives within ten minutes (docs/spec.md#access-reports). */
const maxDelayMs = 15 * 60_000;
/**
 * Maximum characters of the log's lines of one UTC day. A line of 510 characters takes 0.8 KB of memory, and the worker, which has
 * 512 MB for them, can hold two days for a moment.
 */
const maxDayCharacters = 50_000_000;

interface AccessWindow {
  spId: string;
  crbId: string;
  start_date: string;
  end_date: string;
  /** ISO 8601 UTC */
  asOf: string;
}

/**
 * Counts the permitted requests for a CRB on the days of a statement, by credential and person. Days are UTC days, and only those
 * that had ended 15 minutes before `asOf`.
 *
 * @param options.deadline the requests are not included if they cannot be read until then, or if a day has too many
 */
export async function readAccesses(
  store: AccessLogStore,
  { spId, crbId, start_date, end_date, asOf }: AccessWindow,
  { clock, deadline, maxCharacters = maxDayCharacters }: { clock: Clock; deadline: Date; maxCharacters?: number },
): Promise<StatementAccess> {
  const from = `${start_date}T00:00:00.000Z`;
  const end = [addDays(end_date, 1), utcDay(new Date(Date.parse(asOf) - maxDelayMs))].sort()[0];
  const to = [`${end}T00:00:00.000Z`, from].sort()[1] as string;
  const query = { clients: [], crbId, from: new Date(from), to: new Date(to), omitsCrbIds: true };
  const check = ({ characters }: FindProgress) => {
    checkDeadline(clock, deadline);
    if (characters > maxCharacters) throw new LogTooLargeError();
  };
  try {
    const readers = new Map<string, Reader>();
    let unreadable = 0;
    for await (const day of findAccesses(store, [spId], query, check)) {
      unreadable += day.unreadable;
      for (const { client_id, owner, sub, time } of day.entries) {
        const key = JSON.stringify([client_id, sub]);
        const { requests } = readers.get(key) ?? { requests: 0 };
        readers.set(key, { client_id, owner: owner.kind, sub, requests: requests + 1, last_date: time });
      }
    }
    return { from, to, not_included: null, unreadable, readers: byRequests([...readers.values()]) };
  } catch (error) {
    if (!(error instanceof OutOfTimeError || error instanceof LogTooLargeError)) throw error;
    const not_included = "The access log of these days is too long to count. A statement of fewer days may have it.";
    return { from, to, not_included, unreadable: 0, readers: [] };
  }
}

/** Those with the most requests first. */
const byRequests = (readers: readonly Reader[]): Reader[] =>
  readers.toSorted(
    (one, other) =>
      other.requests - one.requests || (one.client_id + (one.sub ?? "") < other.client_id + (other.sub ?? "") ? -1 : 1),
  );
