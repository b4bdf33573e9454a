import { notFound } from "../../api/errors.ts";
import type { Deposit } from "../../api/schemas/deposit.ts";
import type { Table } from "../../store/client.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { changeSums } from "./changeSums.ts";
import type { DepositOwner } from "./settings.ts";
import { DayChanges, depositDeletion, loadDeposits } from "./storedDeposit.ts";

/**
 * Deletes a deposit.
 *
 * @returns the deposit as it was stored
 * @throws ServiceError "notFound" if it is not stored, or the association of the CRB has ended
 */
export async function deleteDeposit(
  table: Table,
  owner: DepositOwner,
  id: string,
  clock: Clock = systemClock,
): Promise<Deposit> {
  return retryOnConflict(clock, async () => {
    const stored = (await loadDeposits(table, owner.crbId, [id])).get(id);
    if (!stored) throw notFound("deposit");
    const changes = new DayChanges();
    changes.remove(stored.deposit);
    const writes = [depositDeletion(table, owner.crbId, stored)];
    await changeSums(table, owner, { writes, days: changes.days, deposits: -1 });
    return stored.deposit;
  });
}
