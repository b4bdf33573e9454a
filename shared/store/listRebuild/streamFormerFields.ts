import type { Table } from "../client.ts";
import { extractFormerCustomerFields } from "../customers.ts";
import type { IndexedField } from "../keys/indexEntries.ts";
import type { OrderedList } from "../keys/orderedLists.ts";
import { recordOf } from "./listRules.ts";
import { streamItems } from "./streamItems.ts";

/** Reads a list of customers. Returns, in parts, the fields that only the preview indexed. */
export async function* streamFormerFields(table: Table, list: OrderedList): AsyncGenerator<IndexedField[]> {
  for await (const part of streamItems(table, list.pk, ["body"])) {
    yield part.flatMap((item) => extractFormerCustomerFields(recordOf(item)));
  }
}
