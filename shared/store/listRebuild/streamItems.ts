import type { RawItem, Table } from "../client.ts";
import { retryOnOutage } from "../retryOnConflict.ts";

/** Retries with long pauses, because an operator's command can wait longer than a request. */
export const retryOptions = { maxPauseMs: 5_000 } as const;

/**
 * Reads a partition consistently, in parts. Retries each while the table throttles or cannot be reached.
 *
 * @param attributes attributes to return in addition to `sk`
 * @param limit maximum number of items in a part; 500 records have about 1 MB
 */
export async function* streamItems(
  table: Table,
  pk: string,
  attributes: readonly string[],
  limit = 500,
): AsyncGenerator<RawItem[]> {
  const query = { attributes: ["sk", ...attributes], consistent: true, limit };
  for (let after: string | undefined; ; ) {
    const read = () => table.queryRaw(pk, { ...query, after });
    const items = await retryOnOutage(table.clock, read, retryOptions);
    if (items.length > 0) yield items;
    if (items.length < limit) return;
    after = items.at(-1)?.sk?.S;
  }
}
