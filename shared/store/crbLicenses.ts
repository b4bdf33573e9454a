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
  const ranks = await readRanks(table, names, had.symmetricDifference(has));
  return [itemWrite(table, names, before, licenses), ...(await listWrites(table, names, ranks, has, now))];
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
  const ranks = await readRanks(table, names, had.union(has));
  // Without a comparison, a list that the CRB has left meanwhile stays without it.
  const stays = licenses ? has : new Set([...has].filter((status) => ranks.get(status) !== undefined));
  const writes = await listWrites(table, names, ranks, stays, now, { isMoved: true });
  // Also the item of a CRB without licenses is a condition: a license that is linked meanwhile is compared with the old names.
  return licenses ? [itemWrite(table, names, stored, licenses), ...writes] : writes;
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
    const ranks = await readRanks(table, names, new Set(linkedLicenseStatuses));
    const lists = await listWrites(table, names, ranks, listedStatuses(licenses), clock.now());
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

type Ranks = ReadonlyMap<LinkedLicenseStatus, string | undefined>;

async function readRanks(
  table: Table,
  { spId, crbId }: CrbNames,
  statuses: ReadonlySet<LinkedLicenseStatus>,
): Promise<Ranks> {
  const keyOf = (status: LinkedLicenseStatus) => recordKey(licenseStatusList(spId, status), crbId);
  const items = await table.batchGet([...statuses].map(keyOf), { consistent: true });
  return new Map([...statuses].map((each) => [each, items.get(itemId(keyOf(each)))?.rank as string | undefined]));
}

/**
 * The writes that bring a CRB to the front of the lists that it enters, and out of those that it leaves. The transaction
 * fails if the places have changed.
 *
 * @param ranks the places in the lists that may change
 * @param has the statuses on whose lists the CRB is afterwards
 * @param options.isMoved moves the CRB to the front also in lists where it stays
 */
async function listWrites(
  table: Table,
  { spId, crbId }: CrbNames,
  ranks: Ranks,
  has: ReadonlySet<LinkedLicenseStatus>,
  now: Date,
  { isMoved = false } = {},
): Promise<TransactWriteItem[]> {
  const writes = [...ranks].map(async ([status, rank]): Promise<TransactWriteItem[]> => {
    const isListed = has.has(status);
    if (isListed === (rank !== undefined) && !(isListed && isMoved)) return [];
    const list = licenseStatusList(spId, status);
    const key = recordKey(list, crbId);
    const state = await loadOrderState(table, list.orders.rank, rank === undefined ? [] : [rank]);
    const moved = planMoves(table, state, [{ from: rank, ...(isListed && { to: currentDay(state, now) }) }], now);
    const isUnmoved = unchanged("rank", rank);
    const member = isListed
      ? table.putWrite({ ...key, rank: moved.ranks[0] }, isUnmoved)
      : table.deleteWrite(key, isUnmoved);
    return [member, ...moved.writes];
  });
  return (await Promise.all(writes)).flat();
}

export const listedStatuses = (licenses: LicenseStates): ReadonlySet<LinkedLicenseStatus> =>
  new Set(Object.values(licenses).flatMap(({ status, isDifferent }) => (isDifferent ? [] : [status])));
