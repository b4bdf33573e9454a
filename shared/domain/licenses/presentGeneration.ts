import { type Table, tryConditionalWrite, unchanged } from "../../store/client.ts";
import { licensesKey } from "../../store/keys/licenses.ts";

/** How long a generation stays after another one took its place. */
const keptMilliseconds = 24 * 60 * 60_000;

/** Which generation is the present one; what the pointer's item says. */
export interface Present {
  generation: string;
  /** Those that were before, until a day after their end: when each ended, epoch milliseconds. */
  ended: Readonly<Record<string, number>>;
}

/** Reads which generation is the present one; undefined before the first import. */
export async function readPresent(table: Table, options: { consistent?: boolean } = {}): Promise<Present | undefined> {
  return (await table.get(licensesKey, options)) as Present | undefined;
}

/**
 * Makes a generation the present one in the place of the one that it was made from.
 *
 * @returns what is said from now on; undefined when another import has ended meanwhile
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
  // An answer may have been lost on its way, so that the same was sent again and refused.
  const present = await readPresent(table, { consistent: true });
  return present && (present.generation === generation || generation in present.ended) ? present : undefined;
}

/** When objects that no present or recent generation has must have been stored to be left, epoch milliseconds. */
export const computeRetentionStart = (now: Date): number => now.getTime() - keptMilliseconds;
