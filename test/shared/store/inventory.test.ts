import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { embedProducts } from "../../../shared/store/inventory.ts";
import { createTestTable } from "../../testTable.ts";
import { newList, recordId } from "./orderedList/listUnderTest.ts";

const table = await createTestTable();

test("the product is embedded in every form of a record's JSON text", async () => {
  const crbId = randomUUID();
  const { writer } = await newList(table, { crbId, kind: "product" });
  const product = { id: recordId(1), name: "Gummies" };
  await writer().write([{ id: product.id, content: product }]);
  const record = { id: recordId(2), product_id: product.id, name: "}" };
  const texts = [JSON.stringify(record), `${JSON.stringify(record)}\n`, JSON.stringify(record, null, 2)];
  for (const text of await embedProducts(table, crbId, texts)) {
    expect(JSON.parse(text)).toEqual({ ...record, product });
  }
});
