import { ServiceError } from "../api/errors.ts";
import type { Table } from "../table/client.ts";
import { type Clock, systemClock } from "../table/clock.ts";
import { customerTerms } from "../table/customers.ts";
import { erasedKey, type RecordKind, recordKey, recordList } from "../table/keys.ts";
import { readEntries } from "../table/rankedList/entries.ts";
import { RecordWriter } from "../table/rankedList/recordWriter.ts";
import { removeRecord } from "../table/rankedList/removeRecord.ts";
import { saleCustomer, saleDay, saleTerms } from "../table/sales.ts";
import { withoutErased } from "./erasedCustomers.ts";
import { acquireLease, Lease, leaseMilliseconds } from "./lease.ts";

/**
 * Erases what is stored of one customer of a CRB: the record, the entries by which it is found, and its mention in sales,
 * which count as changed by that. Replication leaves the customer out from then on, whatever the POS still has. Cut off
 * at any point, it is finished by being called again.
 *
 * @returns in how many sales the customer was named; undefined when there is no such customer
 * @throws ServiceError "unavailable" when a replication does not give way for a minute and a half
 */
export async function eraseCustomer(
  table: Table,
  crbId: string,
  customerId: string,
  clock: Clock = systemClock,
): Promise<{ sales: number } | undefined> {
  const customers = recordList(crbId, "customer");
  const item = await table.get(recordKey(customers, customerId), { consistent: true });
  if (!item) return undefined;
  await table.put({ ...erasedKey(crbId, customerId), erased_at: clock.now().toISOString() });
  const { pos_type: posType, pos_customer_id: posId } = JSON.parse(item.body as string);
  // Sales first: without the record nobody knows by what they name the customer.
  const sales = await underLease(table, crbId, "sale", clock, (lease) =>
    eraseFromSales(table, lease, { crbId, posType, posId, customerId }, clock),
  );
  await underLease(table, crbId, "customer", clock, async () => {
    await removeRecord(table, customers, customerId, { termsOf: customerTerms, clock });
  });
  return { sales };
}

async function eraseFromSales(
  table: Table,
  lease: Lease,
  { crbId, posType, posId, customerId }: { crbId: string; posType: string; posId: string; customerId: string },
  clock: Clock,
): Promise<number> {
  const list = recordList(crbId, "sale");
  const terms = [
    { field: "customer_id", value: customerId },
    { field: "pos_customer_id", value: posId },
  ];
  const found = await Promise.all(terms.map((term) => readEntries(table, list, term, { consistent: true })));
  const ids = new Set(found.flatMap((entries) => [...entries.keys()]));
  const items = await table.batchGet(
    [...ids].map((id) => recordKey(list, id)),
    { consistent: true, attributes: ["body"] },
  );
  const records = [...items.values()].map(({ sk, body }) => ({
    id: sk,
    // The dates that the writer sets are null in what it is given.
    content: { ...JSON.parse(body as string), svc_created_date: null, svc_updated_date: null },
  }));
  const writer = new RecordWriter(table, list, {
    fence: lease.fence,
    termsOf: saleTerms,
    saleDayOf: saleDay,
    customerOf: saleCustomer,
    clock,
  });
  await writer.write(withoutErased({ crbId, posType }, "sale", records, new Set([customerId])));
  return records.length;
}

const patienceMilliseconds = 90_000;

/** Does something while no replication of a kind runs; waits for one that does. */
async function underLease<Result>(
  table: Table,
  crbId: string,
  kind: RecordKind,
  clock: Clock,
  work: (lease: Lease) => Promise<Result>,
): Promise<Result> {
  const patience = clock.now().getTime() + patienceMilliseconds;
  for (;;) {
    const lease = await acquireLease(table, crbId, kind, clock, { aside: true });
    if (lease instanceof Lease) {
      const renewal = setInterval(() => lease.renew().catch(() => {}), leaseMilliseconds / 3);
      try {
        return await work(lease);
      } finally {
        clearInterval(renewal);
        await lease.release(lease.seen);
      }
    }
    if (clock.now().getTime() > patience) throw new ServiceError("unavailable");
    await clock.sleep(1_000);
  }
}
