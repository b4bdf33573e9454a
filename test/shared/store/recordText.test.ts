import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compressText, withRawText, withText } from "../../../shared/store/recordText.ts";

const key = { pk: "LIST", sk: "a" };
const unpack = (body: unknown) => withText({ ...key, body }).body;

describe("a compressed text", () => {
  test("is returned byte for byte", async () => {
    await fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string({ unit: "binary" })), (record) => {
        const text = JSON.stringify(record);
        expect(unpack(compressText(text))).toBe(text);
      }),
    );
  });

  test("is returned in DynamoDB's wire format, with the item's other attributes", () => {
    const item = { pk: { S: "LIST" }, rank: { S: "2026-03-01#0" } };
    const body = { B: compressText('{"id":"a"}') as Uint8Array };
    expect(withRawText({ ...item, body })).toEqual({ ...item, body: { S: '{"id":"a"}' } });
  });

  // The bytes repeat the whole dictionary, so a change of any value in it fails.
  test("stored by the first release with dictionary 1 is still readable", () => {
    const stored = "Ae3XgRAAAAADIX/rCfwMouhq9UzKpEzKpEzKpEzKpEzKpEzKpEzqT2o=";
    const text = unpack(Buffer.from(stored, "base64")) as string;
    expect(createHash("sha256").update(text).digest("hex")).toBe(
      "6dde3a458ae4ec9bfb592c83ff627270c1abe2fa0da900671905f8360458e55c",
    );
  });

  test("with an unknown dictionary number is rejected", () => {
    expect(() => unpack(Buffer.of(2, 3, 0))).toThrow(
      "LIST a was compressed with dictionary 2, which this release lacks",
    );
  });

  test("that is cut short is rejected, with the item's key", () => {
    const cut = compressText('{"id":"a"}').slice(0, -1) as Uint8Array;
    expect(() => unpack(cut)).toThrow("The record LIST a is damaged");
    const item = { pk: { S: "LIST" }, sk: { S: "a" }, body: { B: cut } };
    expect(() => withRawText(item)).toThrow("The record LIST a is damaged");
  });
});

test("a text that is stored plain is returned unchanged", () => {
  expect(unpack('{"id":"a"}')).toBe('{"id":"a"}');
  const item = { pk: { S: "LIST" }, body: { S: '{"id":"a"}' } };
  expect(withRawText(item)).toBe(item);
});

test("a text of more than 16,384 bytes is stored plain, which limits the memory of a query", () => {
  const text = JSON.stringify({ description: "x".repeat(16 * 1024) });
  expect(compressText(text)).toBe(text);
  expect(unpack(text)).toBe(text);
});
