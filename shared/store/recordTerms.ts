import type { RecordKind } from "../api/kinds.ts";
import { customerTerms } from "./customers.ts";
import { inventoryTerms } from "./inventory.ts";
import type { Term } from "./keys/indexEntries.ts";
import { dayTerms } from "./orderedList/indexEntries.ts";
import type { RecordOptions } from "./orderedList/transactionPlanner.ts";
import { saleCustomer, saleDay, saleTerms } from "./sales.ts";

/** How records of each kind are found, for whoever writes or removes them. */
export const findingOptions: {
  readonly [Kind in RecordKind]: Pick<RecordOptions, "termsOf" | "saleDayOf" | "customerOf">;
} = {
  location: {},
  product: {},
  customer: { termsOf: customerTerms },
  inventory: { termsOf: inventoryTerms },
  sale: { termsOf: saleTerms, saleDayOf: saleDay, customerOf: saleCustomer },
};

/** The values by which a record is found, each by an entry of its own. @param item the record as it is stored */
export function recordTerms(kind: RecordKind, { rank, saleRank, body }: StoredRecord): Term[] {
  return [...dayTerms({ rank, saleRank }), ...(findingOptions[kind].termsOf?.(JSON.parse(body)) ?? [])];
}

/** What of a stored record tells its entries. */
export interface StoredRecord {
  rank: string;
  saleRank?: string | undefined;
  body: string;
}
