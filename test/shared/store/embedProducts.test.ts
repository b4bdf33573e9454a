import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { embedProducts } from "../../../shared/store/embedProducts.ts";
import { recordList } from "../../../shared/store/keys/orderedLists.ts";
import { RecordWriter } from "../../../shared/store/orderedList/recordWriter.ts";
import { useTestTable } from "../../useTestTable.ts";
import { recordId, setFence } from "./orderedList/listUnderTest.ts";

const table = useTestTable();

test("the product is embedded in every form of a record's JSON text", async () => {
  const crbId = randomUUID();
  const key = { pk: "LEASE", sk: crbId };
  await setFence(table(), key, 1);
  const product = { id: recordId(1), name: "Gummies" };
  const writer = new RecordWriter(table(), recordList(crbId, "product"), { fence: { key, number: 1 } });
  await writer.write([{ id: product.id, content: product }]);
  const record = { id: recordId(2), product_id: product.id, name: "}" };
  const texts = [JSON.stringify(record), `${JSON.stringify(record)}\n`, JSON.stringify(record, null, 2)];
  for (const text of await embedProducts(table(), crbId, texts)) {
    expect(JSON.parse(text)).toEqual({ ...record, product });
  }
});
