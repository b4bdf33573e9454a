import { itemId, type Table } from "./client.ts";
import { type Crb, toCrb } from "./crb.ts";
import { crbKey, endedCrbPartition, parseEndedCrbKey } from "./keys/crbs.ts";
import { lastKeyOf } from "./keys/key.ts";

/** Reads the CRBs whose association ended by a given time and that are not purged, earliest end first. */
export async function endedAssociations(
  table: Table,
  until: Date,
): Promise<{ crbId: string; endedAt: string; crb: Crb | undefined }[]> {
  const to = lastKeyOf(until.toISOString());
  const items = await table.queryPartition(endedCrbPartition, { to, consistent: true });
  const ended = items.map(({ sk }) => parseEndedCrbKey(sk));
  const crbs = await table.batchGet(ended.map(({ crbId }) => crbKey(crbId)));
  return ended.map((each) => {
    const item = crbs.get(itemId(crbKey(each.crbId)));
    return { ...each, crb: item && toCrb(item) };
  });
}
