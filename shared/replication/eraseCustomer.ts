import { ServiceError } from "../api/errors.ts";
import type { RecordKind } from "../kinds.ts";
import type { Table } from "../table/client.ts";
import { readCrb } from "../table/crbs.ts";
import { customerTerms } from "../table/customers.ts";
import { erasedKey, recordKey, recordList } from "../table/keys.ts";
import { readEntries } from "../table/rankedList/entries.ts";
import { RecordWriter } from "../table/rankedList/recordWriter.ts";
import { removeRecord } from "../table/rankedList/removeRecord.ts";
import { saleCustomer, saleDay, saleTerms } from "../table/sales.ts";
import { type Clock, systemClock } from "../time/clock.ts";
import { withoutErased } from "./erasedCustomers.ts";
import { acquireLease, Lease, leaseMilliseconds } from "./lease.ts";

/**
 * Erases what is stored of one customer of a CRB: the record, the entries by which it is found, and its mention in sales,
 * which count as changed by that. Replication leaves the customer out from then on, whatever the POS still has, also one
 * who is not stored: a table that was restored may not know the record yet. Cut off at any point, it is finished by being
 * called again.
 *
 * @returns whether the record was stored, and in how many sales the customer was named (sales that do not show the
 *   customer's own id are not found without the record); undefined, and nothing is written, when there is no such CRB
 * @throws ServiceError "unavailable" when a replication does not give way for a minute and a half
 */
export async function eraseCustomer(
  table: Table,
  crbId: string,
  customerId: string,
  clock: Clock = systemClock,
): Promise<{ stored: boolean; sales: number } | undefined> {
  const crb = await readCrb(table, crbId);
  if (!crb) return undefined;
  await table.put({ ...erasedKey(crbId, customerId), erased_at: clock.now().toISOString() });
  const customers = recordList(crbId, "customer");
  const read = () => table.get(recordKey(customers, customerId), { consistent: true });
  // A run that began before may still write the customer; none does once it has given way.
  const item = (await read()) ?? (await underLease(table, crbId, "customer", clock, read));
  const record = item && JSON.parse(item.body as string);
  const posType = record?.pos_type ?? crb.connection?.posType;
  // Sales first: without the record nobody knows by what they name the customer.
  const sales = posType
    ? await underLease(table, crbId, "sale", clock, (lease) =>
        eraseFromSales(table, lease, { crbId, posType, posId: record?.pos_customer_id, customerId }, clock),
      )
    : 0;
  if (!item) return { stored: false, sales };
  await underLease(table, crbId, "customer", clock, async () => {
    await removeRecord(table, customers, customerId, { termsOf: customerTerms, clock });
  });
  return { stored: true, sales };
}

async function eraseFromSales(
  table: Table,
  lease: Lease,
  customer: { crbId: string; posType: string; posId: string | undefined; customerId: string },
  clock: Clock,
): Promise<number> {
  const { crbId, posType, posId, customerId } = customer;
  const list = recordList(crbId, "sale");
  const terms = [
    { field: "customer_id", value: customerId },
    ...(posId === undefined ? [] : [{ field: "pos_customer_id", value: posId }]),
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
