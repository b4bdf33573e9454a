import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { conflict, notFound } from "../../api/errors.ts";
import { exists, type Table } from "../../store/client.ts";
import { associationKey } from "../../store/keys/crbs.ts";
import { reconciliationSettingsKey } from "../../store/keys/deposits.ts";
import { isUnmet } from "../../store/retryOnConflict.ts";
import { type DaySums, loadYears, noSums, withDays, yearOf, yearWrite } from "./daySums.ts";
import type { DepositOwner } from "./settings.ts";

/** Maximum numbers of a CRB (docs/spec.md#limits). */
export const maxDeposits = 100_000;
export const maxCashCounts = 3_660;

export const depositLimit = () =>
  conflict(
    "deposit_limit",
    `A CRB can have ${maxDeposits} deposits. Delete deposits that you no longer compare first.`,
  );

export const countLimit = () =>
  conflict("count_limit", `A CRB can have ${maxCashCounts} cash counts. Delete the oldest ones first.`);

/** A change of the stored days of a CRB. */
export interface SumsChange {
  /** The writes of the deposits that change, and of the list of CRBs. */
  writes: readonly TransactWriteItem[];
  /** Computes the new figures of a day, by day, yyyy-MM-dd. */
  days: ReadonlyMap<string, (sums: DaySums) => DaySums>;
  /** How many more deposits, or fewer, are stored. */
  deposits?: number;
  /** How many more cash counts, or fewer, are stored. */
  counts?: number;
}

/**
 * Stores a change together with the sums of its days, in one transaction. `revision` rises for the days whose figures change.
 *
 * @throws ServiceError "notFound" if the association of the CRB has ended; "conflict" if the CRB has the maximum number of
 *   deposits or counts
 * @throws a transaction error, which `retryOnConflict` accepts, if another request has changed the same days or deposits
 */
export async function changeSums(
  table: Table,
  { spId, crbId }: DepositOwner,
  { writes, days, deposits = 0, counts = 0 }: SumsChange,
): Promise<void> {
  const years = await loadYears(table, crbId, [...days.keys()].map(yearOf));
  const changed = [...years.values()].flatMap((year) => {
    const own = [...days].filter(([day]) => yearOf(day) === year.year);
    const next = own.flatMap(([day, change]) => changedDay(day, year.days.get(day) ?? noSums, change));
    return next.length > 0 ? [yearWrite(table, crbId, withDays(year, next))] : [];
  });
  const transaction = [
    table.checkWrite(associationKey(spId, crbId), exists),
    table.updateWrite(
      reconciliationSettingsKey(crbId),
      {
        expression: "ADD deposits :deposits, counts :counts",
        values: {
          ":deposits": deposits,
          ":counts": counts,
          ":maxDeposits": maxDeposits - Math.max(deposits, 0),
          ":maxCounts": maxCashCounts - Math.max(counts, 0),
        },
      },
      "(attribute_not_exists(deposits) OR deposits <= :maxDeposits) AND (attribute_not_exists(counts) OR counts <= :maxCounts)",
    ),
    ...changed,
    ...writes,
  ];
  await table.transact(transaction).catch((error) => {
    if (isUnmet(error, 0)) throw notFound("CRB");
    if (isUnmet(error, 1)) throw counts > 0 ? countLimit() : depositLimit();
    throw error;
  });
}

/** A day with its new figures and revision; none if they are the same. */
export function changedDay(day: string, before: DaySums, change: (sums: DaySums) => DaySums): [string, DaySums][] {
  const after = change(before);
  const names = ["cash", "cashDeposits", "card", "count"] as const;
  if (names.every((name) => after[name] === before[name])) return [];
  return [[day, { ...after, revision: before.revision + 1 }]];
}
