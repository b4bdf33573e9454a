import type { Table } from "../../store/client.ts";
import { notPurged } from "../../store/crb.ts";
import { readCrb } from "../../store/crbs.ts";
import { isErased } from "../../store/customers.ts";
import { commit } from "../../store/eventLog/commit.ts";
import { crbKey, erasedKey, type OrderedList, recordKey, recordList } from "../../store/keys.ts";
import { dropEmptyIndexes } from "../../store/orderedList/dropEmptyIndexes.ts";
import type { Fence } from "../../store/orderedList/fence.ts";
import { readEntryParts } from "../../store/orderedList/indexEntries.ts";
import { RecordWriter } from "../../store/orderedList/recordWriter.ts";
import { isCustomerOf } from "../../store/recordId.ts";
import { findingOptions } from "../../store/recordTerms.ts";
import { isUnmet, retryOnConflict } from "../../store/retryOnConflict.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { tryToAnnounce } from "./announceChanges.ts";
import { anonymousOf, withoutCustomers } from "./erasedCustomers.ts";
import { RejectedRecords, readRejected } from "./rejectedRecords.ts";
import { underLease } from "./underLease.ts";

/** The dates that the writer sets are null in what it is given. */
const noDates = { svc_created_date: null, svc_updated_date: null };

/**
 * Erases what is stored of one customer of a CRB: the record but for an anonymous rest (docs/spec.md#erased-customers), the entries by which
 * it is found, and its mention in sales and among what was rejected. All changes of records count as such, so that copies
 * of the data learn of them. Replication leaves the customer out from then on, whatever the POS still has, also one who is
 * not stored: a table that was restored may not know the record yet. Cut off at any point, it is finished by being called
 * again.
 *
 * @param options.chapterSize of the lists; tests have small ones
 * @returns whether there was anything to erase of the record, and in how many sales the customer was named (sales that do
 *   not show the customer's own id are not found without the record, or a rejected one); undefined, and nothing is written,
 *   when there is no such CRB, or a purge of it has begun
 * @throws ServiceError "unavailable" when a replication does not give way for a minute and a half; "notFound" when a purge
 *   of the CRB begins meanwhile
 */
export async function eraseCustomer(
  table: Table,
  crbId: string,
  customerId: string,
  options: { clock?: Clock; segmentSize?: number } = {},
): Promise<{ stored: boolean; sales: number } | undefined> {
  const { clock = systemClock, segmentSize } = options;
  const crb = await readCrb(table, crbId);
  if (!crb) return undefined;
  if (!(await markErased(table, crbId, customerId, clock))) return undefined;
  const customers = recordList(crbId, "customer", segmentSize);
  const read = () => table.get(recordKey(customers, customerId), { consistent: true });
  // A run that began before may still write the customer; none does once it has given way.
  const item = (await read()) ?? (await underLease(table, crbId, "customer", clock, read));
  const record = item && JSON.parse(item.body as string);
  const stored = record !== undefined && !isErased(record);
  const rejectedIds = async () => {
    const posIds = (await readRejected(table, crbId, "customer")).map(({ pos_id }) => pos_id);
    return posIds.filter((posId) => isCustomerOf(crbId, customerId, posId));
  };
  // Sales first: without the record, or what was rejected, nobody knows by what they name the customer.
  const named = new Set<string>();
  const customer = { customerId, posIds: [...(stored ? [record.pos_customer_id] : []), ...(await rejectedIds())] };
  const sales = recordList(crbId, "sale", segmentSize);
  await underLease(table, crbId, "sale", clock, ({ fence }) =>
    eraseFromSales(table, sales, customer, named, { fence, clock }),
  );
  await underLease(table, crbId, "customer", clock, async ({ fence, startedAt }) => {
    const context = { table, connection: { crbId }, fence, clock, cutOff: undefined };
    const rejections = await RejectedRecords.load(context, "customer", startedAt);
    await rejections.forget(await rejectedIds());
    if (!stored) return;
    const writer = new RecordWriter(table, customers, { fence, clock, ...findingOptions.customer });
    await writer.write([{ id: customerId, content: anonymousOf(record) }]);
  });
  for (const kind of ["sale", "customer"] as const) await tryToAnnounce(table, crbId, kind, clock);
  await tellOfErasure(table, { crbId, spId: crb.serviceProviderId, customerId }, clock);
  return { stored, sales: named.size };
}

/** Keeps a customer out from now on. @returns false, and nothing is written, where the CRB is not stored or is being purged */
async function markErased(table: Table, crbId: string, customerId: string, clock: Clock): Promise<boolean> {
  const writes = [
    table.checkWrite(crbKey(crbId), notPurged),
    table.setWrite(erasedKey(crbId, customerId), { erased_at: clock.now().toISOString() }),
  ];
  return retryOnConflict(clock, async () => {
    try {
      await table.transact(writes);
      return true;
    } catch (error) {
      if (isUnmet(error, 0)) return false;
      throw error;
    }
  });
}

/** Tells that a customer's erasure is finished (docs/spec.md#events); once, however often it is called. */
async function tellOfErasure(
  table: Table,
  { crbId, spId, customerId }: { crbId: string; spId: string; customerId: string },
  clock: Clock,
): Promise<void> {
  const key = erasedKey(crbId, customerId);
  const told = table.setWrite(
    key,
    { told: true },
    { expression: "attribute_exists(pk) AND attribute_not_exists(told)" },
  );
  const event = { type: "records.erased", spId, crbId, data: { kind: "customers", record_id: customerId } } as const;
  await retryOnConflict(clock, async () => {
    const erased = await table.get(key, { consistent: true });
    // None after a purge, which must not be undone.
    if (!erased || erased.told) return;
    await commit(table, { writes: [told], events: [event] }, clock);
  });
}

/** @param named takes the ids of the sales that name the customer, before they are written */
async function eraseFromSales(
  table: Table,
  list: OrderedList,
  { customerId, posIds }: { customerId: string; posIds: readonly string[] },
  named: Set<string>,
  options: { fence: Fence; clock: Clock },
): Promise<void> {
  const terms = [
    { field: "customer_id", value: customerId },
    ...posIds.map((value) => ({ field: "pos_customer_id", value })),
  ];
  const erased = new Set([customerId]);
  const writer = new RecordWriter(table, list, { ...options, ...findingOptions.sale });
  for (const term of terms) {
    for await (const entries of readEntryParts(table, list, term)) {
      const keys = entries.map(([id]) => recordKey(list, id));
      const items = [...(await table.batchGet(keys, { consistent: true, attributes: ["body"] })).values()];
      const records = items.flatMap(({ sk, body }) => {
        const record = { id: sk, content: { ...JSON.parse(body as string), ...noDates } };
        return withoutCustomers(record, erased) ?? [];
      });
      for (const { id } of records) named.add(id);
      await writer.write(records);
    }
  }
  await dropEmptyIndexes(table, list, options.fence, options.clock);
}
