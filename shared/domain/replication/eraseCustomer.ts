import type { Table } from "../../store/client.ts";
import { notPurged } from "../../store/crb.ts";
import { readCrb } from "../../store/crbs.ts";
import { isErased } from "../../store/customers.ts";
import { DamagedRecordError, damagedText } from "../../store/damagedRecords.ts";
import { commitWithEvents } from "../../store/eventLog/commitWithEvents.ts";
import { indexingOptions } from "../../store/indexingOptions.ts";
import { crbKey } from "../../store/keys/crbs.ts";
import { fingerprintsPartition, type OrderedList, recordKey, recordList } from "../../store/keys/orderedLists.ts";
import { erasedKey } from "../../store/keys/replication.ts";
import type { Fence } from "../../store/orderedList/fence.ts";
import { streamEntries } from "../../store/orderedList/indexEntries.ts";
import { readRecord } from "../../store/orderedList/readPage.ts";
import { RecordWriter } from "../../store/orderedList/recordWriter.ts";
import { customerIdsOf } from "../../store/recordId.ts";
import { removePartition } from "../../store/removePartition.ts";
import { isUnmet, retryOnConflict } from "../../store/retryOnConflict.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { tryAnnounceChanges } from "./announceChanges.ts";
import { anonymizeCustomer, removeCustomersFromSale } from "./erasedCustomers.ts";
import { readMergedCustomers } from "./mergedCustomers.ts";
import { RejectedRecords, readRejected } from "./rejectedRecords.ts";
import { withReplicationLease } from "./withReplicationLease.ts";

/** Placeholders: the writer sets these dates. */
const noDates = { svc_created_date: null, svc_updated_date: null };

/**
 * Erases one person of a CRB: the customer, and all customers that the POS merged with it (docs/spec.md#merged-customers). Of
 * each record only an anonymous remainder stays (docs/spec.md#erased-customers). Its index entries and the customer's fields in
 * sales and rejected records are removed. The changes appear in the lists of changes, so that clients can
 * erase the customers in their copies. From then on, replication skips them. The customer is marked as erased even if
 * the record is not stored, because a restored table may lack the record. If the erasure is interrupted, another call finishes
 * it.
 *
 * @param options.segmentSize segment size of the lists; tests use small segments
 * @returns whether a record was erased, and the number of sales that named a customer. If the CRB does not exist or is being
 *   purged, nothing is written and the result is undefined. Sales without a customer id are found only by the customer's id in
 *   the POS, which the customer's record, its mark or a rejected record has to supply
 * @throws ServiceError "unavailable" if a replication keeps its lease for 90 seconds; "notFound" if a purge of the CRB begins
 *   meanwhile; DamagedRecordError if the customer's record, or a sale that names the customer, is damaged
 */
export async function eraseCustomer(
  table: Table,
  crbId: string,
  customerId: string,
  options: { clock?: Clock; segmentSize?: number } = {},
): Promise<{ stored: boolean; sales: number } | undefined> {
  const { clock = systemClock } = options;
  const crb = await readCrb(table, crbId);
  if (!crb) return undefined;
  // The mark would keep the replication from repairing a damaged record, so this read throws first.
  await readRecord(table, recordList(crbId, "customer"), customerId);
  if (!(await markErased(table, crbId, customerId, clock))) return undefined;
  // Under the lease no run can add a merge.
  const merged = await withReplicationLease(table, crbId, "customer", clock, async () => {
    const found = await readMergedCustomers(table, crbId, customerId);
    for (const id of found) await markErased(table, crbId, id, clock);
    return found;
  });
  const erased = { stored: false, sales: 0 };
  for (const id of merged) {
    const { stored, sales } = await eraseRecord(table, { crbId, spId: crb.serviceProviderId, customerId: id }, options);
    erased.stored ||= stored;
    erased.sales += sales;
  }
  return erased;
}

/**
 * Plans the erasure of a customer of a CRB whose lists are not rebuilt yet (`restoreCrb`): an erasure finds the customer's sales
 * by index entries, which may be missing. From now on, replication skips the customer.
 *
 * @returns whether the CRB exists and is not being purged; if not, nothing is written
 */
export const planErasure = (table: Table, crbId: string, customerId: string, clock: Clock): Promise<boolean> =>
  markErased(table, crbId, customerId, clock, { is_planned: true });

/** Erases the customers of a CRB whose erasure is planned. Errors as in `eraseCustomer`. */
export async function erasePlanned(table: Table, crbId: string, clock: Clock): Promise<void> {
  const marks = await table.queryPartition(erasedKey(crbId, "").pk, { consistent: true });
  for (const { pk, sk } of marks.filter(({ is_planned }) => is_planned)) {
    await eraseCustomer(table, crbId, sk, { clock });
    await table.change({ pk, sk }, { expression: "REMOVE is_planned" }, "attribute_exists(pk)");
  }
}

/** One BatchGetItem. A step takes some MB of memory; with sales of the maximum size of 400 KB, 40 MB for each copy of them. */
const maxSalesOfStep = 100;

/** Erases one record of a customer who is marked as erased. */
async function eraseRecord(
  table: Table,
  { crbId, spId, customerId }: { crbId: string; spId: string; customerId: string },
  { clock = systemClock, segmentSize }: { clock?: Clock; segmentSize?: number },
): Promise<{ stored: boolean; sales: number }> {
  const customers = recordList(crbId, "customer", segmentSize);
  const read = () => table.get(recordKey(customers, customerId), { consistent: true });
  // A run that began before the customer was marked can still write the record. Acquire the lease to end such runs, then read
  // again.
  const item = (await read()) ?? (await withReplicationLease(table, crbId, "customer", clock, read));
  const record = item && JSON.parse(item.body as string);
  const stored = record !== undefined && !isErased(record);
  const rejectedIds = async () => {
    const posIds = (await readRejected(table, crbId, "customer")).map(({ pos_id }) => pos_id);
    return posIds.filter((posId) => customerIdsOf(crbId, posId).includes(customerId));
  };
  // Erase the fields in sales first, because only the customer's record, the mark and rejected records have the POS ids that
  // find the customer's sales.
  const named = new Set<string>();
  const mark = await table.get(erasedKey(crbId, customerId), { consistent: true });
  const known = stored ? record.pos_customer_id : mark?.pos_id;
  const customer = { customerId, posIds: [...(known ? [known] : []), ...(await rejectedIds())] };
  const sales = recordList(crbId, "sale", segmentSize);
  await withReplicationLease(table, crbId, "sale", clock, ({ fence }) =>
    eraseFromSales(table, sales, customer, named, { fence, clock }),
  );
  await withReplicationLease(table, crbId, "customer", clock, async ({ fence, startedAt }) => {
    const context = { table, connection: { crbId }, fence, clock, cutOff: undefined };
    const rejections = await RejectedRecords.load(context, "customer", startedAt);
    await rejections.forget(await rejectedIds());
    if (!stored) return;
    const writer = new RecordWriter(table, customers, { fence, clock, ...indexingOptions.customer });
    await forgetFingerprints(table, customers);
    await writer.write([{ id: customerId, content: anonymizeCustomer(record) }]);
  });
  for (const kind of ["sale", "customer"] as const) await tryAnnounceChanges(table, crbId, kind, clock);
  await announceErasure(table, { crbId, spId, customerId }, clock);
  return { stored, sales: named.size };
}

/** Marks a customer as erased. If the CRB is not stored or is being purged, it writes nothing and returns false. */
async function markErased(
  table: Table,
  crbId: string,
  customerId: string,
  clock: Clock,
  plan: { is_planned?: true } = {},
): Promise<boolean> {
  const writes = [
    table.checkWrite(crbKey(crbId), notPurged),
    table.setWrite(erasedKey(crbId, customerId), { erased_at: clock.now().toISOString(), ...plan }),
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

/** Records the event of a finished erasure (docs/spec.md#events), unless an earlier call has recorded it. */
async function announceErasure(
  table: Table,
  { crbId, spId, customerId }: { crbId: string; spId: string; customerId: string },
  clock: Clock,
): Promise<void> {
  const key = erasedKey(crbId, customerId);
  const markAnnounced = table.updateWrite(
    key,
    { expression: "SET announced = :true REMOVE pos_id", values: { ":true": true } },
    "attribute_exists(pk) AND attribute_not_exists(announced)",
  );
  const event = { type: "records.erased", spId, crbId, data: { kind: "customers", record_id: customerId } } as const;
  await retryOnConflict(clock, async () => {
    const erased = await table.get(key, { consistent: true });
    // If the mark is missing, a purge has removed it. In this case no event is recorded, because the transaction that records
    // the event would restore the mark.
    if (!erased || erased.announced) return;
    await commitWithEvents(table, { writes: [markAnnounced], events: [event] }, clock);
  });
}

/** Removes all fingerprints of a list, because a fingerprint of erased content must not remain. */
function forgetFingerprints(table: Table, list: OrderedList): Promise<void> {
  return removePartition(table, fingerprintsPartition(list), () => {});
}

/**
 * Removes a customer from the sales. Each step reads and writes at most `maxSalesOfStep` sales. A written sale has no entry of the
 * customer any more, so a repeated call begins with the sales that remain.
 *
 * @param named receives the ids of the sales that name the customer, before the sales are written
 */
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
  // A sale that names another customer by now can still have the fingerprint of its former content.
  await forgetFingerprints(table, list);
  const writer = new RecordWriter(table, list, { ...options, ...indexingOptions.sale });
  for (const term of terms) {
    for await (const entries of streamEntries(table, list, term, maxSalesOfStep)) {
      const keys = entries.map(([id]) => recordKey(list, id));
      const items = [...(await table.batchGet(keys, { consistent: true, attributes: ["body", "hash"] })).values()];
      if (items.some(({ body }) => body === damagedText)) throw new DamagedRecordError(list.pk);
      const records = items.flatMap(({ sk, body }) => {
        const record = { id: sk, content: { ...JSON.parse(body as string), ...noDates } };
        return removeCustomersFromSale(record, erased) ?? [];
      });
      for (const { id } of records) named.add(id);
      await writer.write(records);
    }
  }
}
