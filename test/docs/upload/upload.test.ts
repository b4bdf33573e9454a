import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type * as z from "zod";
import { uploadFile } from "../../../infra/tools/operator/uploadFile.ts";
import { type RecordKind, recordKinds } from "../../../shared/api/kinds.ts";
import { customer } from "../../../shared/api/schemas/customer.ts";
import { inventory } from "../../../shared/api/schemas/inventory.ts";
import { inventoryLocation } from "../../../shared/api/schemas/inventoryLocation.ts";
import { product } from "../../../shared/api/schemas/product.ts";
import { sale } from "../../../shared/api/schemas/sale.ts";
import type { Connection } from "../../../shared/pos/connector.ts";
import { fieldPaths, listRequiredFields } from "../../../shared/pos/upload/columns.ts";
import { fieldReasons } from "../../../shared/pos/upload/fields.ts";
import { uploadedRecords } from "../../../shared/pos/upload/uploadedRecords.ts";
import { recordList } from "../../../shared/store/keys/orderedLists.ts";
import { readPage } from "../../../shared/store/orderedList/readPage.ts";
import { useTestServiceKey } from "../../testServiceKey.ts";
import { uploadConnection } from "../../uploadConnection.ts";
import { useTestTable } from "../../useTestTable.ts";

const table = useTestTable();
useTestServiceKey();
const readme = readFileSync("docs/upload/README.md", "utf8");
const sectionOf = (title: string) =>
  new RegExp(`^#+ ${title}\\n([\\s\\S]*?)(?=^#|$(?![\\s\\S]))`, "m").exec(readme)?.[1] ?? "";
const firstCells = (section: string) => [...section.matchAll(/^\| (.*?) \|/gm)].map(([, cell = ""]) => cell);

/** The fields that the tables of a section name; `….name` stands for the previous field with another last part. */
function namedFields(section: string): string[] {
  let last = "";
  return firstCells(section).flatMap((cell) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => {
      last = name.startsWith("….") ? last.replace(/[^.]*$/, "") + name.slice(2) : name;
      return last;
    }),
  );
}

describe("the page names", () => {
  const retail = uploadedRecords(uploadConnection());
  const wholesale = uploadedRecords(uploadConnection("wholesale"));
  test.each(recordKinds)("every field of %s", (kind) => {
    const named = namedFields(sectionOf(kind));
    expect(named.sort()).toEqual([...new Set([...fieldPaths(retail[kind]), ...fieldPaths(wholesale[kind])])].sort());
  });

  test.each(recordKinds)("every required field of %s", (kind) => {
    const bold = firstCells(sectionOf(kind)).flatMap((cell) => /^\*\*`([^*`]+)`\*\*$/.exec(cell)?.[1] ?? []);
    expect(bold).toEqual(listRequiredFields(retail[kind]));
  });
});

test("the page names every reason for a rejected row", () => {
  const files = ["csvLines", "ndjsonRows", "uploadRows"].map((name) =>
    readFileSync(`infra/tools/operator/${name}.ts`, "utf8"),
  );
  const codes = files.flatMap((text) => [...text.matchAll(/"([a-z]+(?:_[a-z]+)+)"/g)].map(([, code = ""]) => code));
  const named = namedFields(sectionOf("Reasons"));
  expect(new Set(codes).size).toBe(11);
  expect(named.sort()).toEqual([...new Set([...fieldReasons, ...codes, "too_large"])].sort());
});

describe("a sample file", () => {
  const kinds: Record<
    RecordKind,
    [files: string, records: number, schema: z.ZodType, business: Connection["businessType"]]
  > = {
    location: ["locations", 2, inventoryLocation, "retail"],
    product: ["products", 3, product, "retail"],
    customer: ["customers", 2, customer, "retail"],
    inventory: ["inventory", 3, inventory, "retail"],
    sale: ["sales", 3, sale, "retail"],
  };
  const samples = [
    ...recordKinds.map((kind) => [kind, ...kinds[kind]] as const),
    ["sale", "wholesale-sales", 2, sale, "wholesale"] as const,
  ];
  const connections = { retail: uploadConnection(), wholesale: uploadConnection("wholesale") };

  test.each(samples)(
    "of kind %s, named %s, gives valid records from CSV and the same ones from NDJSON",
    async (kind, files, records, schema, business) => {
      const connection = connections[business];
      const upload = (extension: string) => {
        const refused = (rejections: unknown) => expect.fail(JSON.stringify(rejections));
        return uploadFile(table(), connection, kind, `docs/upload/${files}.${extension}`, { refused });
      };
      expect(await upload("csv")).toMatchObject({ read: records, created: records, rejected: 0 });
      const page = await readPage(table(), recordList(connection.crbId, kind), { offset: 0, limit: 10 });
      const stored = page.records.map((record) => JSON.parse(record));
      for (const record of stored) expect(schema.safeParse(record).error).toBeUndefined();
      expect(stored).toHaveLength(records);
      expect(await upload("ndjson")).toMatchObject({ read: records, unchanged: records, rejected: 0 });
      if (kind === "sale" && business === "retail") {
        expect(stored.map(({ local_date, total_paid }) => [local_date, total_paid])).toContainEqual([
          "2026-03-01 18:31:07.000",
          8855,
        ]);
        expect(stored.map(({ transaction_type, total_paid }) => [transaction_type, total_paid])).toContainEqual([
          "return",
          -1200,
        ]);
      }
    },
  );

  test("refers only to records in other sample files", async () => {
    const { crbId } = connections.retail;
    const idsOf = async (kind: RecordKind) => {
      const { records } = await readPage(table(), recordList(crbId, kind), { offset: 0, limit: 10 });
      return records.map((record) => JSON.parse(record)) as Record<string, string>[];
    };
    const [locations, products, customers] = await Promise.all(
      (["location", "product", "customer"] as const).map(idsOf),
    );
    const known = new Set([locations, products, customers].flat().map((record) => record?.id));
    const text = JSON.stringify([await idsOf("inventory"), await idsOf("sale")]);
    const named = [...text.matchAll(/"(?:location|product|customer)_id":"([^"]+)"/g)].map(([, id]) => id);
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((id) => !known.has(id))).toEqual([]);
  });
});
