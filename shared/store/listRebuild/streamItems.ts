import type { RawItem, Table } from "../client.ts";
import { retryOnOutage } from "../retryOnConflict.ts";

/** An operator's command can wait longer than a caller. */
export const retryOptions = { maxPauseMs: 5_000 } as const;

/** Keeps a part of records near 1 MB; small items come in larger parts. */
const maxItemsPerPart = { records: 500, entries: 5_000 } as const;

/**
 * Reads a partition consistently, part by part, in the order of its range key. Each part is retried through throttling
 * and outages.
 *
 * @param attributes to return in addition to `sk`
 */
export async function* streamItems(
  table: Table,
  pk: string,
  attributes: readonly string[],
  size: keyof typeof maxItemsPerPart = "records",
): AsyncGenerator<RawItem[]> {
  const limit = maxItemsPerPart[size];
  const names = ["sk", ...attributes];
  const query = {
    ProjectionExpression: names.map((_, i) => `#${i}`).join(),
    ExpressionAttributeNames: Object.fromEntries(names.map((name, i) => [`#${i}`, name])),
    ConsistentRead: true,
    Limit: limit,
  };
  for (let last: string | undefined; ; ) {
    const items = await retryOnOutage(
      table.clock,
      () =>
        table.queryRaw({
          ...query,
          KeyConditionExpression: last === undefined ? "pk = :pk" : "pk = :pk AND #0 > :last",
          ExpressionAttributeValues: { ":pk": { S: pk }, ...(last !== undefined && { ":last": { S: last } }) },
        }),
      retryOptions,
    );
    if (items.length > 0) yield items;
    if (items.length < limit) return;
    last = items.at(-1)?.sk?.S;
  }
}
