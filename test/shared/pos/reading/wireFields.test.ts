import { expect, test } from "vitest";
import * as z from "zod";
import { parted, readRow } from "../../../../shared/pos/reading/readRow.ts";
import {
  decimal,
  flag,
  id,
  instant,
  instantText,
  list,
  number,
  text,
} from "../../../../shared/pos/reading/wireFields.ts";

const row = z.object({ id, text, decimal, number, flag, instant, list: list(z.object({ quantity: number })) });
const nothing = { text: null, decimal: null, number: null, flag: null, instant: null, list: [] };

test.each<[object, object]>([
  [{}, {}],
  [{ text: null, decimal: null, number: null, flag: null, instant: null, list: null }, {}],
  [{ text: "", decimal: "", number: "", flag: "", instant: "" }, {}],
  [{ text: "  a b " }, { text: "a b" }],
  [{ text: 7 }, { text: "7" }],
  [{ decimal: 19.99 }, { decimal: "19.99" }],
  [{ decimal: " 19.990 " }, { decimal: "19.990" }],
  [{ decimal: "1e3" }, { decimal: "1e3" }],
  [{ decimal: "n/a", number: "n/a" }, {}],
  [{ decimal: "Infinity", number: "NaN" }, {}],
  [{ decimal: "1e999", number: "1e999" }, {}],
  [{ number: "3.5" }, { number: 3.5 }],
  [{ flag: "TRUE" }, { flag: true }],
  [{ flag: 0 }, { flag: false }],
  [{ flag: "perhaps" }, {}],
  [{ instant: "2026-03-10T19:30:00Z" }, { instant: "2026-03-10T19:30:00.000Z" }],
  [{ instant: "soon" }, {}],
  [{ list: [{ quantity: "2", surprise: 1 }] }, { list: [{ quantity: 2 }] }],
  [{ surprise: { deep: true } }, {}],
])("%j is read", (fields, expected) => {
  const found = readRow(row, { id: 7, ...fields }, (field) => field("id"));
  expect(found).toEqual({ row: { id: "7", ...nothing, ...expected } });
});

test.each<[unknown, string, string]>([
  [{ id: 7, text: { planted: "planted" } }, "text", "invalid_union"],
  [{ id: 7, list: [{ quantity: 1 }, { quantity: ["planted"] }] }, "list.1.quantity", "invalid_union"],
  [{ id: 7, list: "planted" }, "list", "invalid_type"],
  [{ id: 7, list: ["planted"] }, "list.0", "invalid_type"],
])("%j is rejected: %s %s", (value, field, reason) => {
  expect(readRow(row, value, (field) => field("id"))).toEqual({ rejected: { posId: "7", field, reason } });
});

test.each<unknown>([{}, { id: "" }, { id: " " }, { id: null }, { id: {} }, null, "planted", 7, []])(
  "%j has no id to tell it by",
  (value) => {
    const { rejected } = parted([readRow(row, value, (field) => field("id"))]);
    expect(rejected).toMatchObject([{ posId: "" }]);
    expect(JSON.stringify(rejected)).not.toContain("planted");
  },
);

test("a record that means nothing without its instant", () => {
  const found = readRow(z.object({ id, at: instantText }), { id: 1, at: "soon" }, (field) => field("id"));
  expect(found).toEqual({ rejected: { posId: "1", field: "at", reason: "no_instant" } });
});
