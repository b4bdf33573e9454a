import type { Table } from "../client.ts";
import type { IndexedField } from "../keys/indexEntries.ts";
import { recordList } from "../keys/orderedLists.ts";
import { recordOf } from "./listRules.ts";
import { streamItems } from "./streamItems.ts";

/** Reads a CRB's customers. Returns, in parts, the indexed fields by which the sales of each customer are found. */
export async function* streamCustomerValues(table: Table, crbId: string): AsyncGenerator<IndexedField[]> {
  for await (const part of streamItems(table, recordList(crbId, "customer").pk, ["body"])) {
    yield part.flatMap((item) => {
      const { pos_customer_id } = recordOf(item);
      return [
        { field: "customer_id", value: item.sk?.S ?? "" },
        { field: "pos_customer_id", value: String(pos_customer_id) },
      ];
    });
  }
}
