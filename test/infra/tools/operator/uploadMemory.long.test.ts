import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { writeRecords } from "../../../bench/data/uploadFile.ts";
import { uploadMemoryOf } from "../../../bench/memory/uploadMemory.ts";
import { useTestServiceKey } from "../../../testServiceKey.ts";
import { uploadConnection } from "../../../uploadConnection.ts";
import { useTestTable } from "../../../useTestTable.ts";

const table = useTestTable();
useTestServiceKey();
const rows = 100_000;
/** A small number, so that they are written quickly; the other rows repeat them unchanged. */
const products = 1_000;
const description = "Grown indoors in living soil, hand trimmed, slowly cured and tested by lot. ".repeat(8);

test("100,000 rows are uploaded in less than 256 MB of resident memory", async () => {
  const file = join(mkdtempSync(join(inject("temporaryDirectory"), "upload-")), "products.csv");
  await writeRecords(file, rows, (index) => {
    const number = index % products;
    return { pos_product_id: `P${number}`, name: `Product ${number}`, price: number, description };
  });
  expect(table().name).toBe(process.env.TABLE_NAME);
  const peak = await uploadMemoryOf({
    connection: uploadConnection(),
    kind: "product",
    file,
    expected: { read: rows, created: products, unchanged: rows - products, rejected: 0 },
  });
  expect(peak / 1024 ** 2).toBeLessThan(256);
}, 240_000);
