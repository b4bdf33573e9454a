import { createHash } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { marshall, unmarshall } from "@aws-sdk/util-dynamodb";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contentHash } from "../../../shared/store/contentHash.ts";
import { damagedText } from "../../../shared/store/damagedRecords.ts";
import { compressText, withRawText } from "../../../shared/store/recordText.ts";

const key = { pk: "CRB#1#SALE", sk: "a" };
const unpack = (body: unknown) => unmarshall(withRawText(marshall({ ...key, body }))).body;

test("the hash of a record, by which changes are found, is 128 bits of its SHA-256 without the service's dates", () => {
  const sha = createHash("sha256").update('{"a":1,"svc_updated_date":null}').digest("base64url");
  expect(contentHash({ a: 1, svc_updated_date: "2026-03-02T10:00:00.000Z" })).toBe(sha.slice(0, 22));
});

describe("a compressed text", () => {
  test("is returned byte for byte", async () => {
    await fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string({ unit: "binary" })), (record) => {
        const text = JSON.stringify({ ...record, id: "a" });
        expect(unpack(compressText(text))).toBe(text);
      }),
    );
  });

  // The bytes repeat the records of the dictionary, so a change of any value in it fails.
  test("stored by the first release with dictionary 1 is still readable", () => {
    const stored = "AYOWo4lKOiC35helQAJkRHbRdEb7aKN9NPr20fAkudFO2mgnbSR00nRGe2nDtpemM9pNG+2mjXbTRrtpo900yrppsbUA";
    const text = unpack(Buffer.from(stored, "base64")) as string;
    expect(createHash("sha256").update(text).digest("hex")).toBe(
      "1a75f2b9576067adf27ff952f8ad465c359af5df076aa29f0f13db22fc9bea12",
    );
  });

  const longText = deflateRawSync(`{"id":"a","b":"${"b".repeat(16_384)}"}`);
  test.each([
    ["with an unknown dictionary number", Buffer.of(2, 3, 0)],
    ["that is cut short", compressText('{"id":"a"}').slice(0, -1) as Uint8Array],
    ["of more than 16,384 bytes", Buffer.concat([Buffer.of(1), longText])],
    ["of another record", compressText('{"id":"b"}') as Uint8Array],
  ])("%s is damaged", (_, body) => {
    expect(unpack(body)).toBe(damagedText);
    expect(withRawText({ body: { B: body } }, key)).toEqual({ body: { S: damagedText } });
  });
});

test("a text that is stored plain is returned unchanged", () => {
  expect(unpack('{"id":"a"}')).toBe('{"id":"a"}');
  const item = { pk: { S: key.pk }, body: { S: '{"id":"a"}' } };
  expect(withRawText(item)).toBe(item);
});

test("a text of more than 16,384 bytes is stored plain, which limits the memory of a query", () => {
  const text = JSON.stringify({ id: "a", description: "x".repeat(16 * 1024) });
  expect(compressText(text)).toBe(text);
  expect(unpack(text)).toBe(text);
});
