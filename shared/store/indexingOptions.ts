import type { RecordKind } from "../api/kinds.ts";
import { extractCustomerIndexedFields } from "./customers.ts";
import { extractInventoryIndexedFields } from "./inventory.ts";
import type { IndexedField } from "./keys/indexEntries.ts";
import { extractIndexedDays } from "./orderedList/indexEntries.ts";
import type { RecordOptions } from "./orderedList/transactionPlanner.ts";
import { extractSaleIndexedFields, saleCustomer, saleDay } from "./sales.ts";
import { type Sale, saleFigures } from "./salesDays/dayFigures.ts";

/** How the records of each kind are indexed. */
export const indexingOptions: {
  readonly [Kind in RecordKind]: Pick<
    RecordOptions,
    "extractIndexedFields" | "extractSaleDay" | "extractFigures" | "extractCustomerId"
  >;
} = {
  location: {},
  product: {},
  customer: { extractIndexedFields: extractCustomerIndexedFields },
  inventory: { extractIndexedFields: extractInventoryIndexedFields },
  sale: {
    extractIndexedFields: extractSaleIndexedFields,
    extractSaleDay: saleDay,
    extractFigures: (record) => saleFigures(record as unknown as Sale),
    extractCustomerId: saleCustomer,
  },
};

/** The indexed fields of a stored record; each has an index entry. */
export function extractRecordIndexedFields(kind: RecordKind, { rank, saleRank, body }: StoredRecord): IndexedField[] {
  return [
    ...extractIndexedDays({ rank, saleRank }),
    ...(indexingOptions[kind].extractIndexedFields?.(JSON.parse(body)) ?? []),
  ];
}

/** The attributes of a stored record from which its index entries are computed. */
export interface StoredRecord {
  rank: string;
  saleRank?: string | undefined;
  body: string;
}
