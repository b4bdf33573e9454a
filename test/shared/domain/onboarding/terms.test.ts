import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { stages } from "../../../../infra/stages/stages.ts";
import { customer } from "../../../../shared/api/schemas/customer.ts";
import { inventory } from "../../../../shared/api/schemas/inventory.ts";
import { inventoryLocation } from "../../../../shared/api/schemas/inventoryLocation.ts";
import { product } from "../../../../shared/api/schemas/product.ts";
import { retailSale, wholesaleSale } from "../../../../shared/api/schemas/sale.ts";
import { lineItem, saleCustomer } from "../../../../shared/api/schemas/saleParts.ts";
import { posFieldsOf, storedFields } from "../../../../shared/domain/onboarding/storedFields.ts";
import { terms } from "../../../../shared/domain/onboarding/terms.ts";
import { normalizeCustomer } from "../../../../shared/domain/replication/normalizeCustomer.ts";
import type { PosCustomer } from "../../../../shared/pos/posRecords.ts";
import { useTestServiceKey } from "../../../testServiceKey.ts";

useTestServiceKey();

const minute = 60;
const replicateEverySeconds = { location: minute, product: 600, customer: 3_600, inventory: 86_400, sale: 90 };
const stage = {
  termsFile: "infra/stages/terms.md",
  operatorName: "Front Range Data, Inc.",
  privacyUrl: "https://data.example.com/privacy",
  supportEmail: "help@example.com",
  replicateEverySeconds,
  retentionDays: 1_825,
};
const textOf = (settings = stage) =>
  terms(settings)
    .sections.map(({ title, text }) => `${title}\n${text}`)
    .join("\n\n");

const schemas = {
  customer: [customer],
  sale: [retailSale, wholesaleSale],
  itemSold: [lineItem],
  buyer: [saleCustomer],
  product: [product],
  inventory: [inventory],
  location: [inventoryLocation],
};

test.each(Object.keys(schemas) as (keyof typeof schemas)[])("the terms name every stored field of a %s", (record) => {
  const shapes = schemas[record].flatMap(({ shape }) => Object.keys(shape));
  expect(Object.keys(storedFields[record]).sort()).toEqual([...new Set(shapes)].sort());
  const sections = new Map(terms(stage).sections.map(({ title, text }) => [title, text]));
  for (const [, { as, group, words }] of posFieldsOf(record)) {
    const list = sections.get(as === "code" ? "Stored as codes" : "Stored as is") ?? "";
    const lines = list.split("\n").filter((line) => line.startsWith(`- ${group}: `));
    expect(lines.join("\n")).toContain(words);
  }
});

test("the list of codes has exactly the hashed fields", () => {
  const crbId = "5f0d9c1e-2b7a-4c63-8e15-a9340b6d27f8";
  const connection = { crbId, posType: "Treez", timezone: "America/Denver" } as unknown as Parameters<
    typeof normalizeCustomer
  >[0];
  const fields = Object.keys(customer.shape);
  // The values contain digits, because only the digits of a phone number are hashed.
  const plain = Object.fromEntries(fields.map((field, i) => [field, `plain 555 ${i}`]));
  const made = normalizeCustomer(connection, {
    ...plain,
    pos_updated_date: "2026-03-01T12:00:00.000Z",
  } as unknown as PosCustomer).content as Record<string, unknown>;
  const stored = new Map(posFieldsOf("customer"));
  for (const field of fields) {
    const as = stored.get(field)?.as;
    expect([field, /^[0-9a-f]{64}$/.test(String(made[field]))]).toEqual([field, as === "code"]);
    if (as === "asIs" && field !== "pos_updated_date") expect([field, made[field]]).toEqual([field, plain[field]]);
  }
  const file = readFileSync("shared/domain/replication/normalizeCustomer.ts", "utf8");
  const codes = [...stored.values()].filter(({ as }) => as === "code");
  expect([...file.matchAll(/hash\.\w+\(/g)]).toHaveLength(codes.length);
});

test("the terms name the operator, the recipients, the intervals, the retention and the withdrawal", () => {
  const text = textOf();
  expect(text).toContain("- Operator: Front Range Data, Inc.\n- Privacy notice: https://data.example.com/privacy\n");
  expect(text).toContain("1,825 days (5 years) after that");
  expect(text).toContain(
    "every minute (inventory locations), every 90 seconds (sales), every 10 minutes (products), every hour (customers), every day (inventory)",
  );
  expect(terms(stage).sections.map(({ title }) => title)).toEqual(
    expect.arrayContaining(["Who gets the copy", "How to withdraw"]),
  );
});

test("equal intervals of all kinds are stated once", () => {
  const equal = { location: 300, product: 300, customer: 300, inventory: 300, sale: 300 };
  expect(textOf({ ...stage, replicateEverySeconds: equal })).toContain("changed ones every 5 minutes.");
});

test.each(Object.keys(stages) as (keyof typeof stages)[])("a user reads the terms of %s in two minutes", (name) => {
  const words = textOf(stages[name])
    .split(/\s+/)
    .filter((word) => /\w/.test(word));
  // 230 words a minute are a usual speed of silent reading.
  expect(words.length).toBeLessThanOrEqual(460);
});

test("the version changes with the operator, the intervals and the retention, but not with the links", () => {
  const { version } = terms(stage);
  expect(version).toMatch(/^[\w.-]+\.[0-9a-f]{8}$/);
  const others = { privacyUrl: "https://data.example.com/notice", supportEmail: "care@example.com" };
  expect(terms({ ...stage, ...others }).version).toBe(version);
  for (const change of [
    { operatorName: "Another Company" },
    { retentionDays: 1_826 },
    { replicateEverySeconds: { ...replicateEverySeconds, sale: 60 } },
  ])
    expect(terms({ ...stage, ...change }).version, JSON.stringify(change)).not.toBe(version);
});

/**
 * The words of each published version of the standard text, as a digest without punctuation, letter case and spacing. If the
 * meaning changed, set a new version in infra/stages/terms.md and add it here. If only words changed, replace the digest.
 */
const wordsOfVersions: Record<string, string> = {
  "2026-11-25": "6e6ca7a6f65fbacc",
  "2026-11-29": "da225472980980c4",
  "2026-11-30": "1b4d1c9e4671f5d0",
};

test("the standard text keeps its version only while its words stay the same", () => {
  const file = readFileSync(stage.termsFile, "utf8").replace(/<!--.*?-->/s, "");
  const version = /^Version: (.*)$/m.exec(file)?.[1] ?? "";
  const words =
    file
      .replace(/^Version: .*$/m, "")
      .toLowerCase()
      .match(/\w+/g) ?? [];
  const digest = createHash("sha256").update(words.join(" ")).digest("hex").slice(0, 16);
  expect(wordsOfVersions[version]).toBe(digest);
});
