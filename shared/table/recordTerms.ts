import type { RecordKind } from "../kinds.ts";
import { customerTerms } from "./customers.ts";
import { inventoryTerms } from "./inventory.ts";
import type { Term } from "./keys.ts";
import { dayTerms, type TermsOf } from "./rankedList/entries.ts";
import { saleTerms } from "./sales.ts";

const termsOf: { [Kind in RecordKind]?: TermsOf } = {
  customer: customerTerms,
  inventory: inventoryTerms,
  sale: saleTerms,
};

/** The values by which a record is found, each by an entry of its own. @param item the record as it is stored */
export function recordTerms(kind: RecordKind, { rank, saleRank, body }: StoredRecord): Term[] {
  return [...dayTerms({ rank, saleRank }), ...(termsOf[kind]?.(JSON.parse(body)) ?? [])];
}

/** What of a stored record tells its entries. */
export interface StoredRecord {
  rank: string;
  saleRank?: string | undefined;
  body: string;
}
