import * as z from "zod";
import type { RecordKind } from "../../api/kinds.ts";
import type { LastPage, PullRequest } from "../connector.ts";

/** Milliseconds that a pull reads again: records appear late, clocks differ, and bounds may be exclusive. */
const overlap = 15 * 60_000;
/** Maximum number of milliseconds by which a slow POS clock, or kinds that are not caught up, move `upTo` back. */
const maxLagMs = 24 * 60 * 60_000;

/**
 * The instant up to which a pull certainly read all records. It is the pull's start, by the service's clock or the
 * POS's clock, whichever is behind. A slow POS clock dates new records before the pull's start; the next pull still
 * reads these records. If other kinds complete the records, the instant is not after `caughtUpTo`, unless that is more
 * than a day ago.
 *
 * @param date the time of the POS's first response, by the POS's clock
 * @returns ISO 8601 UTC with milliseconds
 */
export function computeReadEnd(
  { now, caughtUpTo = now }: Pick<PullRequest<RecordKind>, "now" | "caughtUpTo">,
  date: Date | null,
): string {
  const ours = now.getTime();
  const lag = Math.max(0, ours - (date?.getTime() ?? ours));
  return new Date(Math.max(ours - maxLagMs, Math.min(ours, caughtUpTo.getTime()) - lag)).toISOString();
}

export function computeReadStart(upTo: string): Date {
  return new Date(Date.parse(upTo) - overlap);
}

/** Adds days, which may be fractional. */
export function daysAfter(instant: string | Date, days: number): Date {
  return new Date(new Date(instant).getTime() + days * 24 * 60 * 60_000);
}

/** Parses a position or watermark that the connector wrote; null if the text is null or has an old form. */
export function parseState<T>(schema: z.ZodType<T>, text: string | null): T | null {
  if (text === null) return null;
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/**
 * The state that a pull leaves for the next one: `upTo` is the end of its range, `full` is the time of the last pull of
 * everything. `findIncompleteSince` computes `unsettled`. `older` is the day up to which the next nightly reading reads
 * the older history (`nextRereadDays`).
 */
export const watermark = z.object({
  upTo: z.iso.datetime(),
  full: z.iso.datetime(),
  unsettled: z.iso.datetime().optional(),
  older: z.iso.date().optional(),
});
export type Watermark = z.output<typeof watermark>;

/** Maximum of days between two pulls. After more, a pull reads everything: Treez reports changes for 30 days. */
const maxDaysApart = 28;

/**
 * The last pull's watermark; null if it has an old form or is too old. If records were incomplete and the kinds that
 * complete them have caught up since then, `upTo` is moved back to `unsettled`, so that the pull reads these records
 * again.
 */
export function usableWatermark(since: string | null, now: Date, caughtUpTo: Date = now): Watermark | null {
  const found = parseState(watermark, since);
  if (!found) return null;
  const { unsettled, ...whole } = found;
  const hasCome = unsettled !== undefined && caughtUpTo > new Date(unsettled);
  const mark = hasCome ? { ...whole, upTo: unsettled } : found;
  return daysAfter(mark.upTo, maxDaysApart) > now ? mark : null;
}

/**
 * The instant since which records may be incomplete. After a pull of everything, old records may be: a customer that changes
 * while the pages of customers are read can be missing until the next pull of customers. Undefined if the next pull reads all incomplete records again in
 * any case. Otherwise pulls do not read them again before the kinds that complete them have caught up, which may never
 * happen.
 */
export function findIncompleteSince(
  { caughtUpTo }: Pick<PullRequest<RecordKind>, "caughtUpTo">,
  { upTo, mark }: Pick<ReadRange, "upTo" | "mark">,
): string | undefined {
  if (mark?.unsettled) return mark.unsettled;
  if (!caughtUpTo || caughtUpTo.toISOString() >= upTo) return undefined;
  return (mark ? caughtUpTo : new Date(0)).toISOString();
}

/** The range of a pull, as fields of its position. */
export const rangeFields = {
  upTo: z.iso.datetime(),
  /** the last pull's watermark; null to read everything */
  mark: watermark.nullable(),
  unsettled: z.iso.datetime().optional(),
};
export type ReadRange = z.output<z.ZodObject<typeof rangeFields>>;

/**
 * The range of a new pull: everything, or the changes since the last pull.
 *
 * @param date the time of the POS's first response, by the POS's clock
 * @param maxDays days after which a pull reads everything again. Such a pull finds changes for which the POS sets no
 * date of change. null if no pull has to read everything again
 */
export function planReadRange(request: PullRequest<RecordKind>, date: Date | null, maxDays: number | null): ReadRange {
  const upTo = computeReadEnd(request, date);
  const mark = usableWatermark(request.since, request.now, request.caughtUpTo);
  const isOld = mark && maxDays !== null && daysAfter(mark.full, maxDays) <= new Date(upTo);
  const reach = { upTo, mark: isOld ? null : mark };
  return { ...reach, unsettled: findIncompleteSince(request, reach) };
}

/** The result of a finished pull. Its `asOf` is not after `unsettled`, because later records may be incomplete. */
export function createLastPage({ upTo, mark, unsettled }: ReadRange): Required<LastPage> {
  const watermark = JSON.stringify({
    upTo,
    full: mark?.full ?? upTo,
    unsettled,
    older: mark?.older,
  } satisfies Watermark);
  return { watermark, asOf: unsettled ?? upTo, readAll: mark === null };
}
