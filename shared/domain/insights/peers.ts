import type { Crb as CrbRecord } from "../../api/schemas/crb.ts";
import { exists, type Table } from "../../store/client.ts";
import { associationKey } from "../../store/keys/crbs.ts";
import { monthTotalKey, monthTotalPrefix, providerInsightsPartition } from "../../store/keys/insights.ts";
import { addDays } from "../../time/addDays.ts";
import { utcDay } from "../../time/clock.ts";

/** The CRBs of a service provider that are compared with each other: of the same state and type. */
export interface PeerGroup {
  state: string;
  type: string;
}

export const peerGroup = ({
  state,
  business_type,
}: Pick<CrbRecord, "state" | "business_type">): PeerGroup | undefined =>
  business_type === null ? undefined : { state, type: business_type };

/** Days for which the total of a month is kept after its end. */
const keptDays = 70;

/** The months whose totals may be stored, yyyy-MM. */
export const peerMonths = (now: Date): string[] => [
  ...new Set(Array.from({ length: 5 }, (_, i) => addDays(utcDay(now), -i * 25).slice(0, 7))),
];

/**
 * Stores the total of a month for the comparison of CRBs, and reads those of the others.
 *
 * @param month yyyy-MM
 * @returns the totals of the other CRBs, cents
 * @throws TransactionCanceledException after the end of the association, or after a conflict
 */
export async function exchangeMonthTotals(
  table: Table,
  { spId, crbId }: { spId: string; crbId: string },
  { month, total, ...group }: PeerGroup & { month: string; total: number },
): Promise<number[]> {
  const prefix = monthTotalPrefix({ ...group, month });
  const items = await table.queryPartition(providerInsightsPartition(spId), { prefix });
  const key = monthTotalKey(spId, { ...group, month }, crbId);
  const own = items.find(({ sk }) => sk === key.sk);
  if (own?.total !== total) {
    const expires = Date.parse(`${month}-28`) / 1_000 + keptDays * 86_400;
    // The end of the association removes the totals.
    const isAssociated = table.checkWrite(associationKey(spId, crbId), exists);
    await table.transact([isAssociated, table.putWrite({ ...key, total, expires })]);
  }
  return items.flatMap(({ sk, total: each }) => (sk === key.sk ? [] : [each as number]));
}
