import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { Item, Table } from "../../../../shared/store/client.ts";
import { readEvents } from "../../../../shared/store/eventLog/readEvents.ts";
import { shardOf } from "../../../../shared/store/eventLog/shards.ts";

/** An event as callers receive it. */
export interface ReceivedEvent {
  id: string;
  type: string;
  date: string;
  sp_id: string;
  crb_id: string | null;
  data: Record<string, unknown>;
}

/** Whether an item belongs to a log of events and survives a purge: a sequenced event, or a head. */
export const isLogged = ({ pk, sk }: Pick<Item, "pk" | "sk">): boolean =>
  /^SERVICE_PROVIDER#[^#]+#EVENTS#(HEADS#)?\d+$/.test(pk) && !sk.includes("WAITING");

/** The id of a CRB whose events are in a shard. */
export function crbOfShard(shard: number): string {
  for (;;) {
    const id = randomUUID();
    if (shardOf(id) === shard) return id;
  }
}

/** A client that follows a service provider's events by cursors. */
export class EventReader {
  readonly events: ReceivedEvent[] = [];
  pages = 0;
  cursor: string | undefined;
  readonly #spId: string;

  constructor(spId: string) {
    this.#spId = spId;
  }

  /** Reads a page. @returns whether there is more */
  async turn(table: Table, limit: number): Promise<boolean> {
    const { events, cursor, hasMore } = await readEvents(table, this.#spId, { cursor: this.cursor, limit });
    expect(events.length).toBeLessThanOrEqual(limit);
    // A page is full if more events follow.
    if (hasMore) expect(events.length).toBe(limit);
    this.pages++;
    this.cursor = cursor;
    this.events.push(...events.map((text) => JSON.parse(text) as ReceivedEvent));
    return hasMore;
  }

  async toTheEnd(table: Table, limit = 1_000): Promise<ReceivedEvent[]> {
    while (await this.turn(table, limit));
    return this.events;
  }
}

/** All stored events of a service provider. */
export const eventsOf = (table: Table, spId: string): Promise<ReceivedEvent[]> => new EventReader(spId).toTheEnd(table);
