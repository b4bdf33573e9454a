import { expect, test } from "vitest";
import * as z from "zod";
import { makeRecords, type RowReader } from "../../../../shared/pos/framework/makeRecords.ts";
import type { IdField } from "../../../../shared/pos/framework/readRow.ts";
import { id, text } from "../../../../shared/pos/framework/wireFields.ts";
import { emptyProduct, type PosProduct } from "../../../../shared/pos/posRecords.ts";

const row = z.object({ id, name: text });
const reader: RowReader<z.output<typeof row>, "product"> = {
  schema: row,
  posIdOf: (field) => field("id"),
  make: ({ id, name }): PosProduct[] => [{ ...emptyProduct, pos_product_id: id, name: name ?? "" }],
  store: { ids: ["12", "import-12"], idOf: (field) => field("locationId") },
};

test("rows of other stores are counted and dropped, even unreadable ones", async () => {
  const rows = [
    { id: 1, locationId: 12 },
    { id: 2, locationId: "import-12" },
    { id: 3, locationId: "13" },
    { id: 4, locationId: 13, name: { broken: true } },
    { id: 5, locationId: "" },
    { id: 6 },
    { id: 7, locationId: "12", name: { broken: true } },
  ];
  const { records, rejected, foreign } = await makeRecords({ kind: "product" }, rows, reader);
  expect(records.map(({ pos_product_id }) => pos_product_id)).toEqual(["1", "2", "5", "6"]);
  expect(rejected.map(({ posId }) => posId)).toEqual(["7"]);
  expect(foreign).toBe(2);
});

test("the store of a row may be a field of an inner object", async () => {
  const rows = [
    { id: 1, item: { facility_id: 12 } },
    { id: 2, item: { facility_id: 13 } },
    { id: 3, item: null },
    { id: 4, "item.facility_id": 13 },
  ];
  const store = { ids: ["12"], idOf: (field: IdField) => field("item.facility_id") };
  const { records, foreign } = await makeRecords({ kind: "product" }, rows, { ...reader, store });
  expect(records.map(({ pos_product_id }) => pos_product_id)).toEqual(["1", "3"]);
  expect(foreign).toBe(2);
});
