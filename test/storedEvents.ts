import type { Table } from "../shared/store/client.ts";
import { shardOf } from "../shared/store/eventLog/shards.ts";
import { eventsPartition } from "../shared/store/keys/events.ts";
import type { ReceivedEvent } from "./shared/store/eventLog/eventsUnderTest.ts";

/** The events in a CRB's shard of the log, in their order, also those that are too old for `readEvents`. */
export async function storedEvents(table: Table, of: { spId: string; crbId: string }): Promise<ReceivedEvent[]> {
  const items = await table.queryPartition(eventsPartition(of.spId, shardOf(of.crbId)), { consistent: true });
  return items.flatMap(({ sk, body }) => (sk.startsWith("EVENT#") ? [JSON.parse(body as string)] : []));
}
