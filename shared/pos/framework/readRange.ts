import * as z from "zod";
import type { RecordKind } from "../../api/kinds.ts";
import type { LastPage, PullRequest } from "../connector.ts";

/**
 * How far the next read goes back behind the beginning of the last one. It covers what a POS shows late, clocks that
 * differ, and that bounds may be exclusive: nothing is lost where two reads meet, and what comes twice is written once.
 */
const overlap = 15 * 60_000;
/** What a POS's clock is behind, or others are behind, is caught up with this far. */
const maxLagMs = 24 * 60 * 60_000;

/**
 * The instant up to which a pull has read for good: its beginning, by our clock or the POS's own, whichever is behind,
 * so that a record that the POS's slow clock dates before our beginning is read next time. Where records are completed
 * by others, these must have been there too.
 *
 * @param date of the POS's first answer
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

/** From where the next pull reads. */
export function computeReadStart(upTo: string): Date {
  return new Date(Date.parse(upTo) - overlap);
}

/** The instant so many days, whole or not, after another. */
export function daysAfter(instant: string | Date, days: number): Date {
  return new Date(new Date(instant).getTime() + days * 24 * 60 * 60_000);
}

/** A position or watermark as the connector wrote it; null when there is none, or it is of a form not used any more. */
export function parseState<T>(schema: z.ZodType<T>, text: string | null): T | null {
  if (text === null) return null;
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/**
 * What a pull leaves to the next one: up to when it read, when a pull last read everything, `unsettled` (see
 * `unsettledSince`), and up to which day a history is read again that is gone through a part at a time.
 */
export const watermark = z.object({
  upTo: z.iso.datetime(),
  full: z.iso.datetime(),
  unsettled: z.iso.datetime().optional(),
  older: z.iso.date().optional(),
});
export type Watermark = z.output<typeof watermark>;

/** Treez tells of changes for 30 days, and whoever was away for long better reads everything. */
const maxDaysApart = 28;

/**
 * The watermark of the last pull, if it can be built upon; when what its records waited for is there by now, as it was
 * before they came.
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
 * Since when records may lack what completes them, where that is longer ago than the next pull goes back for it; none
 * otherwise. They are not read again as long as nothing that they wait for has come: that may take for ever.
 */
export function findIncompleteSince(
  { caughtUpTo }: Pick<PullRequest<RecordKind>, "caughtUpTo">,
  { upTo, mark }: Pick<ReadRange, "upTo" | "mark">,
): string | undefined {
  if (mark?.unsettled) return mark.unsettled;
  return caughtUpTo && caughtUpTo.toISOString() < upTo ? caughtUpTo.toISOString() : undefined;
}

/** How far a pull reads. */
export interface ReadRange {
  upTo: string;
  /** the last pull's watermark; null where everything is to be read */
  mark: Watermark | null;
  unsettled?: string | undefined;
}

/**
 * How far a pull that begins reads: everything, or what changed since the last one.
 *
 * @param date of the POS's first answer
 * @param mostDays after which everything is read again, to find what no date of change has told of; never when null
 */
export function planReadRange(request: PullRequest<RecordKind>, date: Date | null, maxDays: number | null): ReadRange {
  const upTo = computeReadEnd(request, date);
  const mark = usableWatermark(request.since, request.now, request.caughtUpTo);
  const isOld = mark && maxDays !== null && daysAfter(mark.full, maxDays) <= new Date(upTo);
  const reach = { upTo, mark: isOld ? null : mark };
  return { ...reach, unsettled: findIncompleteSince(request, reach) };
}

/** What a pull that is at its end leaves to the next one. What lacks something that completes it is not there yet. */
export function createLastPage({ upTo, mark, unsettled }: ReadRange): Required<LastPage> {
  const watermark = JSON.stringify({
    upTo,
    full: mark?.full ?? upTo,
    unsettled,
    older: mark?.older,
  } satisfies Watermark);
  return { watermark, asOf: unsettled ?? upTo, readAll: mark === null };
}
