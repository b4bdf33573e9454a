import { expect, test } from "vitest";
import * as z from "zod";
import { recordKinds } from "../../../../shared/api/kinds.ts";
import { customer } from "../../../../shared/api/schemas/customer.ts";
import { inventory } from "../../../../shared/api/schemas/inventory.ts";
import { inventoryLocation } from "../../../../shared/api/schemas/inventoryLocation.ts";
import { product } from "../../../../shared/api/schemas/product.ts";
import { sale } from "../../../../shared/api/schemas/sale.ts";
import { fractionalFields, parquetColumns, parquetSchema } from "../../../../shared/domain/exports/parquetSchema.ts";

interface Described {
  type?: string | string[];
  description?: string;
  properties?: Record<string, Described>;
  items?: Described;
  anyOf?: Described[];
  oneOf?: Described[];
  $ref?: string;
  $defs?: Record<string, Described>;
}

/** All number fields of the records, by name, with their JSON types and descriptions. */
function numberFields(): { name: string; type: string; description: string }[] {
  const found: { name: string; type: string; description: string }[] = [];
  const visit = (name: string, schema: Described, definitions: Record<string, Described>, description = "") => {
    const said = schema.description ?? description;
    const target = schema.$ref ? definitions[schema.$ref.split("/").at(-1) ?? ""] : undefined;
    if (target) visit(name, target, definitions, said);
    const type = [schema.type].flat().find((each) => each === "number" || each === "integer");
    if (type) found.push({ name, type, description: said });
    for (const each of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) visit(name, each, definitions, said);
    if (schema.items) visit(name, schema.items, definitions);
    for (const [field, each] of Object.entries(schema.properties ?? {})) visit(field, each, definitions);
  };
  for (const each of [customer, product, inventoryLocation, inventory, sale]) {
    const schema = z.toJSONSchema(each) as Described;
    visit("", schema, schema.$defs ?? {});
  }
  return found;
}

test("every number is a whole number, an amount in whole cents, or listed as fractional", () => {
  const fields = numberFields();
  expect(fields.length).toBeGreaterThan(20);
  for (const { name, type, description } of fields) {
    if (fractionalFields.has(name)) expect(type, name).toBe("number");
    else if (type === "number") expect(description, name).toMatch(/\bcents\b/i);
  }
  const names = new Set(fields.map(({ name }) => name));
  expect([...fractionalFields].filter((name) => !names.has(name))).toEqual([]);
});

test("times, days, amounts and lists have the types that a warehouse computes with", () => {
  const typeOf = (name: string) => {
    const { elements: [element] = [] } = parquetColumns("sale").find((each) => each.name === name) ?? {};
    return [element?.type, element?.logical_type ?? element?.converted_type];
  };
  expect(typeOf("date")).toEqual(["INT64", { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" }]);
  expect(typeOf("local_date")).toEqual(["INT64", { type: "TIMESTAMP", isAdjustedToUTC: false, unit: "MILLIS" }]);
  expect(typeOf("total_paid")).toEqual(["INT64", undefined]);
  expect(typeOf("line_items")).toEqual([undefined, { type: "LIST" }]);
  expect(typeOf("id")).toEqual(["BYTE_ARRAY", { type: "STRING" }]);
  // A retail sale has no invoice, and both kinds of sales are in one table.
  expect(parquetColumns("sale").map(({ name }) => name)).toEqual(
    expect.arrayContaining(["invoice", "compliance_status"]),
  );
});

test("each group of a schema has as many children as it says", () => {
  for (const kind of recordKinds) {
    const elements = parquetSchema(kind);
    let next = 0;
    const take = (): void => {
      const { num_children: children = 0 } = elements[next++] ?? expect.fail("an element is missing");
      for (let i = 0; i < children; i++) take();
    };
    take();
    expect(next).toBe(elements.length);
  }
});
