import type { Connection } from "../../pos/connector.ts";
import type { PosCustomer } from "../../pos/posRecords.ts";
import type { Table } from "../../store/client.ts";
import { readReplicated } from "./readReplicated.ts";

/**
 * Gives customers of whom the POS does not tell their loyalty points now those that are stored, since records are written
 * whole; none where none are.
 */
export async function completeCustomers(
  table: Table,
  connection: Pick<Connection, "crbId" | "posType">,
  customers: readonly PosCustomer[],
): Promise<PosCustomer[]> {
  const untold = customers.filter(({ loyalty_points }) => loyalty_points === undefined);
  if (untold.length === 0) return [...customers];
  const ids = untold.map(({ pos_customer_id }) => pos_customer_id);
  // Consistent: what is stored is written back.
  const options = { consistent: true };
  const stored = await readReplicated<Pick<PosCustomer, "loyalty_points">>(table, connection, "customer", ids, options);
  return customers.map((customer) => {
    if (customer.loyalty_points !== undefined) return customer;
    return { ...customer, loyalty_points: stored.get(customer.pos_customer_id)?.loyalty_points ?? null };
  });
}
