import { execFile } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, inject, test } from "vitest";
import type { RecordKind } from "../../../../shared/api/kinds.ts";
import { listCustomers } from "../../../../shared/api/operations/customers.ts";
import { listInventory } from "../../../../shared/api/operations/inventory.ts";
import { listInventoryLocations } from "../../../../shared/api/operations/inventoryLocations.ts";
import { listProducts } from "../../../../shared/api/operations/products.ts";
import { listSales } from "../../../../shared/api/operations/sales.ts";
import { createPartFile } from "../../../../shared/domain/exports/partFile.ts";
import { type PythonPackages, pythonPackages } from "../../../pythonPackages.ts";

type Values = Record<string, unknown>;

const examples: Record<RecordKind, readonly Values[]> = {
  customer: listCustomers.success.example.data,
  product: listProducts.success.example.data,
  location: listInventoryLocations.success.example.data,
  inventory: listInventory.success.example.data.map(({ product: _, ...record }: Values) => record),
  sale: listSales.success.example.data,
};

/** Records by an example: with every field as it is, with each field null, and with each list empty. */
function variantsOf(record: Values): Values[] {
  const fields = Object.keys(record).filter((name) => name !== "id");
  const lists = fields.filter((name) => Array.isArray(record[name]));
  return [
    record,
    ...fields.map((name) => ({ ...record, [name]: null })),
    ...lists.map((name) => ({ ...record, [name]: [] })),
  ];
}

/** Values at the limits of their types. */
const extremes: Partial<Record<RecordKind, Values>> = {
  sale: { total_paid: -(2 ** 53 - 1), subtotal: 2 ** 53 - 1, pos_sale_id: "Größe „XL“ 😀\n\u0000", tax_paid: -1 },
  product: { unit_cost: 0.0001, name: "", price: 2 ** 31 - 1 },
};

const folder = mkdtempSync(join(inject("temporaryDirectory"), "parquet-"));
let packages: PythonPackages;
beforeAll(async () => {
  packages = await pythonPackages("shared/domain/exports/requirements.txt", "the readers of Parquet files");
}, 600_000);

describe.each(Object.keys(examples) as RecordKind[])("the Parquet file of kind %s", (kind) => {
  test("has the records that DuckDB and polars read from JSON, in several row groups", async ({ skip }) => {
    skip(packages.missing !== undefined, packages.missing);
    const shown = examples[kind];
    const records = [
      ...shown.flatMap(variantsOf),
      ...(extremes[kind] ? [{ ...shown[0], ...extremes[kind] }] : []),
      // Enough text for more than one row group.
      ...Array.from({ length: 6_000 }, (_, i) => ({ ...shown[i % shown.length], id: `${i}` })),
    ];
    const file = createPartFile("parquet", kind);
    for (let i = 0; i < records.length; i += 1_000) {
      await file.add(records.slice(i, i + 1_000).map((value) => ({ text: JSON.stringify(value), value })));
    }
    const [path, lines] = [join(folder, `${kind}.parquet`), join(folder, `${kind}.ndjson`)];
    writeFileSync(path, await file.finish());
    writeFileSync(lines, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
    const script = join(import.meta.dirname, "readParquet.py");
    const env = { ...process.env, PYTHONPATH: packages.directory, TZ: "America/Denver" };
    const { stdout } = await promisify(execFile)("python3", [script, path, lines], { env });
    expect(stdout).toBe(`${records.length} records\n`);
  });

  test("has the same columns without records, as DuckDB and polars read them", async ({ skip }) => {
    skip(packages.missing !== undefined, packages.missing);
    const [empty, full] = [join(folder, `${kind}-empty.parquet`), join(folder, `${kind}-full.parquet`)];
    writeFileSync(empty, await createPartFile("parquet", kind).finish());
    const file = createPartFile("parquet", kind);
    await file.add(examples[kind].map((value) => ({ text: JSON.stringify(value), value })));
    writeFileSync(full, await file.finish());
    const script = `import duckdb, polars, sys
columns = [duckdb.sql(f"DESCRIBE FROM read_parquet('{path}')").fetchall() for path in sys.argv[1:]]
assert columns[0] == columns[1], columns
assert duckdb.sql(f"FROM read_parquet('{sys.argv[1]}')").fetchall() == []
assert polars.read_parquet(sys.argv[1]).schema == polars.read_parquet(sys.argv[2]).schema
`;
    await promisify(execFile)("python3", ["-c", script, empty, full], {
      env: { ...process.env, PYTHONPATH: packages.directory },
    });
  });
});
