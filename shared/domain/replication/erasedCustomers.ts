import type { RecordKind } from "../../api/kinds.ts";
import { log } from "../../platform/aws/log.ts";
import type { Table } from "../../store/client.ts";
import { erasedPosId, mergedIntoField } from "../../store/customers.ts";
import { erasedKey } from "../../store/keys/replication.ts";
import { transactFenced } from "../../store/orderedList/fence.ts";
import type { RecordToWrite } from "../../store/orderedList/recordWriter.ts";
import { recordId } from "../../store/recordId.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";
import type { RunContext } from "./runContext.ts";

/** The ids of a CRB's erased customers. A mark without a date only has the POS id of a customer, see `keepPosIds`. */
export async function readErased(table: Table, crbId: string): Promise<ReadonlySet<string>> {
  const items = await table.queryPartition(erasedKey(crbId, "").pk, { consistent: true });
  return new Set(items.flatMap(({ sk, erased_at }) => (erased_at ? [sk] : [])));
}

/** The anonymous remainder of a customer's record (docs/spec.md#erased-customers). */
export function anonymizeCustomer(customer: Record<string, unknown>): Record<string, unknown> {
  const { crb_id, id, pos_type, [mergedIntoField]: mergedInto } = customer;
  const nothing = Object.fromEntries(Object.keys(customer).map((name) => [name, null]));
  const kept = { crb_id, id, pos_type, [mergedIntoField]: mergedInto };
  return { ...nothing, ...kept, pos_customer_id: erasedPosId, anonymous: true };
}

/**
 * Replaces customers whom the POS merged into an erased one by their anonymous remainders, because they are the same person.
 *
 * @param records the records of a page, without erased customers
 * @returns the records, and the POS ids of these customers by their ids. Before the write, the caller must keep the POS ids,
 *   and after it mark the customers as erased
 */
export function eraseMergedCustomers(
  kind: RecordKind,
  records: readonly RecordToWrite[],
  erased: ReadonlySet<string>,
): { records: RecordToWrite[]; merged: MergedCustomers } {
  const merged = new Map<string, string>();
  const isMerged = ({ id, content }: RecordToWrite) => {
    const target = content[mergedIntoField] as string | null;
    return !merged.has(id) && target !== null && (erased.has(target) || merged.has(target));
  };
  // A chain may come in any order.
  for (let found = records; kind === "customer" && found.length > 0; ) {
    found = records.filter(isMerged);
    for (const { id, content } of found) merged.set(id, content.pos_customer_id as string);
  }
  const made = records.map((record) =>
    merged.has(record.id) ? { ...record, content: anonymizeCustomer(record.content) } : record,
  );
  return { records: made, merged };
}

/** The POS ids of merged customers, by their ids. */
type MergedCustomers = ReadonlyMap<string, string>;
type MarkContext = Pick<RunContext, "table" | "connection" | "fence" | "clock">;

/**
 * Keeps the POS ids of customers whom `eraseMergedCustomers` has found. Their records lose them, but the erasure that follows
 * needs them: earlier wholesale sales are found by the POS id alone.
 */
export async function keepPosIds(context: MarkContext, merged: MergedCustomers): Promise<void> {
  for (const [id, pos_id] of merged) await setMark(context, id, { pos_id });
}

/** Marks customers as erased whom `eraseMergedCustomers` has found. */
export async function markMergedErased(context: MarkContext, merged: MergedCustomers): Promise<void> {
  const { connection, clock } = context;
  for (const id of merged.keys()) {
    await setMark(context, id, { erased_at: clock.now().toISOString() });
    log.warn("the POS merged a customer into an erased customer: erase this customer too, for its earlier sales", {
      crb_id: connection.crbId,
      customer_id: id,
    });
  }
}

async function setMark({ table, connection, fence, clock }: MarkContext, id: string, mark: Record<string, string>) {
  const write = table.setWrite(erasedKey(connection.crbId, id), mark);
  await retryOnConflict(clock, () => transactFenced(table, fence, [write]));
}

/** Removes erased customers from the records of a page: their own records, and their fields in sales. */
export function removeErasedCustomers(
  kind: RecordKind,
  records: RecordToWrite[],
  erased: ReadonlySet<string>,
): RecordToWrite[] {
  if (erased.size === 0) return records;
  if (kind === "customer") return records.filter(({ id }) => !erased.has(id));
  if (kind !== "sale") return records;
  return records.map((record) => removeCustomersFromSale(record, erased) ?? record);
}

interface SaleParties {
  crb_id: string;
  /** the POS type of the sale; the customer's id is derived from this and other values */
  pos_name: string;
  customer: Party | null;
  invoice?: Party;
}

type Party = Record<string, unknown>;

/**
 * Sets the fields of an erased customer to null in a sale, except `type`. Sales days have totals by type, and an erasure
 * must not change them (docs/spec.md#sales-days).
 *
 * @returns undefined if the sale names no erased customer
 */
export function removeCustomersFromSale(
  { id, content }: RecordToWrite,
  erased: ReadonlySet<string>,
): RecordToWrite | undefined {
  const { crb_id, pos_name, customer, invoice } = content as unknown as SaleParties;
  const isErased = (party: Party | null | undefined): party is Party =>
    erased.has(party?.customer_id as string) ||
    (typeof party?.pos_customer_id === "string" &&
      erased.has(recordId(crb_id, "customer", pos_name, party.pos_customer_id)));
  const erasedCustomer = isErased(customer) && {
    ...Object.fromEntries(Object.keys(customer).map((name) => [name, null])),
    type: customer.type,
  };
  const erasedInvoice = isErased(invoice) && { ...invoice, pos_customer_id: null };
  if (!erasedCustomer && !erasedInvoice) return undefined;
  return {
    id,
    content: {
      ...content,
      ...(erasedCustomer && { customer: erasedCustomer }),
      ...(erasedInvoice && { invoice: erasedInvoice }),
    },
  };
}
