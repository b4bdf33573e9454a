import type { RecordKind } from "../../api/kinds.ts";
import type { Table } from "../../store/client.ts";
import { erasedPosId } from "../../store/customers.ts";
import { erasedKey } from "../../store/keys/replication.ts";
import type { RecordToWrite } from "../../store/orderedList/recordWriter.ts";
import { recordId } from "../../store/recordId.ts";

/** The ids of a CRB's erased customers. */
export async function readErased(table: Table, crbId: string): Promise<ReadonlySet<string>> {
  const items = await table.queryPartition(erasedKey(crbId, "").pk, { consistent: true });
  return new Set(items.map(({ sk }) => sk));
}

/** The anonymous remainder of a customer's record (docs/spec.md#erased-customers). */
export function anonymizeCustomer(customer: Record<string, unknown>): Record<string, unknown> {
  const { crb_id, id, pos_type } = customer;
  const nothing = Object.fromEntries(Object.keys(customer).map((name) => [name, null]));
  return { ...nothing, crb_id, id, pos_type, pos_customer_id: erasedPosId, anonymous: true };
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
