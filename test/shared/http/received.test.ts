import { describe, expect, test } from "vitest";
import type { Operation, Route } from "../../../shared/api/operation.ts";
import { exchangeToken } from "../../../shared/api/operations/authentication.ts";
import { updateCrbInfo } from "../../../shared/api/operations/crbs.ts";
import { sendOnboardingLink } from "../../../shared/api/operations/inAppOnboarding.ts";
import { limitBody, receive } from "../../../shared/http/received.ts";
import { requestEvent } from "../../requestEvent.ts";

const maxBytes = 1024 * 1024;
const [route] = updateCrbInfo.routes;
const limit = (body: string, more: { isBase64Encoded?: boolean; route?: Route } = {}, of: Operation = updateCrbInfo) =>
  limitBody(of, { ...requestEvent({ resource: route.path, body }), route, ...more });
const tooLarge = expect.objectContaining({ kind: "tooLarge" });

describe("the limit of one mebibyte", () => {
  test("accepts exactly one mebibyte, and rejects one byte more", () => {
    limit("x".repeat(maxBytes));
    expect(() => limit("x".repeat(maxBytes + 1))).toThrow(tooLarge);
    expect(() => limit("é".repeat(maxBytes / 2 + 1))).toThrow(tooLarge);
  });

  test("applies to the decoded bytes of a body in base64", () => {
    const encoded = (bytes: number) => Buffer.alloc(bytes).toString("base64");
    limit(encoded(maxBytes), { isBase64Encoded: true });
    expect(() => limit(encoded(maxBytes + 1), { isBase64Encoded: true })).toThrow(tooLarge);
  });

  test("does not apply to documents, nor to bodies that are not read", () => {
    limit("x".repeat(maxBytes + 1), {}, { ...updateCrbInfo, holdsDocument: true });
    limit("x".repeat(maxBytes + 1), { route: { ...route, method: "GET" } });
  });
});

test.each([exchangeToken, sendOnboardingLink])(
  "$handler, which needs no credential, accepts at most 16 KiB",
  (operation) => {
    const [of] = operation.routes;
    limit("x".repeat(16_384), { route: of }, operation);
    expect(() => limit("x".repeat(16_385), { route: of }, operation)).toThrow(tooLarge);
  },
);

describe("a body that is not UTF-8", () => {
  const read = (bytes: Buffer, isBase64Encoded: boolean) => {
    // Without base64, the gateway has decoded the bytes.
    const body = bytes.toString(isBase64Encoded ? "base64" : "utf8");
    return receive(updateCrbInfo, { ...requestEvent({ resource: route.path, body }), route, isBase64Encoded });
  };

  test.each([true, false])("cannot be read (in base64: %s)", (isBase64Encoded) => {
    const unreadable = { unreadable: "must be valid UTF-8, without the character U+FFFD" };
    const latin1 = Buffer.from('{"friendly_name":"Caf\u00e9"}', "latin1");
    expect(read(latin1, isBase64Encoded)).toMatchObject(unreadable);
    expect(read(Buffer.from(latin1.toString("latin1"), "utf8"), isBase64Encoded)).toMatchObject({
      body: { friendly_name: "Café" },
    });
    expect(read(Buffer.from('{"friendly_name":"\\ufffd"}'), isBase64Encoded)).toMatchObject({
      body: { friendly_name: "\ufffd" },
    });
  });
});

test("a JSON body may begin with one byte order mark, and not with two", () => {
  const read = (body: string) => receive(updateCrbInfo, { ...requestEvent({ resource: route.path, body }), route });
  expect(read('\ufeff{"friendly_name":"\ufeffx"}')).toMatchObject({ body: { friendly_name: "\ufeffx" } });
  expect(read("\ufeff\ufeff{}")).toMatchObject({ unreadable: "must be JSON" });
  expect(read("\ufeff")).toMatchObject({ unreadable: "must be JSON" });
});

test("a body is read once", () => {
  const received = receive(updateCrbInfo, { ...requestEvent({ resource: route.path, body: "{}" }), route });
  expect(received.body).toEqual({});
  expect(received.body).toBe(received.body);
});
