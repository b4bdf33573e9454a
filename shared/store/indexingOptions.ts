import type { RecordKind } from "../api/kinds.ts";
import { extractCustomerIndexedFields } from "./customers.ts";
import { extractInventoryIndexedFields } from "./inventory.ts";
import type { IndexedField } from "./keys/indexEntries.ts";
import { extractIndexedDays } from "./orderedList/indexEntries.ts";
import type { RecordOptions } from "./orderedList/transactionPlanner.ts";
import { extractSaleIndexedFields, saleCustomer, saleDay } from "./sales.ts";

/** How records of each kind are found, for whoever writes or removes them. */
export const indexingOptions: {
  readonly [Kind in RecordKind]: Pick<RecordOptions, "extractIndexedFields" | "extractSaleDay" | "extractCustomerId">;
} = {
  location: {},
  product: {},
  customer: { extractIndexedFields: extractCustomerIndexedFields },
  inventory: { extractIndexedFields: extractInventoryIndexedFields },
  sale: { extractIndexedFields: extractSaleIndexedFields, extractSaleDay: saleDay, extractCustomerId: saleCustomer },
};

/** The values by which a record is found, each by an entry of its own. @param item the record as it is stored */
export function extractRecordIndexedFields(kind: RecordKind, { rank, saleRank, body }: StoredRecord): IndexedField[] {
  return [
    ...extractIndexedDays({ rank, saleRank }),
    ...(indexingOptions[kind].extractIndexedFields?.(JSON.parse(body)) ?? []),
  ];
}

/** What of a stored record tells its entries. */
export interface StoredRecord {
  rank: string;
  saleRank?: string | undefined;
  body: string;
}
