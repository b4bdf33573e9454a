import { type Table, tryConditionalWrite, unchanged } from "../../store/client.ts";
import { licensesKey } from "../../store/keys/licenses.ts";

/** Milliseconds for which a replaced generation stays. */
const keptMilliseconds = 24 * 60 * 60_000;

/** The item that names the present generation. */
export interface Present {
  generation: string;
  /** The replaced generations and when they ended, in epoch milliseconds; each stays for a day. */
  ended: Readonly<Record<string, number>>;
}

/** Reads the item; undefined before the first import. */
export async function readPresent(table: Table, options: { consistent?: boolean } = {}): Promise<Present | undefined> {
  return (await table.get(licensesKey, options)) as Present | undefined;
}

/**
 * Makes a generation the present one, if the one that it was built from still is.
 *
 * @returns the new item; undefined if another import has ended in the meantime
 */
export async function replacePresent(
  table: Table,
  before: Present | undefined,
  generation: string,
  now: Date,
): Promise<Present | undefined> {
  const time = now.getTime();
  const recent = Object.entries(before?.ended ?? {}).filter(([, end]) => end + keptMilliseconds > time);
  const ended = { ...Object.fromEntries(recent), ...(before && { [before.generation]: time }) };
  const write = table.put({ ...licensesKey, generation, ended }, unchanged("generation", before?.generation));
  if (await tryConditionalWrite(write)) return { generation, ended };
  // If the response of DynamoDB was lost, the SDK's retry fails although the write succeeded.
  const present = await readPresent(table, { consistent: true });
  return present && (present.generation === generation || generation in present.ended) ? present : undefined;
}

/** Epoch milliseconds. Objects stored before it that belong to no present or recent generation can be removed. */
export const computeRetentionStart = (now: Date): number => now.getTime() - keptMilliseconds;
