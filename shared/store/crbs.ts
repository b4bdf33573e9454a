import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import type { LinkedLicenseStatus } from "../api/enumerations.ts";
import { notFound } from "../api/errors.ts";
import type { Crb as CrbRecord } from "../api/schemas/crb.ts";
import { type ServiceProvider, serviceProvider as serviceProviderSchema } from "../api/schemas/serviceProvider.ts";
import { type Clock, systemClock } from "../time/clock.ts";
import { type Item, type Table, unchanged } from "./client.ts";
import { type Crb, toCrb } from "./crb.ts";
import { crbChangeLicensesWrites, type LicenseStates } from "./crbLicenses.ts";
import { type ChangeWithEvents, commitWithEvents } from "./eventLog/commitWithEvents.ts";
import { deriveCrbEvents } from "./eventLog/deriveCrbEvents.ts";
import { associationKey, crbKey, serviceProviderKey, serviceProviderListKey } from "./keys/crbs.ts";
import { crbList, licenseStatusList } from "./keys/orderedLists.ts";
import { currentDay, loadOrderState } from "./orderedList/orderState.ts";
import { planMoves } from "./orderedList/planMoves.ts";
import { type OpenPage, openPage, type Page, readPage } from "./orderedList/readPage.ts";
import { organizationWrites, type SameOrganization } from "./organizations.ts";
import { replicationDueWrites } from "./replicationDue.ts";
import { isUnmet, type RetryOptions, retryOnConflict } from "./retryOnConflict.ts";

export async function readCrb(
  table: Table,
  crbId: string,
  options?: { consistent: boolean },
): Promise<Crb | undefined> {
  const item = await table.get(crbKey(crbId), options);
  return item && toCrb(item);
}

export async function readServiceProvider(table: Table, id: string): Promise<ServiceProvider | undefined> {
  const item = await table.get(serviceProviderKey(id));
  return item && serviceProviderSchema.parse(item.record);
}

/** Stores a service provider. Replaces a stored service provider with the same id. */
export async function putServiceProvider(table: Table, record: ServiceProvider): Promise<void> {
  await table.transact([
    table.putWrite({ ...serviceProviderKey(record.id), record, createdAt: table.clock.now().toISOString() }),
    table.putWrite({ ...serviceProviderListKey(record.id) }),
  ]);
}

/**
 * Creates data that belongs to a service provider, unless it was removed or is being removed.
 *
 * @param make commits the transaction, with its argument, a check of the service provider, as the first write
 * @throws ServiceError "notFound" if the service provider does not exist; errors of `make`
 */
export async function forServiceProvider<T>(
  table: Table,
  id: string,
  make: (isThere: TransactWriteItem) => Promise<T>,
): Promise<T> {
  const expression = "attribute_exists(pk) AND attribute_not_exists(removingSince)";
  try {
    return await make(table.checkWrite(serviceProviderKey(id), { expression }));
  } catch (error) {
    throw isUnmet(error, 0) ? notFound("service provider") : error;
  }
}

export async function listServiceProviders(table: Table): Promise<ServiceProvider[]> {
  const listed = await table.queryPartition(serviceProviderListKey("").pk, { consistent: true });
  const keys = listed.map(({ sk }) => serviceProviderKey(sk));
  const items = await table.batchGet(keys, { consistent: true });
  const records = [...items.values()].map(({ record }) => serviceProviderSchema.parse(record));
  return records.sort((one, other) => one.name.localeCompare(other.name));
}

/** Reads a page of the CRBs associated with a service provider, in the order of docs/spec.md#order-of-lists. */
export async function listCrbs(
  table: Table,
  serviceProviderId: string,
  window: { offset: number; limit: number },
): Promise<{ total: number; records: CrbRecord[] }> {
  return crbsOf(table, await readPage(table, crbList(serviceProviderId), window, { attribute: "sk" }));
}

/**
 * Opens the page that `listCrbs` reads, as JSON texts. Each change of a CRB moves it, so it changes the list's state.
 *
 * @param status limits the list to CRBs that have a linked license with this status, whose holder is not `different`
 */
export async function openCrbs(
  table: Table,
  serviceProviderId: string,
  window: { offset: number; limit: number },
  status?: LinkedLicenseStatus,
): Promise<OpenPage> {
  const list = status ? licenseStatusList(serviceProviderId, status) : crbList(serviceProviderId);
  const { state, read } = await openPage(table, list, window, { attribute: "sk" });
  return {
    state,
    read: async () => {
      const { total, records } = await crbsOf(table, await read());
      return { total, records: records.map((crb) => JSON.stringify(crb)) };
    },
  };
}

async function crbsOf(table: Table, page: Page): Promise<{ total: number; records: CrbRecord[] }> {
  // An eventually consistent read could lack a new CRB, or give an older state the entity tag of the present one.
  const items = await table.batchGet(page.records.map(crbKey), { consistent: true });
  const crbs = new Map([...items.values()].map(toCrb).map(({ record }) => [record.id, record]));
  return { total: page.total, records: page.records.flatMap((id) => crbs.get(id) ?? []) };
}

/** All transactions of a service provider write one day index. Of hundreds at a time, about 25 a second succeed. */
export const crbRetryOptions: RetryOptions = { maxPauseMs: 2_000 };

/** Stores and associates a new CRB in one transaction. Returns false and stores nothing if a CRB with that id exists. */
export async function createCrb(table: Table, crb: Crb, clock: Clock = systemClock): Promise<boolean> {
  const attempt = async () => {
    if (await table.get(crbKey(crb.record.id), { consistent: true })) return false;
    await commitWithEvents(table, await crbChange(table, undefined, crb, clock.now()), clock);
    return true;
  };
  return retryOnConflict(clock, attempt, crbRetryOptions);
}

interface ChangeOptions {
  /** Returns further writes for the same transaction. */
  along?: (before: Crb, after: Crb) => Promise<TransactWriteItem[]>;
  /** Compares the linked licenses of the CRB with its new names (`readLicenseStates`). Required if the names change. */
  compareHolders?: (after: CrbRecord) => Promise<LicenseStates>;
}

/**
 * Changes a CRB and moves it to the front of its service provider's list.
 *
 * @param change computes the new CRB, or returns undefined to change nothing; called again after a conflict
 * @returns false if there is no such CRB, or `change` returned undefined
 * @throws ServiceError "notFound" if the association has ended
 */
export async function changeCrb(
  table: Table,
  crbId: string,
  change: (crb: Crb) => Crb | undefined,
  clock: Clock = systemClock,
  { along, compareHolders }: ChangeOptions = {},
): Promise<boolean> {
  const attempt = async () => {
    const item = await table.get(crbKey(crbId), { consistent: true });
    const before = item && toCrb(item);
    const crb = before && change(before);
    if (!crb) return false;
    const more = (before && (await along?.(before, crb))) ?? [];
    const { writes, events } = await crbChange(table, item, crb, clock.now(), { compareHolders });
    await commitWithEvents(table, { writes: [...writes, ...more], events }, clock);
    return true;
  };
  return retryOnConflict(clock, attempt, crbRetryOptions);
}

/**
 * The writes and events that store a CRB and move it to the front of its service provider's list, for `commitWithEvents`.
 *
 * @param item the CRB as it was read; undefined for a new CRB
 * @param options.same the other CRBs of the same organization: the transaction is rejected if they have changed
 * @param options.compareHolders required if the names of the CRB change
 * @throws ServiceError "notFound" if the association has ended
 */
export async function crbChange(
  table: Table,
  item: Item | undefined,
  crb: Crb,
  now: Date,
  options: { same?: SameOrganization; compareHolders?: ChangeOptions["compareHolders"] | undefined } = {},
): Promise<ChangeWithEvents> {
  const association = associationKey(crb.serviceProviderId, crb.record.id);
  const rank = (await table.get(association, { consistent: true }))?.rank as string | undefined;
  if (item && rank === undefined) throw notFound("CRB");
  const places = await loadOrderState(table, crbList(crb.serviceProviderId).orders.rank, rank ? [rank] : []);
  const moved = planMoves(table, places, [{ from: rank, to: currentDay(places, now) }], now);
  const version = (item?.version as number | undefined) ?? 0;
  const isUnchanged = unchanged("version", version || undefined);
  const before = item && toCrb(item);
  const licenses = before ? await licensesWrites(table, before, crb, now, options.compareHolders) : [];
  return {
    writes: [
      table.putWrite({ ...crbKey(crb.record.id), ...crb, version: version + 1 }, isUnchanged),
      table.putWrite({ ...association, rank: moved.ranks[0] }, unchanged("rank", rank)),
      ...organizationWrites(table, before, crb, options),
      ...replicationDueWrites(table, before, crb, now),
      ...moved.writes,
      ...licenses,
    ],
    events: deriveCrbEvents(before, crb),
  };
}

function licensesWrites(
  table: Table,
  before: Crb,
  { record, serviceProviderId: spId }: Crb,
  now: Date,
  compareHolders: ChangeOptions["compareHolders"],
): Promise<TransactWriteItem[]> {
  const names = { spId, crbId: record.id };
  const isRenamed = (["name", "dba", "city"] as const).some((field) => before.record[field] !== record[field]);
  if (!isRenamed) return crbChangeLicensesWrites(table, names, now);
  if (!compareHolders)
    throw new Error("The names of a CRB change without a comparison with the holders of its licenses.");
  return crbChangeLicensesWrites(table, names, now, () => compareHolders(record));
}
