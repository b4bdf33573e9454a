import { inventoryDay } from "../../../shared/domain/inventory/keepDailySnapshots.ts";
import type { Table } from "../../../shared/store/client.ts";
import { inventoryDayKey, outboxPartition } from "../../../shared/store/keys/inventory.ts";
import { locationInventoryList, recordList } from "../../../shared/store/keys/orderedLists.ts";
import { localDay } from "../../../shared/time/localTime.ts";
import { recordsOf, type Stored, storedIn } from "./stored.ts";

const { sk: beginOfDay } = inventoryDayKey("");
/** The maximum difference between a clock and the true time, in milliseconds. */
const maxSkewMs = 5_000;
/**
 * Maximum time after a day's first write in which a page of the POS is still written (milliseconds). The page belongs
 * to that day.
 */
const maxPageMs = 3_600_000;

/**
 * The inventory of each location at the end of each local day. It is read from the engine when the transaction that
 * begins a later day arrives there, just before the commit. No write of the later day is there yet, and since one
 * actor runs at a time, none intervenes. The dates in the records verify this.
 */
export class EndedDays {
  /** Faults of the days themselves. */
  readonly faults: string[] = [];
  readonly #bare: Table;
  readonly #crbId: string;
  readonly #timezone: string;
  readonly #locationIds: readonly string[];
  /** Oldest first: the lists of the locations, and the day, exclusive, until which they were valid. */
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
   * @param time the true time, epoch milliseconds: an actor's clock may be corrected during a request
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

  /** The last day of each state, yyyy-MM-dd. The first one is the state before any replication. */
  get days(): string[] {
    return this.#ends.map(({ until }) => new Date(Date.parse(until) - 1).toISOString().slice(0, 10));
  }

  /** The records of a location at the end of a day, newest first; undefined if no write of a later day has begun. */
  listOf(locationId: string, day: string): string[] | undefined {
    return this.#ends.find(({ until }) => until > day)?.lists.get(locationId);
  }

  /** Records written on a later local day than had begun, except for the rest of a page. */
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
    // The writer did not learn of the commit and repeats it.
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
