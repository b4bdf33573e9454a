import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { customer } from "../../../../shared/api/schemas/customer.ts";
import { inventory } from "../../../../shared/api/schemas/inventory.ts";
import { inventoryLocation } from "../../../../shared/api/schemas/inventoryLocation.ts";
import { product } from "../../../../shared/api/schemas/product.ts";
import { retailSale, wholesaleSale } from "../../../../shared/api/schemas/sale.ts";
import { lineItem, saleCustomer } from "../../../../shared/api/schemas/saleParts.ts";
import { terms } from "../../../../shared/domain/onboarding/terms.ts";
import { termsFields } from "../../../../shared/domain/onboarding/termsFields.ts";
import { normalizeCustomer } from "../../../../shared/domain/replication/normalizeCustomer.ts";
import type { PosCustomer } from "../../../../shared/pos/posRecords.ts";
import { useTestServiceKey } from "../../../testServiceKey.ts";

useTestServiceKey();

const minute = 60;
const intervals = { location: minute, product: 600, customer: 3_600, inventory: 86_400, sale: 90 };
const stage = { intervals, retentionDays: 1_825 };

const schemas = {
  customer: [customer],
  sale: [retailSale, wholesaleSale],
  itemSold: [lineItem],
  buyer: [saleCustomer],
  product: [product],
  inventory: [inventory],
  location: [inventoryLocation],
};

test.each(Object.keys(schemas) as (keyof typeof schemas)[])(
  "the terms say how each field of a %s is stored",
  (kind) => {
    const shapes = schemas[kind].flatMap(({ shape }) => Object.keys(shape));
    expect(Object.keys(termsFields[kind]).sort()).toEqual([...new Set(shapes)].sort());
    const text = terms(stage)
      .sections.map((section) => section.text)
      .join(" ");
    for (const kept of Object.values<string | object>(termsFields[kind])) {
      if (typeof kept === "object") expect(text).toContain(Object.values(kept)[0]);
    }
  },
);

test("the fields that the terms call hashed are hashed, and no others", () => {
  const crbId = "5f0d9c1e-2b7a-4c63-8e15-a9340b6d27f8";
  const connection = { crbId, posType: "Treez", timezone: "America/Denver" } as unknown as Parameters<
    typeof normalizeCustomer
  >[0];
  const fields = Object.keys(customer.shape);
  // Digits, so that a phone number can be hashed.
  const plain = Object.fromEntries(fields.map((field, i) => [field, `plain 555 ${i}`]));
  const made = normalizeCustomer(connection, {
    ...plain,
    pos_updated_date: "2026-03-01T12:00:00.000Z",
  } as unknown as PosCustomer).content as Record<string, unknown>;
  for (const [field, kept] of Object.entries<string | object>(termsFields.customer)) {
    const isHashed = /^[0-9a-f]{64}$/.test(String(made[field]));
    expect([field, isHashed]).toEqual([field, typeof kept === "object" && "hashed" in kept]);
    if (typeof kept === "object" && "plain" in kept && field !== "pos_updated_date") {
      expect([field, made[field]]).toEqual([field, plain[field]]);
    }
  }
  const file = readFileSync("shared/domain/replication/normalizeCustomer.ts", "utf8");
  expect([...file.matchAll(/hash\.\w+\(/g)]).toHaveLength(
    Object.values<string | object>(termsFields.customer).filter((kept) => typeof kept === "object" && "hashed" in kept)
      .length,
  );
});

test("the terms say for whom, how often and how long data is stored, and how to withdraw", () => {
  const { sections } = terms(stage);
  const text = sections.map((section) => section.text).join("\n");
  expect(text).toContain("1825 days after that");
  expect(text).toContain(
    "inventory locations every minute, products every 10 minutes, customers every hour, inventory every day, sales every 90 seconds",
  );
  expect(sections.map(({ title }) => title)).toEqual(expect.arrayContaining(["For whom", "How to withdraw"]));
});

test("the version of the terms changes with each word, and only then", () => {
  const { version } = terms(stage);
  expect(version).toMatch(/^[0-9a-f]{16}$/);
  expect(terms({ ...stage }).version).toBe(version);
  expect(terms({ ...stage, retentionDays: 1_826 }).version).not.toBe(version);
  expect(terms({ ...stage, intervals: { ...intervals, sale: 60 } }).version).not.toBe(version);
});
