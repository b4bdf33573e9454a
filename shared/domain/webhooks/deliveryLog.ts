import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import type { WebhookDelivery } from "../../api/schemas/webhookEndpoint.ts";
import type { Condition, Table } from "../../store/client.ts";
import { deliveryCountKey, deliveryKey } from "../../store/keys/webhooks.ts";
import type { Page } from "../../store/orderedList/readPage.ts";
import { isUnmet, retryOnConflict, StaleReadError } from "../../store/retryOnConflict.ts";

const hour = 3_600_000;
/** Number of hours for which callers can list a delivery (docs/spec.md#replay-tests-and-delivery-log). */
const shownHours = 30 * 24;
/** Retention of an attempt in milliseconds. It exceeds `shownHours`, because the list begins at a full hour. */
const kept = (shownHours + 2) * hour;

/**
 * Writes that record an attempt and count the attempt in its hour.
 *
 * @param part the shard, or `TEST` for a test delivery; each shard, and `TEST`, has its own counters
 */
export function deliveryWrites(
  table: Table,
  endpointId: string,
  part: number | "TEST",
  delivery: WebhookDelivery,
): TransactWriteItem[] {
  const { id, date } = delivery;
  const expires = Math.floor((Date.parse(date) + kept) / 1_000);
  const count = {
    expression: "SET expires = :expires ADD #hour :one",
    names: { "#hour": attributeOf(date) },
    // One item has the counters of a day, so it must stay until the attempts of the day's last hour expire.
    values: { ":expires": expires + 24 * 3_600, ":one": 1 },
  };
  return [
    // If a transaction is repeated after a lost response, this condition keeps the attempt from being counted twice.
    table.putWrite({ ...deliveryKey(endpointId, date, id), body: JSON.stringify(delivery), expires }, isNew),
    table.updateWrite(deliveryCountKey(endpointId, date.slice(0, 10), part), count),
  ];
}

/** Records an attempt. Does nothing if the attempt is already recorded, by a transaction whose response was lost. */
export const logDelivery = (
  table: Table,
  endpointId: string,
  part: number | "TEST",
  delivery: WebhookDelivery,
): Promise<void> =>
  retryOnConflict(table.clock, () =>
    table.transact(deliveryWrites(table, endpointId, part, delivery)).catch((error) => {
      if (!isUnmet(error, 0)) throw error;
    }),
  );

const isNew: Condition = { expression: "attribute_not_exists(pk)" };

/** The attribute with the number of attempts in an hour. */
const attributeOf = (date: string): string => `h${date.slice(11, 13)}`;

/** The number of attempts in an hour such as `2026-03-14T16`. */
interface Hour {
  hour: string;
  count: number;
}

/**
 * A page of the delivery attempts of an endpoint, newest first, with the total. Reads the counts of 30 days (at most 37 read
 * units), and the attempts of the hours that the page covers.
 */
export function readDeliveries(
  table: Table,
  endpointId: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<Page> {
  return retryOnConflict(table.clock, async (isLast) => {
    const hours = await readHours(table, endpointId);
    const total = hours.reduce((sum, { count }) => sum + count, 0);
    let newer = 0;
    const first = hours.findIndex(({ count }) => {
      newer += count;
      return newer > offset;
    });
    if (first < 0) return { total, records: [] };
    const begin = hours[first] as Hour;
    const skipped = offset - (newer - begin.count);
    const { pk } = deliveryKey(endpointId, "", "");
    const bounds = { from: hours.at(-1)?.hour, to: behind(first === 0 ? "9" : begin.hour) };
    const reading = { consistent: true, newestFirst: true, limit: skipped + limit };
    const items = await table.queryPartition(pk, { ...bounds, ...reading });
    const records = items.slice(skipped).map(({ body }) => body as string);
    // One transaction writes an attempt and its count. But the two queries here may read different states of the table, so
    // retry.
    if (records.length < Math.min(limit, total - offset) && !isLast) throw new StaleReadError(pk);
    return { total: Math.max(total, offset + records.length), records };
  });
}

/** A key that sorts after all keys with this prefix. */
const behind = (text: string): string => `${text}~`;

/** The hours of the last 30 days that have attempts, newest first. */
async function readHours(table: Table, endpointId: string): Promise<Hour[]> {
  const oldest = new Date(table.clock.now().getTime() - shownHours * hour).toISOString();
  const { pk, sk: from } = deliveryCountKey(endpointId, oldest.slice(0, 10), 0);
  const items = await table.queryPartition(pk, { from: from.slice(0, 10), consistent: true });
  const counts = new Map<string, number>();
  for (const { pk: _, sk, expires, ...ofHours } of items) {
    for (const [name, count] of Object.entries(ofHours)) {
      const hour = `${sk.slice(0, 10)}T${name.slice(1)}`;
      counts.set(hour, (counts.get(hour) ?? 0) + (count as number));
    }
  }
  return [...counts]
    .map(([hour, count]) => ({ hour, count }))
    .filter(({ hour }) => hour >= oldest.slice(0, 13))
    .sort((one, other) => (one.hour < other.hour ? 1 : -1));
}
