import type { Connection } from "../../pos/connector.ts";
import type { PosCustomer } from "../../pos/posRecords.ts";
import type { Table } from "../../store/client.ts";
import { readReplicated } from "./readReplicated.ts";

/**
 * Fills in the stored loyalty points of customers that the POS reported without points. Otherwise the stored points would be
 * lost, because the writer replaces the whole record.
 */
export async function completeCustomers(
  table: Table,
  connection: Pick<Connection, "crbId" | "posType">,
  customers: readonly PosCustomer[],
): Promise<PosCustomer[]> {
  const incomplete = customers.filter(({ loyalty_points }) => loyalty_points === undefined);
  if (incomplete.length === 0) return [...customers];
  const ids = incomplete.map(({ pos_customer_id }) => pos_customer_id);
  // Read consistently, because the stored points are written back.
  const options = { consistent: true };
  const stored = await readReplicated<Pick<PosCustomer, "loyalty_points">>(table, connection, "customer", ids, options);
  return customers.map((customer) => {
    if (customer.loyalty_points !== undefined) return customer;
    return { ...customer, loyalty_points: stored.get(customer.pos_customer_id)?.loyalty_points ?? null };
  });
}
