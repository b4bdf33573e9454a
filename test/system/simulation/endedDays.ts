import type { Table } from "../../../shared/store/client.ts";
import { inventoryDayKey, outboxPartition } from "../../../shared/store/keys/inventory.ts";
import { locationInventoryList, recordList } from "../../../shared/store/keys/orderedLists.ts";
import { inventoryDay } from "../../../shared/store/snapshots/keepDailySnapshots.ts";
import { localDay } from "../../../shared/time/localTime.ts";
import { recordsOf, type Stored, storedIn } from "./stored.ts";

const { sk: beginOfDay } = inventoryDayKey("");
/** The maximum difference between a clock and the true time, in milliseconds. */
const maxSkewMs = 5_000;
/** So long after its day began to be written a page of the POS may still be (milliseconds): it belongs to that day. */
const maxPageMs = 3_600_000;

/**
 * How the inventory of each location stood at the end of each local day. It is taken from the engine when the transaction
 * that begins a later day arrives there, just before it is committed: no write of the later day is there yet, and since
 * one actor at a time goes on, none comes in between. The days of the dates in the records tell whether that is true.
 */
export class EndedDays {
  /** What went wrong with the days themselves. */
  readonly faults: string[] = [];
  readonly #bare: Table;
  readonly #crbId: string;
  readonly #timezone: string;
  readonly #locationIds: readonly string[];
  /** Oldest first: until which day, exclusive, the lists of the locations stood so. */
  readonly #ends: { until: string; lists: Map<string, string[]> }[] = [];

  /** @param bare the table without rules */
  constructor(bare: Table, crbId: string, timezone: string, locationIds: readonly string[]) {
    this.#bare = bare;
    this.#crbId = crbId;
    this.#timezone = timezone;
    this.#locationIds = locationIds;
  }

  /**
   * Watches the requests of a table's client, below all rules.
   *
   * @param time the true time, epoch milliseconds: the clock of an actor may be corrected during a request
   */
  watch({ client }: Table, time: () => number): void {
    client.middlewareStack.add(
      (next, { commandName }) =>
        async (request) => {
          const isBegin =
            commandName === "TransactWriteItemsCommand" && JSON.stringify(request.input).includes(beginOfDay);
          if (!isBegin) return next(request);
          const before = await storedIn(this.#bare);
          const answer = await next(request);
          await this.#note(before, time());
          return answer;
        },
      { step: "serialize", name: "endedDays" },
    );
  }

  /** The last days that ended in one state each, yyyy-MM-dd; the first one is that before anything was replicated. */
  get days(): string[] {
    return this.#ends.map(({ until }) => new Date(Date.parse(until) - 1).toISOString().slice(0, 10));
  }

  /** The records of a location at the end of a day, newest first; undefined where no later day has begun to be written. */
  listOf(locationId: string, day: string): string[] | undefined {
    return this.#ends.find(({ until }) => until > day)?.lists.get(locationId);
  }

  /** Records that were written on a later local day than had begun, other than the rest of a page. */
  faultsOfRecords(stored: Stored): string[] {
    const begun = this.#ends.at(-1)?.until ?? "";
    const records = recordsOf(stored, recordList(this.#crbId, "inventory").pk);
    const dates = records.map((record) => JSON.parse(record).svc_updated_date as string);
    const late = dates.filter((date) => localDay(new Date(Date.parse(date) - maxPageMs), this.#timezone) > begun);
    return late.map((date) => `written on ${date}, when ${begun || "no day"} had begun`);
  }

  async #note(before: Stored, time: number): Promise<void> {
    const until = (await inventoryDay(this.#bare, this.#crbId)) ?? "";
    const last = this.#ends.at(-1)?.until ?? "";
    // Somebody did not learn that it was committed, and repeats it.
    if (until === last) return;
    const latest = localDay(new Date(time + maxSkewMs), this.#timezone);
    if (until < last || until > latest) this.faults.push(`${until} began after ${last}, on ${latest}`);
    if (before.has(outboxPartition(this.#crbId))) this.faults.push(`${until} began before all was at its locations`);
    this.faults.push(...this.faultsOfRecords(before));
    const lists = this.#locationIds.map(
      (id) => [id, recordsOf(before, locationInventoryList(this.#crbId, id).pk)] as const,
    );
    this.#ends.push({ until, lists: new Map(lists) });
  }
}
