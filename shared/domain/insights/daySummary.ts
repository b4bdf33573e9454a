import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { DayProfile } from "../../insights/history.ts";
import { type Item, type Table, unchanged } from "../../store/client.ts";
import { insightSummaryKey } from "../../store/keys/insights.ts";
import type { PeerGroup } from "./peers.ts";

/** The profile of a day, with the digest of the sales from which it was made. */
export interface SummarizedDay {
  digest: string;
  profile: DayProfile;
}

/** What insights keep of the sales of a CRB's days, in one item. */
export interface DaySummary {
  /** the first judged day, yyyy-MM-dd */
  since: string;
  days: ReadonlyMap<string, SummarizedDay>;
  /** the CRBs with which it is compared; undefined if its type is unknown */
  group: PeerGroup | undefined;
  /** raised by every change; undefined if the item is not stored */
  version: number | undefined;
}

/** The first characters of a day's digest: a change of a sale changes them. */
export const shortDigest = (digest: string): string => digest.slice(0, 16);

/** Reads the summary of a stored item. */
export function toDaySummary(item: Item): DaySummary {
  const { since, version, group, days } = item as Item & Omit<DaySummary, "days"> & { days: Uint8Array };
  return { since, version, group, days: new Map(JSON.parse(inflateRawSync(days).toString())) };
}

/** Stores a summary, on condition that no other computation has changed it. */
export async function storeDaySummary(
  table: Table,
  crbId: string,
  { since, group, version, days }: DaySummary,
): Promise<void> {
  const sorted = [...days].sort(([one], [other]) => (one < other ? -1 : 1));
  const packed = deflateRawSync(JSON.stringify(sorted), { level: 9 });
  const item = {
    ...insightSummaryKey(crbId),
    since,
    ...(group && { group }),
    version: (version ?? 0) + 1,
    days: packed,
  };
  await table.put(item, unchanged("version", version));
}
