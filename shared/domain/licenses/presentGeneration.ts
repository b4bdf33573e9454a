import { itemId, type Table, tryConditionalWrite, unchanged } from "../../store/client.ts";
import { comparedLicensesKey, licensesKey } from "../../store/keys/licenses.ts";

/** Milliseconds for which the objects of a replaced generation are kept. */
const keptMilliseconds = 24 * 60 * 60_000;

/** The item that names the present generation. */
export interface Present {
  generation: string;
  /** The replaced generations and when they ended, in epoch milliseconds; each generation is kept for a day. */
  ended: Readonly<Record<string, number>>;
  /** The UTC day of the last import of each register, by `registerName`; absent before the first such import. */
  days?: Readonly<Record<string, string>>;
}

/** Reads the item; undefined before the first import. */
export async function readPresent(table: Table, options: { consistent?: boolean } = {}): Promise<Present | undefined> {
  return (await table.get(licensesKey, options)) as Present | undefined;
}

/**
 * The days of the last imports, by the name of the register, if all links were compared with them; undefined otherwise. An import
 * ends before the comparison of its licenses.
 */
export async function readComparedDays(table: Table): Promise<Present["days"]> {
  const items = await table.batchGet([licensesKey, comparedLicensesKey]);
  const present = items.get(itemId(licensesKey)) as Present | undefined;
  const compared = items.get(itemId(comparedLicensesKey));
  return present && compared?.generation === present.generation ? present.days : undefined;
}

/**
 * Makes a generation the present one, if the generation that it was built from is still the present one.
 *
 * @param after the name of the generation, and the days of the registers that it was built from
 * @returns the new item; undefined if another import has ended in the meantime
 */
export async function replacePresent(
  table: Table,
  before: Present | undefined,
  after: { generation: string; days: Readonly<Record<string, string>> },
  now: Date,
): Promise<Present | undefined> {
  const { generation } = after;
  const time = now.getTime();
  const recent = Object.entries(before?.ended ?? {}).filter(([, end]) => end + keptMilliseconds > time);
  const ended = { ...Object.fromEntries(recent), ...(before && { [before.generation]: time }) };
  const item: Present = { generation, ended, days: { ...before?.days, ...after.days } };
  const write = table.put({ ...licensesKey, ...item }, unchanged("generation", before?.generation));
  if (await tryConditionalWrite(write)) return item;
  // If the response of DynamoDB was lost, the SDK's retry fails although the first write succeeded.
  const present = await readPresent(table, { consistent: true });
  return present && (present.generation === generation || generation in present.ended) ? present : undefined;
}

/**
 * Stores the days of imports that changed no license.
 *
 * @returns false if another import has ended in the meantime
 */
export async function recordImportDays(
  table: Table,
  before: Present,
  days: Readonly<Record<string, string>>,
): Promise<boolean> {
  if (Object.entries(days).every(([register, day]) => before.days?.[register] === day)) return true;
  const write = table.update(
    licensesKey,
    { days: { ...before.days, ...days } },
    unchanged("generation", before.generation),
  );
  return tryConditionalWrite(write);
}

/**
 * The time (epoch milliseconds) before which an object must have been stored to be removed. Newer objects may belong to
 * an import in progress. Objects of the present generation and of recently replaced generations are never removed.
 */
export const computeRetentionStart = (now: Date): number => now.getTime() - keptMilliseconds;
