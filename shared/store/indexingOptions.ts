import type { RecordKind } from "../api/kinds.ts";
import { extractCustomerIndexedFields } from "./customers.ts";
import { extractInventoryIndexedFields } from "./inventory.ts";
import type { IndexedFieldOf } from "./keys/indexEntries.ts";
import type { OrderedList } from "./keys/orderedLists.ts";
import type { RecordOptions } from "./orderedList/transactionPlanner.ts";
import { extractSaleIndexedFields, saleCustomer, saleDay } from "./sales.ts";
import { type Sale, saleFigures } from "./salesDays/dayFigures.ts";

export const indexingOptions: {
  readonly [Kind in RecordKind]: Pick<RecordOptions, "extractSaleDay" | "extractFigures" | "extractCustomerId"> & {
    extractIndexedFields?: (record: Record<string, unknown>) => IndexedFieldOf<Kind>[];
  };
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

/** What a list keeps of its records in addition to their positions. */
export const indexingOf = ({ kind }: OrderedList): RecordOptions => (kind ? indexingOptions[kind] : {});
