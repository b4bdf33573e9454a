import type * as z from "zod";
import type { Deposit, DepositRequest, storedDeposits } from "../../api/schemas/deposit.ts";
import { log } from "../../platform/aws/log.ts";
import type { Table } from "../../store/client.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { changeSums, depositLimit, maxDeposits } from "./changeSums.ts";
import { type DepositOwner, listingWrites, readSettings } from "./settings.ts";
import { DayChanges, dayOf, depositWrite, isSame, loadDeposits, toDeposit } from "./storedDeposit.ts";

/** Maximum number of deposits in a transaction. DynamoDB allows 100 writes, and each year of a day takes one. */
const maxInTransaction = 60;

/**
 * Stores deposits that were validated. Writes only the deposits that differ from the stored ones, so a call that was
 * interrupted is completed by the same call. The deposits of a day are in one transaction, unless there are more than 60.
 *
 * @param requests no id occurs twice
 * @throws ServiceError "notFound" if the association of the CRB has ended; "conflict" if the CRB would have too many deposits.
 *   Nothing is stored then, unless another request stores deposits at the same time
 */
export async function storeDeposits(
  table: Table,
  owner: DepositOwner,
  requests: readonly DepositRequest[],
  clock: Clock = systemClock,
): Promise<z.output<typeof storedDeposits>> {
  const deposits = requests.map(toDeposit);
  const [stored, settings] = await Promise.all([
    loadDeposits(
      table,
      owner.crbId,
      deposits.map(({ id }) => id),
    ),
    readSettings(table, owner.crbId),
  ]);
  const isNew = ({ id }: Deposit) => !stored.has(id);
  const changed = deposits.filter((deposit) => {
    const before = stored.get(deposit.id);
    return !before || !isSame(before.deposit, deposit);
  });
  const accepted = changed.filter(isNew).length;
  if (settings.deposits + accepted > maxDeposits) throw depositLimit();
  for (const group of groupByDays(changed)) await storeGroup(table, owner, group, clock);
  const replaced = changed.length - accepted;
  if (replaced > 0) log.info("deposits replaced", { crb_id: owner.crbId, replaced });
  return { accepted, unchanged: deposits.length - changed.length, replaced };
}

/** One transaction of a request. */
async function storeGroup(
  table: Table,
  owner: DepositOwner,
  deposits: readonly Deposit[],
  clock: Clock,
): Promise<void> {
  const { crbId } = owner;
  await retryOnConflict(clock, async () => {
    const ids = deposits.map(({ id }) => id);
    const [stored, settings] = await Promise.all([loadDeposits(table, crbId, ids), readSettings(table, crbId)]);
    const changes = new DayChanges();
    const writes = deposits.flatMap((deposit) => {
      const before = stored.get(deposit.id);
      if (before && isSame(before.deposit, deposit)) return [];
      if (before) changes.remove(before.deposit);
      changes.add(deposit);
      return [depositWrite(table, crbId, deposit, before)];
    });
    if (writes.length === 0) return;
    const added = ids.filter((id) => !stored.has(id)).length;
    writes.push(...listingWrites(table, crbId, settings));
    await changeSums(table, owner, { writes, days: changes.days, deposits: added });
  });
}

/**
 * Groups of deposits for one transaction each. A group has whole days, so that the revision of a day does not depend on the
 * other days of a request.
 */
function groupByDays(deposits: readonly Deposit[]): Deposit[][] {
  const byDay = [...Map.groupBy(deposits, dayOf)].sort(([one], [other]) => (one < other ? -1 : 1));
  const parts = byDay.flatMap(([, ofDay]) =>
    Array.from({ length: Math.ceil(ofDay.length / maxInTransaction) }, (_, i) =>
      ofDay.slice(i * maxInTransaction, (i + 1) * maxInTransaction),
    ),
  );
  const groups: Deposit[][] = [];
  for (const part of parts) {
    const last = groups.at(-1);
    if (last && last.length + part.length <= maxInTransaction) last.push(...part);
    else groups.push([...part]);
  }
  return groups;
}
