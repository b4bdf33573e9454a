import { addDays } from "../../time/addDays.ts";
import { systemClock } from "../../time/clock.ts";
import { OutOfTimeError } from "../../time/deadline.ts";
import { fromLocalTime, localDay } from "../../time/localTime.ts";
import { computeReadEnd, computeReadStart } from "../framework/readRange.ts";
import type { MetrcAccess, MetrcOptions } from "./metrcAccess.ts";
import type { Window } from "./metrcApi.ts";
import { ReceiptBook } from "./receiptBook.ts";
import { ReceiptReader, type Receipts } from "./receiptReader.ts";
import type { StateDay } from "./stateDay.ts";
import { WindowSequence } from "./windowSequence.ts";

/** The days to read. All days are local days of the business, yyyy-MM-dd. */
export interface StateDaysRequest extends MetrcAccess {
  /** IANA name */
  timeZone: string;
  /** the earliest day to return. Changes of receipts of earlier days are ignored */
  fromDate: string;
  /** the last day to return, normally the current one */
  toDate: string;
  /**
   * `asOf` of the last reading: this reading then returns the days from the earliest one whose receipts have changed since
   * then. null to return all days
   */
  since: string | null;
  /** the earliest day to return even if no receipt of it changed, such as an unconfirmed day; null if there is none */
  againFrom: string | null;
  /** milliseconds until the reading must end; at least a minute is needed */
  remainingMs(): number;
}

export interface StateDaysReading {
  /** the days in order up to `toDate`, without gaps, including days without receipts */
  days: StateDay[];
  /** the `since` of the next reading */
  asOf: string;
  /**
   * null if `days` has all days. Otherwise the time ended first: the days from this one to the first of `days` are missing.
   * Their receipts may have changed, so their stored totals are not complete. The next reading must name this day as
   * `againFrom`
   */
  unreadFrom: string | null;
}

const dayMs = 86_400_000;
/** The last window ends this much after the present, because clocks differ. */
const aheadMs = 3_600_000;

/**
 * Reads the totals of days from Metrc. Its lists of receipts have no reliable filter by day. So the reading goes back in time
 * through windows of `LastModified`. A sale is recorded at most a day before its own time. So all receipts of a day are read once
 * the windows reach a day before it. Receipts that change meanwhile leave their window. They are read at the end, in
 * a last window from the beginning of the reading to the present.
 *
 * The memory grows with the number of receipts, by about 50 bytes each.
 *
 * @throws PosError "credentialsRefused"; "locationGone" if the key does not reach the license; "notPermitted" if the key may not
 * view sales; or a temporary failure. Nothing is kept then
 */
export async function readStateDays(request: StateDaysRequest, options: MetrcOptions = {}): Promise<StateDaysReading> {
  const { timeZone, fromDate, toDate, since, againFrom } = request;
  const clock = options.clock ?? systemClock;
  const reader = new ReceiptReader(request, () => request.remainingMs(), options);
  const asOf = computeReadEnd({ now: clock.now() }, await reader.requireLicense());
  const startOf = (day: string) => new Date(fromLocalTime(`${day} 00:00:00.000`, timeZone) ?? `${day}T00:00:00.000Z`);

  const totals = new DayTotals(timeZone);
  const windows = new WindowSequence(reader, new Date(asOf), totals);
  let wanted = fromDate;
  try {
    if (since !== null) {
      await windows.readBackTo(computeReadStart(since));
      wanted = max(fromDate, min(totals.earliest ?? toDate, againFrom ?? toDate));
    }
    await windows.readBackTo(new Date(startOf(wanted).getTime() - dayMs));
  } catch (error) {
    if (!(error instanceof OutOfTimeError)) throw error;
  }
  // The first day that begins a day after the beginning of the windows.
  const reached = addDays(localDay(new Date(windows.start.getTime() + dayMs - 1), timeZone), 1);
  const first = max(wanted, reached);
  const last = { start: computeReadStart(asOf), end: new Date(reader.latest.getTime() + aheadMs) };
  totals.take(last, await reader.read(last, false));
  const days = totals.book.figures(first, toDate).map((figures) => {
    const hasEnded = startOf(addDays(figures.date, 1)).toISOString() <= asOf;
    return { ...figures, complete: hasEnded && !totals.isDoubtful(figures.date), dataAsOf: asOf };
  });
  return { days, asOf, unreadFrom: first === wanted ? null : wanted };
}

const min = (a: string, b: string) => (a < b ? a : b);
const max = (a: string, b: string) => (a > b ? a : b);

/** The receipts of a reading, and the days whose receipts may not all be there. */
class DayTotals {
  readonly book = new ReceiptBook();
  /** the earliest day of a receipt so far; empty if the day of a receipt cannot be read, because it can be any day */
  earliest: string | undefined;
  readonly #timeZone: string;
  readonly #unreadableDays = new Set<string>();
  /** the last day that may lack receipts; days before it may lack some, too */
  #doubtfulUpTo = "";

  constructor(timeZone: string) {
    this.#timeZone = timeZone;
  }

  take({ end }: Window, receipts: Receipts): void {
    for (const { receipts: found, unreadableDays, isProven } of [receipts.active, receipts.inactive]) {
      for (const receipt of found.values()) {
        this.book.add(receipt);
        this.#reach(receipt.salesDateTime.slice(0, 10));
      }
      for (const day of unreadableDays) {
        this.#reach(day ?? "");
        if (day === null) this.doubt(end);
        else this.#unreadableDays.add(day);
      }
      if (!isProven) this.doubt(end);
    }
  }

  #reach(day: string): void {
    this.earliest = min(this.earliest ?? day, day);
  }

  doubt(end: Date): void {
    this.#doubtfulUpTo = max(this.#doubtfulUpTo, addDays(localDay(end, this.#timeZone), 1));
  }

  isDoubtful(day: string): boolean {
    return day <= this.#doubtfulUpTo || this.#unreadableDays.has(day);
  }
}
