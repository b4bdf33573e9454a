import type { Table } from "./client.ts";
import { damagedText } from "./damagedRecords.ts";
import { recordKey, recordList } from "./keys/orderedLists.ts";
import { loadDayIndexes } from "./orderedList/dayIndex.ts";
import { createListState, joinStates, type OpenPage } from "./orderedList/readPage.ts";

/** Embeds products in a page of inventory records. The state of the page then includes that of the product list. */
export async function openExpanded(table: Table, crbId: string, page: Promise<OpenPage>): Promise<OpenPage> {
  const products = recordList(crbId, "product").orders.rank;
  // These day indexes determine no page, and the products are also read eventually consistently.
  const [{ state, read }, dayIndexes] = await Promise.all([
    page,
    loadDayIndexes(table, products, {}, { consistent: false }),
  ]);
  return {
    state: joinStates(state, createListState(products, dayIndexes)),
    read: async () => {
      const { total, records } = await read();
      return { total, records: await embedProducts(table, crbId, records) };
    },
  };
}

/**
 * Embeds the product of each record, which is a JSON text, as `product` (docs/spec.md#products-and-inventory): null if it
 * is unknown or damaged. Damaged records stay as they are.
 */
export async function embedProducts(table: Table, crbId: string, records: readonly string[]): Promise<string[]> {
  const list = recordList(crbId, "product");
  const ids = records.map(productIdOf);
  const items = await table.batchGetRaw(
    [...new Set(ids)].flatMap((id) => (id ? [recordKey(list, id)] : [])),
    { attributes: ["body"] },
  );
  const readable = items.filter(({ body }) => body?.S !== damagedText);
  const products = new Map(readable.map((item) => [item.sk?.S, item.body?.S]));
  return records.map((record, i) =>
    // JSON may have white space behind the last brace.
    record === damagedText
      ? record
      : `${record.slice(0, record.lastIndexOf("}"))},"product":${products.get(ids[i]) ?? "null"}}`,
  );
}

/**
 * Finds the product id in the text of a record, because parsing takes longer than reading. Only ids and the POS type
 * precede this field, so no value from the POS can be mistaken for it.
 */
const productIdOf = (record: string): string | undefined =>
  /"product_id"\s*:\s*"([0-9a-f-]{36})"/.exec(record.slice(0, 300))?.[1];
