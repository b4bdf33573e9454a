import { expect, test } from "vitest";
import * as z from "zod";
import { PosError } from "../../../../shared/pos/connector.ts";
import { plainDay } from "../../../../shared/pos/framework/conversions/instants.ts";
import { addRejected, partitionRows, readRow } from "../../../../shared/pos/framework/readRow.ts";
import {
  decimal,
  epochDay,
  flag,
  id,
  imageUrl,
  instant,
  instantText,
  list,
  longText,
  money,
  number,
  statedList,
  statusDay,
  statusFlag,
  text,
} from "../../../../shared/pos/framework/wireFields.ts";

const row = z.object({
  id,
  text,
  longText,
  money,
  decimal,
  number,
  flag,
  isVoid: statusFlag,
  voidedOn: statusDay,
  instant,
  stated: statedList(text),
  list: list(z.object({ quantity: number })),
});
const nothing = {
  text: null,
  longText: null,
  money: null,
  decimal: null,
  number: null,
  flag: null,
  isVoid: null,
  voidedOn: null,
  instant: null,
  stated: null,
  list: [],
};

test.each<[object, object]>([
  [{}, {}],
  [{ text: null, decimal: null, number: null, flag: null, instant: null, list: null }, {}],
  [{ text: "", decimal: "", number: "", flag: "", instant: "" }, {}],
  [{ text: "  a b " }, { text: "a b" }],
  [{ text: 7 }, { text: "7" }],
  [{ decimal: 19.99 }, { decimal: "19.99" }],
  [{ decimal: " 19.990 " }, { decimal: "19.990" }],
  // The API promises digits with or without a fraction.
  [{ decimal: "1e3" }, { decimal: "1000" }],
  [{ decimal: "+5" }, { decimal: "5" }],
  [{ decimal: ".5" }, { decimal: "0.5" }],
  [{ decimal: "-5." }, { decimal: "-5" }],
  [{ decimal: 5.551115123125783e-17 }, { decimal: "0" }],
  [{ decimal: -1e-7 }, { decimal: "0" }],
  [{ decimal: "n/a", number: "n/a" }, {}],
  [{ decimal: "Infinity", number: "NaN" }, {}],
  [{ decimal: "1e999" }, {}],
  [{ text: "Blue\u0000 \u001b[31mDream\u0085" }, { text: "Blue   [31mDream" }],
  [{ text: "\ud800Kush" }, { text: "\ufffdKush" }],
  [{ text: "\u0007" }, {}],
  [{ longText: "First line\r\nSecond\u0000line" }, { longText: "First line\r\nSecond line" }],
  [
    { money: "1,000.00", number: "12,345" },
    { money: "1000.00", number: 12_345 },
  ],
  [{ money: "-1,234,567.5" }, { money: "-1234567.5" }],
  [{ money: 19.99 }, { money: "19.99" }],
  [{ money: "N/A" }, {}],
  [{ number: "3.5" }, { number: 3.5 }],
  [{ flag: "TRUE" }, { flag: true }],
  [{ flag: 0 }, { flag: false }],
  [{ flag: "perhaps" }, {}],
  [{ isVoid: "True" }, { isVoid: true }],
  [{ isVoid: 0 }, { isVoid: false }],
  [{ isVoid: "N/A" }, {}],
  [{ instant: "2026-03-10T19:30:00Z" }, { instant: "2026-03-10T19:30:00.000Z" }],
  [{ instant: "soon" }, {}],
  [{ voidedOn: "2026-03-10T19:30:00Z" }, { voidedOn: "2026-03-10" }],
  [{ voidedOn: "2026-03-10" }, { voidedOn: "2026-03-10" }],
  [{ voidedOn: "03/10/2026" }, { voidedOn: "2026-03-10" }],
  [{ voidedOn: "2026-03-10 19:30" }, { voidedOn: "2026-03-10" }],
  [{ voidedOn: "0001-01-01T00:00:00" }, {}],
  [{ voidedOn: "1900-01-01" }, {}],
  [{ voidedOn: "N/A" }, {}],
  [{ stated: [] }, { stated: [] }],
  [{ list: [{ quantity: "2", surprise: 1 }] }, { list: [{ quantity: 2 }] }],
  [{ surprise: { deep: true } }, {}],
])("%j is read", (fields, expected) => {
  const found = readRow(row, { id: 7, ...fields }, (field) => field("id"));
  expect(found).toEqual({ row: { id: "7", ...nothing, ...expected } });
});

test.each<[unknown, string, string]>([
  [{ id: 7, text: { planted: "planted" } }, "text", "invalid_union"],
  [{ id: 7, list: [{ quantity: 1 }, { quantity: ["planted"] }] }, "list.1.quantity", "invalid_union"],
  [{ id: 7, money: "planted" }, "money", "not_a_number"],
  [{ id: 7, money: "$12.00" }, "money", "not_a_number"],
  [{ id: 7, money: "1,00" }, "money", "not_a_number"],
  [{ id: 7, money: "1,000,00.0" }, "money", "not_a_number"],
  [{ id: 7, money: 1e23 }, "money", "out_of_range"],
  [{ id: 7, money: "-2147483648" }, "money", "out_of_range"],
  [{ id: 7, number: "1e999" }, "number", "out_of_range"],
  [{ id: 7, number: 1e23 }, "number", "out_of_range"],
  [{ id: 7, text: "x".repeat(1_001) }, "text", "too_long"],
  [{ id: 7, text: 2 ** 53 }, "text", "rounded_number"],
  [{ id: 7, longText: "x".repeat(10_001) }, "longText", "too_long"],
  [{ id: 7, isVoid: "planted" }, "isVoid", "unknown_status"],
  [{ id: 7, isVoid: 2 }, "isVoid", "unknown_status"],
  [{ id: 7, isVoid: "Y" }, "isVoid", "unknown_status"],
  [{ id: 7, voidedOn: "planted" }, "voidedOn", "unknown_status"],
  [{ id: 7, voidedOn: "10 March 2026" }, "voidedOn", "unknown_status"],
  [{ id: 7, voidedOn: "2026-02-31" }, "voidedOn", "unknown_status"],
  [{ id: 7, voidedOn: 1_773_171_000_000 }, "voidedOn", "unknown_status"],
  [{ id: 7, voidedOn: true }, "voidedOn", "invalid_union"],
  [{ id: 7, list: "planted" }, "list", "invalid_type"],
  [{ id: 7, list: ["planted"] }, "list.0", "invalid_type"],
])("%j is rejected: %s %s", (value, field, reason) => {
  expect(readRow(row, value, (field) => field("id"))).toEqual({ rejected: { posId: "7", field, reason } });
});

test.each<unknown>([
  {},
  { id: "" },
  { id: " " },
  { id: null },
  { id: {} },
  { id: "a\u0000b" },
  { id: "N/A" },
  // Another id becomes the same number.
  { id: 2 ** 53 },
  { id: "a\ud800" },
  null,
  "planted",
  7,
  [],
])("%j has no id, and is rejected without one", (value) => {
  const { rejected } = partitionRows([readRow(row, value, (field) => field("id"))]);
  expect(rejected).toMatchObject([{ posId: "" }]);
  expect(JSON.stringify(rejected)).not.toContain("planted");
});

test.each<[unknown, string | null]>([
  [446_860_800_000, "1984-02-29"],
  ["446860800000", "1984-02-29"],
  ["02/29/1984", "1984-02-29"],
  [0, null],
  [" ", null],
  ["-0", null],
  ["0x10", null],
  ["1e300", null],
])("the day %j is %j", (value, expected) => {
  expect(plainDay(epochDay.parse(value))).toBe(expected);
});

test("a record is rejected if a required instant is missing", () => {
  const found = readRow(z.object({ id, at: instantText }), { id: 1, at: "soon" }, (field) => field("id"));
  expect(found).toEqual({ rejected: { posId: "1", field: "at", reason: "no_instant" } });
});

test("texts and numbers at their limits are read", () => {
  const fields = { text: "x".repeat(1_000), longText: "x".repeat(10_000), money: "2147483647", number: -2147483647 };
  expect(readRow(row, { id: 7, ...fields }, (field) => field("id"))).toEqual({
    row: { id: "7", ...nothing, ...fields },
  });
});

test("an image with too long an address is left out, and its product is kept", () => {
  const product = z.object({ id, images: list(imageUrl) });
  const images = ["https://example.com/a.png", `data:image/png;base64,${"A".repeat(20_000)}`, { planted: true }];
  const found = readRow(product, { id: 7, images }, (field) => field("id"));
  expect(found).toEqual({ row: { id: "7", images: ["https://example.com/a.png", null, null] } });
});

test("a list with almost only unreadable rows is not understood", () => {
  const one = { posId: "1", field: "name", reason: "invalid_type" };
  const list = Array.from({ length: 99_999 }, () => one);
  addRejected(list, one);
  expect(list).toHaveLength(100_000);
  expect(() => addRejected(list, one)).toThrow(PosError);
});
