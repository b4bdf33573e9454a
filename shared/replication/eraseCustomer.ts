import type { Table } from "../table/client.ts";
import { readCrb } from "../table/crbs.ts";
import { isErased } from "../table/customers.ts";
import { commit } from "../table/events/commit.ts";
import { erasedKey, type RankedList, recordKey, recordList } from "../table/keys.ts";
import { dropEmptyLists } from "../table/rankedList/dropEmptyLists.ts";
import { readEntryParts } from "../table/rankedList/entries.ts";
import type { Fence } from "../table/rankedList/fence.ts";
import { RecordWriter } from "../table/rankedList/recordWriter.ts";
import { findingOptions } from "../table/recordTerms.ts";
import { untilCommitted } from "../table/untilCommitted.ts";
import { type Clock, systemClock } from "../time/clock.ts";
import { tryToAnnounce } from "./announceChanges.ts";
import { anonymousOf, withoutErased } from "./erasedCustomers.ts";
import { underLease } from "./underLease.ts";

/** The dates that the writer sets are null in what it is given. */
const noDates = { svc_created_date: null, svc_updated_date: null };

/**
 * Erases what is stored of one customer of a CRB: the record but for an anonymous rest (contract 4.3), the entries by which
 * it is found, and its mention in sales. All that counts as a change, so that copies of the data learn of it. Replication
 * leaves the customer out from then on, whatever the POS still has, also one who is not stored: a table that was restored
 * may not know the record yet. Cut off at any point, it is finished by being called again.
 *
 * @param options.chapterSize of the lists; tests have small ones
 * @returns whether there was anything to erase of the record, and in how many sales the customer was named (sales that do
 *   not show the customer's own id are not found without the record); undefined, and nothing is written, when there is no
 *   such CRB
 * @throws ServiceError "unavailable" when a replication does not give way for a minute and a half
 */
export async function eraseCustomer(
  table: Table,
  crbId: string,
  customerId: string,
  options: { clock?: Clock; chapterSize?: number } = {},
): Promise<{ stored: boolean; sales: number } | undefined> {
  const { clock = systemClock, chapterSize } = options;
  const crb = await readCrb(table, crbId);
  if (!crb) return undefined;
  await table.update(erasedKey(crbId, customerId), { erased_at: clock.now().toISOString() });
  const customers = recordList(crbId, "customer", chapterSize);
  const read = () => table.get(recordKey(customers, customerId), { consistent: true });
  // A run that began before may still write the customer; none does once it has given way.
  const item = (await read()) ?? (await underLease(table, crbId, "customer", clock, read));
  const record = item && JSON.parse(item.body as string);
  const stored = record !== undefined && !isErased(record);
  const posType = record?.pos_type ?? crb.connection?.posType;
  // Sales first: without the record nobody knows by what they name the customer.
  const named = new Set<string>();
  if (posType) {
    const customer = { crbId, posType, posId: stored ? record.pos_customer_id : undefined, customerId };
    const list = recordList(crbId, "sale", chapterSize);
    await underLease(table, crbId, "sale", clock, ({ fence }) =>
      eraseFromSales(table, list, customer, named, { fence, clock }),
    );
  }
  if (stored) {
    await underLease(table, crbId, "customer", clock, ({ fence }) => {
      const writer = new RecordWriter(table, customers, { fence, clock, ...findingOptions.customer });
      return writer.write([{ id: customerId, content: anonymousOf(record) }]);
    });
  }
  for (const kind of ["sale", "customer"] as const) await tryToAnnounce(table, crbId, kind, clock);
  await tellOfErasure(table, { crbId, spId: crb.serviceProviderId, customerId }, clock);
  return { stored, sales: named.size };
}

/** Tells that a customer's erasure is finished (contract 14.3); once, however often it is called. */
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
  await untilCommitted(clock, async () => {
    const erased = await table.get(key, { consistent: true });
    // None after a purge, which must not be undone.
    if (!erased || erased.told) return;
    await commit(table, { writes: [told], events: [event] }, clock);
  });
}

/** @param named takes the ids of the sales that name the customer, before they are written */
async function eraseFromSales(
  table: Table,
  list: RankedList,
  customer: { crbId: string; posType: string; posId: string | undefined; customerId: string },
  named: Set<string>,
  options: { fence: Fence; clock: Clock },
): Promise<void> {
  const { crbId, posType, posId, customerId } = customer;
  const terms = [
    { field: "customer_id", value: customerId },
    ...(posId === undefined ? [] : [{ field: "pos_customer_id", value: posId }]),
  ];
  const writer = new RecordWriter(table, list, { ...options, ...findingOptions.sale });
  for (const term of terms) {
    for await (const entries of readEntryParts(table, list, term)) {
      const keys = entries.map(([id]) => recordKey(list, id));
      const items = [...(await table.batchGet(keys, { consistent: true, attributes: ["body"] })).values()];
      for (const { sk } of items) named.add(sk);
      const records = items.map(({ sk, body }) => ({
        id: sk,
        content: { ...JSON.parse(body as string), ...noDates },
      }));
      await writer.write(withoutErased({ crbId, posType }, "sale", records, new Set([customerId])));
    }
  }
  await dropEmptyLists(table, list, options.fence, options.clock);
}
