import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { type LinkedLicenseStatus, linkedLicenseStatuses } from "../api/enumerations.ts";
import type { Clock } from "../time/clock.ts";
import { type Item, itemId, type Table, unchanged } from "./client.ts";
import { crbLicensesKey } from "./keys/licenses.ts";
import { licenseStatusList, recordKey } from "./keys/orderedLists.ts";
import { currentDay, loadOrderState } from "./orderedList/orderState.ts";
import { planMoves } from "./orderedList/planMoves.ts";
import { retryOnConflict } from "./retryOnConflict.ts";

// Every transaction that adds, changes or deletes a link of a license writes the item with the statuses of all of its CRB,
// so that the number of links is exact. Statuses change only in such a transaction, also where a license expires because a
// day has passed.

/** A linked license, as far as the lists depend on it. */
export interface LicenseState {
  status: LinkedLicenseStatus;
  /** Whether the holder is `different` (docs/spec.md#holder-of-a-license). Such a license puts its CRB on no list. */
  isDifferent: boolean;
}

export type LicenseStates = Readonly<Record<string, LicenseState>>;

/** The linked licenses of a CRB as stored, and the version of the item; undefined if no license is linked. */
export interface StoredLicenses {
  licenses: LicenseStates;
  version: string | undefined;
}

export interface CrbNames {
  spId: string;
  crbId: string;
}

export const readCrbLicenses = async (table: Table, { spId, crbId }: CrbNames): Promise<StoredLicenses> =>
  toStoredLicenses(await table.get(crbLicensesKey(spId, crbId), { consistent: true }));

export const toStoredLicenses = (item: Item | undefined): StoredLicenses => ({
  licenses: (item?.licenses as LicenseStates | undefined) ?? {},
  version: item?.version as string | undefined,
});

/**
 * The writes that store all licenses of a CRB after a change, and put the CRB on the lists of their statuses. The
 * transaction fails if the licenses have changed since they were read.
 */
export async function crbLicensesWrites(
  table: Table,
  names: CrbNames,
  before: StoredLicenses,
  licenses: LicenseStates,
  now: Date,
): Promise<TransactWriteItem[]> {
  const [had, has] = [listedStatuses(before.licenses), listedStatuses(licenses)];
  const lists = await listWrites(table, names, had.symmetricDifference(has), has, now);
  return [itemWrite(table, names, before, licenses), ...lists];
}

/**
 * The writes that move a changed CRB to the front of the lists of its licenses' statuses.
 *
 * @param compareHolders compares the licenses with the CRB's new names; undefined if they stay the same
 */
export async function crbChangeLicensesWrites(
  table: Table,
  names: CrbNames,
  now: Date,
  compareHolders?: () => Promise<LicenseStates>,
): Promise<TransactWriteItem[]> {
  const stored = await readCrbLicenses(table, names);
  const licenses = await compareHolders?.();
  const [had, has] = [listedStatuses(stored.licenses), listedStatuses(licenses ?? stored.licenses)];
  // Without a comparison, a list that the CRB has left meanwhile stays without it.
  const options = { isMoved: true, canEnter: licenses !== undefined };
  const lists = await listWrites(table, names, had.union(has), has, now, options);
  // Also the item of a CRB without licenses is a condition: a license that is linked meanwhile is compared with the old names.
  return licenses ? [itemWrite(table, names, stored, licenses), ...lists] : lists;
}

/** Stores the licenses of a CRB, and corrects all its lists. @param read reads them; called again after a conflict */
export async function correctCrbLicenses(
  table: Table,
  names: CrbNames,
  clock: Clock,
  read: () => Promise<LicenseStates>,
): Promise<void> {
  await retryOnConflict(clock, async () => {
    const stored = await readCrbLicenses(table, names);
    const licenses = await read();
    const all = new Set(linkedLicenseStatuses);
    const lists = await listWrites(table, names, all, listedStatuses(licenses), clock.now());
    if (lists.length === 0 && isDeepStrictEqual(stored.licenses, licenses)) return;
    await table.transact([itemWrite(table, names, stored, licenses), ...lists]);
  });
}

function itemWrite(
  table: Table,
  { spId, crbId }: CrbNames,
  { version }: StoredLicenses,
  licenses: LicenseStates,
): TransactWriteItem {
  const key = crbLicensesKey(spId, crbId);
  const isUnchanged = unchanged("version", version);
  if (Object.keys(licenses).length === 0) return table.deleteWrite(key, isUnchanged);
  // Versions are random, because an item that is deleted and stored again must not have an earlier version.
  return table.putWrite({ ...key, licenses, version: randomUUID() }, isUnchanged);
}

/**
 * The writes that bring a CRB to the front of the lists that it enters, and out of those that it leaves. The transaction
 * fails if the places have changed.
 *
 * @param statuses the statuses whose lists may change
 * @param has the statuses on whose lists the CRB is afterwards
 * @param options.isMoved moves the CRB to the front also in lists where it stays
 * @param options.canEnter whether the CRB may enter a list
 */
async function listWrites(
  table: Table,
  { spId, crbId }: CrbNames,
  statuses: ReadonlySet<LinkedLicenseStatus>,
  has: ReadonlySet<LinkedLicenseStatus>,
  now: Date,
  { isMoved = false, canEnter = true } = {},
): Promise<TransactWriteItem[]> {
  const keyOf = (status: LinkedLicenseStatus) => recordKey(licenseStatusList(spId, status), crbId);
  const members = await table.batchGet([...statuses].map(keyOf), { consistent: true });
  const writes = [...statuses].map(async (status): Promise<TransactWriteItem[]> => {
    const key = keyOf(status);
    const rank = members.get(itemId(key))?.rank as string | undefined;
    const isListed = has.has(status) && (canEnter || rank !== undefined);
    if (isListed === (rank !== undefined) && !(isListed && isMoved)) return [];
    const { orders } = licenseStatusList(spId, status);
    const state = await loadOrderState(table, orders.rank, rank === undefined ? [] : [rank]);
    const moved = planMoves(table, state, [{ from: rank, ...(isListed && { to: currentDay(state, now) }) }], now);
    const isUnmoved = unchanged("rank", rank);
    if (!isListed) return [table.deleteWrite(key, isUnmoved), ...moved.writes];
    return [table.putWrite({ ...key, rank: moved.ranks[0] }, isUnmoved), ...moved.writes];
  });
  return (await Promise.all(writes)).flat();
}

export const listedStatuses = (licenses: LicenseStates): ReadonlySet<LinkedLicenseStatus> =>
  new Set(Object.values(licenses).flatMap(({ status, isDifferent }) => (isDifferent ? [] : [status])));
