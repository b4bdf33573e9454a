import type { Table } from "../../../../shared/store/client.ts";
import { followChanges } from "../../../../shared/store/followChanges.ts";
import type { OrderedList } from "../../../../shared/store/keys/orderedLists.ts";

/** A client's copy of a list, updated by its changes. The records and the cursor belong together. */
export class ListCopy {
  /** JSON texts by id. */
  readonly records = new Map<string, string>();
  cursor: string | undefined;
  resets = 0;
  pages = 0;
  /** number of received records, repeated ones included */
  received = 0;
  /** pages that ended before a record that the index does not show yet */
  gaps = 0;
  #rank = "";
  #before: { cursor: string | undefined; rank: string } = { cursor: undefined, rank: "" };

  /** Applies one page. @returns whether more follow */
  async turn(table: Table, list: OrderedList, limit: number): Promise<boolean> {
    const changes = await followChanges(table, list, { cursor: this.cursor, limit });
    const { places, hasMore, isReset } = changes;
    if (places.length > limit) throw new Error(`${places.length} records on a page of ${limit}`);
    this.pages++;
    this.received += places.length;
    if (hasMore && places.length < limit) this.gaps++;
    this.#before = { cursor: this.cursor, rank: this.#rank };
    if (isReset) {
      this.resets++;
      this.records.clear();
      this.#rank = "";
    }
    for (const { rank, value } of places) {
      if (rank <= this.#rank) throw new Error(`${rank} comes after ${this.#rank}`);
      this.#rank = rank;
      this.records.set(JSON.parse(value).id, value);
    }
    this.cursor = changes.createCursorAfter(places.length);
    return hasMore;
  }

  /** The state after the last page's records were stored but its cursor was lost. */
  loseCursor(): void {
    this.cursor = this.#before.cursor;
    this.#rank = this.#before.rank;
  }

  /** Applies all remaining pages. */
  async toTheEnd(table: Table, list: OrderedList, limit: number): Promise<void> {
    const maxPages = this.pages + 1_000;
    while (await this.turn(table, list, limit)) if (this.pages > maxPages) throw new Error("there is no end");
  }
}
