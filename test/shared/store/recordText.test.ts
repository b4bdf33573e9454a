import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { packText, withRawText, withText } from "../../../shared/store/recordText.ts";

const key = { pk: "LIST", sk: "a" };
const unpack = (body: unknown) => withText({ ...key, body }).body;

describe("a packed text", () => {
  test("is read byte for byte", async () => {
    await fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string({ unit: "binary" })), (record) => {
        const text = JSON.stringify(record);
        expect(unpack(packText(text))).toBe(text);
      }),
    );
  });

  test("is read in DynamoDB's wire format, with its other attributes", () => {
    const item = { pk: { S: "LIST" }, rank: { S: "2026-03-01#0" } };
    const body = { B: packText('{"id":"a"}') as Uint8Array };
    expect(withRawText({ ...item, body })).toEqual({ ...item, body: { S: '{"id":"a"}' } });
  });

  // The bytes repeat the whole dictionary, so a change of any value in it fails.
  test("that the first release with this form stored is read by every later release", () => {
    const stored = "Ae3XgRAAAAADIX/rCfwMouhq9UzKpEzKpEzKpEzKpEzKpEzKpEzqT2o=";
    const text = unpack(Buffer.from(stored, "base64")) as string;
    expect(createHash("sha256").update(text).digest("hex")).toBe(
      "6dde3a458ae4ec9bfb592c83ff627270c1abe2fa0da900671905f8360458e55c",
    );
  });

  test("with an unknown dictionary is an error", () => {
    expect(() => unpack(Buffer.of(2, 3, 0))).toThrow("a record has the unknown dictionary 2");
  });
});

test("a text that was stored before texts were packed is read as it is", () => {
  expect(unpack('{"id":"a"}')).toBe('{"id":"a"}');
  const item = { pk: { S: "LIST" }, body: { S: '{"id":"a"}' } };
  expect(withRawText(item)).toBe(item);
});

test("a long text stays as it is, so that the items of a query cannot grow to a hundred times their size", () => {
  const text = JSON.stringify({ description: "x".repeat(16 * 1024) });
  expect(packText(text)).toBe(text);
  expect(unpack(text)).toBe(text);
});
