import type { RecordKind } from "../kinds.ts";
import type { Connection } from "../pos/connector.ts";
import type { Table } from "../table/client.ts";
import { erasedPosId } from "../table/customers.ts";
import { erasedKey } from "../table/keys.ts";
import type { RecordToWrite } from "../table/rankedList/recordWriter.ts";
import { recordId } from "../table/recordId.ts";

/** The ids of a CRB's customers who were erased. */
export async function readErased(table: Table, crbId: string): Promise<ReadonlySet<string>> {
  const items = await table.queryPartition(erasedKey(crbId, "").pk, { consistent: true });
  return new Set(items.map(({ sk }) => sk));
}

/** What is left of a customer's record (contract 4.3): whose it is, and that it was erased. */
export function anonymousOf(customer: Record<string, unknown>): Record<string, unknown> {
  const { crb_id, id, pos_type } = customer;
  const nothing = Object.fromEntries(Object.keys(customer).map((name) => [name, null]));
  return { ...nothing, crb_id, id, pos_type, pos_customer_id: erasedPosId, anonymous: true };
}

/** Leaves erased customers out of what a POS still has of them: their own records, and their names in sales. */
export function withoutErased(
  of: Pick<Connection, "crbId" | "posType">,
  kind: RecordKind,
  records: RecordToWrite[],
  erased: ReadonlySet<string>,
): RecordToWrite[] {
  if (erased.size === 0) return records;
  if (kind === "customer") return records.filter(({ id }) => !erased.has(id));
  if (kind !== "sale") return records;
  return records.map(({ id, content }) => ({ id, content: withoutCustomers(of, content, erased) }));
}

interface SaleParties {
  customer: Record<string, unknown> | null;
  invoice?: Record<string, unknown>;
}

/** A sale without the erased among its customers: every field that tells of them is null. */
function withoutCustomers(
  { crbId, posType }: Pick<Connection, "crbId" | "posType">,
  content: Record<string, unknown>,
  erased: ReadonlySet<string>,
): Record<string, unknown> {
  const isErased = (party: Record<string, unknown> | null | undefined) =>
    typeof party?.pos_customer_id === "string" &&
    erased.has(recordId(crbId, "customer", posType, party.pos_customer_id));
  const { customer, invoice } = content as unknown as SaleParties;
  return {
    ...content,
    ...(customer &&
      isErased(customer) && { customer: Object.fromEntries(Object.keys(customer).map((name) => [name, null])) }),
    ...(invoice && isErased(invoice) && { invoice: { ...invoice, pos_customer_id: null } }),
  };
}
