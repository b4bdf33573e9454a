import { describe, expect, test } from "vitest";
import type { Operation, Route } from "../../../shared/api/operation.ts";
import { exchangeToken } from "../../../shared/api/operations/authentication.ts";
import { updateCrbInfo } from "../../../shared/api/operations/crbs.ts";
import { sendOnboardingLink } from "../../../shared/api/operations/inAppOnboarding.ts";
import { limitBody } from "../../../shared/http/body.ts";
import { requestEvent } from "../../requestEvent.ts";

const largest = 1024 * 1024;
const [route] = updateCrbInfo.routes;
const limit = (body: string, more: { isBase64Encoded?: boolean; route?: Route } = {}, of: Operation = updateCrbInfo) =>
  limitBody(of, { ...requestEvent({ resource: route.path, body }), route, ...more });
const tooLarge = expect.objectContaining({ kind: "tooLarge" });

describe("a body of a mebibyte", () => {
  test("is read, and one of a byte more is not", () => {
    limit("x".repeat(largest));
    expect(() => limit("x".repeat(largest + 1))).toThrow(tooLarge);
    expect(() => limit("é".repeat(largest / 2 + 1))).toThrow(tooLarge);
  });

  test("counts as what the gateway's base64 stands for", () => {
    const encoded = (bytes: number) => Buffer.alloc(bytes).toString("base64");
    limit(encoded(largest), { isBase64Encoded: true });
    expect(() => limit(encoded(largest + 1), { isBase64Encoded: true })).toThrow(tooLarge);
  });

  test("is no limit for a document, nor for what is not read", () => {
    limit("x".repeat(largest + 1), {}, { ...updateCrbInfo, holdsDocument: true });
    limit("x".repeat(largest + 1), { route: { ...route, method: "GET" } });
  });
});

test.each([exchangeToken, sendOnboardingLink])(
  "$handler, which strangers may call, takes 16 KiB and no more",
  (operation) => {
    const [of] = operation.routes;
    limit("x".repeat(16_384), { route: of }, operation);
    expect(() => limit("x".repeat(16_385), { route: of }, operation)).toThrow(tooLarge);
  },
);
