import { paymentTypes } from "../../../shared/api/enumerations.ts";
import { replicatedKinds } from "../../../shared/domain/replication/replicatedKinds.ts";
import type { Connection } from "../../../shared/pos/connector.ts";
import type { RecordToWrite } from "../../../shared/store/orderedList/recordWriter.ts";
import { saleMaker } from "./records.ts";

/** Makes the sale with a number, on the given day (yyyy-MM-dd). Another version differs in the employee. */
export type ShopSale = (index: number, day: string, version?: number) => RecordToWrite;

/**
 * Makes sales like those of the sandbox, paid by all payment types in turn. Each has another customer.
 */
export async function shopSaleMaker(connection: Connection): Promise<ShopSale> {
  const make = await saleMaker(connection, 1_000);
  return (index, day, version = 0) => {
    const sale = make(index, version);
    const type = paymentTypes[index % paymentTypes.length] ?? "unknown";
    const record = replicatedKinds.sale.normalize(connection, {
      ...sale,
      // 19:00 UTC is the same day in all time zones of the United States.
      date: `${day}T19:00:00.000Z`,
      payments: sale.payments.map((payment) => ({ ...payment, type })),
      customer: { ...sale.customer, pos_customer_id: String(index) },
    } as typeof sale);
    if (!record) throw new Error(`no record can be made of sale ${index}`);
    return record;
  };
}
