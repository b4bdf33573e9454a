import type { Table } from "../../store/client.ts";
import { mergedIntoField } from "../../store/customers.ts";
import { DamagedRecordError, damagedText } from "../../store/damagedRecords.ts";
import { recordKey, recordList } from "../../store/keys/orderedLists.ts";
import { streamEntries } from "../../store/orderedList/indexEntries.ts";

/** The fields of a stored customer that a merge needs. */
export interface MergeableCustomer {
  id: string;
  pos_customer_id: string;
  /** the customer's id into whom the POS merged this one; null if it did not */
  merged_into_customer_id: string | null;
}

/**
 * Finds the customers into whom the POS finally merged others (docs/spec.md#merged-customers). Follows chains of merges, with
 * one read for each link. If the POS merged customers in a circle, the customer of the circle with the lowest id remains.
 *
 * @param customers stored customers
 * @returns the remaining customers by the id of the merged one, as far as they are stored
 */
export async function findSurvivors<Customer extends MergeableCustomer>(
  table: Table,
  crbId: string,
  customers: Iterable<Customer>,
): Promise<Map<string, Customer>> {
  const list = recordList(crbId, "customer");
  const known = new Map<string, Customer | undefined>();
  for (const customer of customers) known.set(customer.id, customer);
  const merged = [...known.values()].filter((customer) => customer?.merged_into_customer_id) as Customer[];
  for (;;) {
    const targets = [...known.values()].flatMap((customer) => customer?.merged_into_customer_id ?? []);
    const unread = [...new Set(targets)].filter((id) => !known.has(id));
    if (unread.length === 0) break;
    const items = await table.batchGet(
      unread.map((id) => recordKey(list, id)),
      { consistent: true, attributes: ["body"] },
    );
    for (const id of unread) known.set(id, undefined);
    for (const { body } of items.values()) {
      const customer = JSON.parse(body as string) as Customer;
      known.set(customer.id, customer);
    }
  }
  return new Map(
    merged.flatMap((customer) => {
      const found = endOfChain(customer, (id) => known.get(id));
      return found === customer ? [] : [[customer.id, found] as const];
    }),
  );
}

/** The last stored customer of a chain of merges; of a circle, the one with the lowest id. */
function endOfChain<Customer extends MergeableCustomer>(
  first: Customer,
  customerOf: (id: string) => Customer | undefined,
): Customer {
  const chain = [first];
  for (let last = first; last.merged_into_customer_id; chain.push(last)) {
    const next = customerOf(last.merged_into_customer_id);
    if (!next) return last;
    const start = chain.indexOf(next);
    if (start >= 0) return chain.slice(start).reduce((lowest, other) => (other.id < lowest.id ? other : lowest));
    last = next;
  }
  return chain.at(-1) ?? first;
}

/**
 * The ids of the customers who are one person with a customer: all that the POS merged with it, directly or in chains. The
 * records of erased customers keep their merges, so that another call finds the same customers after an interruption.
 *
 * @throws DamagedRecordError if one of their records is damaged, because it may name others
 */
export async function readMergedCustomers(table: Table, crbId: string, customerId: string): Promise<string[]> {
  const list = recordList(crbId, "customer");
  const found = new Set([customerId]);
  // Iterating over the set also visits the ids that are added meanwhile.
  for (const id of found) {
    const item = await table.get(recordKey(list, id), { consistent: true });
    if (item?.body === damagedText) throw new DamagedRecordError(list.pk);
    const customer = item && (JSON.parse(item.body as string) as MergeableCustomer);
    if (customer?.merged_into_customer_id) found.add(customer.merged_into_customer_id);
    for await (const entries of streamEntries(table, list, { field: mergedIntoField, value: id })) {
      for (const [merged] of entries) found.add(merged);
    }
  }
  return [...found];
}
