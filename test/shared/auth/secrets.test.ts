import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createSecret, digestOf, parseSecret, secretInHeader } from "../../../shared/auth/secrets.ts";

const clientId = randomUUID();
const secret = createSecret("sk", clientId);

test("a secret has the form of the specification and contains its client id", () => {
  expect(secret).toMatch(/^sk_[A-Za-z0-9_-]{65}$/);
  expect(createSecret("at", clientId)).toMatch(/^at_[A-Za-z0-9_-]{65}$/);
  expect(parseSecret(secret)).toEqual({ kind: "sk", clientId, digest: digestOf(secret) });
  expect(createSecret("sk", clientId)).not.toBe(secret);
});

describe("Authorization header", () => {
  // Constant, because it is part of test names.
  const clientId = "6f9619ff-8b86-4d01-b42d-00cf4fc964ff";
  const secret = `sk_b5YZ_4uGTQG0LQDPT8lk_w${"aZ09_-b".repeat(7).slice(0, 43)}`;

  test.each([
    secret,
    ` ${secret}\t`,
    `Bearer ${secret}`,
    `bearer ${secret}`,
    `BEARER   ${secret} `,
    ` Bearer ${secret}`,
  ])("accepts %j", (text) => {
    expect(secretInHeader(text).clientId).toBe(clientId);
  });

  test.each([
    undefined,
    "",
    " ",
    "Bearer",
    "Bearer ",
    `Basic ${secret}`,
    `Bearer Bearer ${secret}`,
    `${secret.slice(0, 9)}Bearer ${secret.slice(9)}`,
    `Bearer\t${secret}`,
    // Values that AWS WAF would count as other credentials (infra/constructs/webAcl.ts).
    `Bearer \u3000${secret}`,
    `\ufeff${secret}`,
    `${secret}\u2028`,
    `${secret} ${secret}`,
    `${secret}, ${secret}`,
    `${secret}\n`.repeat(2),
    secret.slice(1),
    secret.slice(0, -1),
    `${secret}x`,
    secret.replace("sk_", "SK_"),
    secret.replace("sk_", "pk_"),
    `sk_${"A".repeat(21)}+${"A".repeat(43)}`,
    // 16 bytes that are not a UUID
    `sk_${"-".repeat(22)}${"A".repeat(43)}`,
  ])("rejects %j", (text) => {
    expect(() => secretInHeader(text)).toThrow(expect.objectContaining({ kind: "unauthorized" }));
  });

  test("rejects a very long text", () => {
    expect(() => secretInHeader("x".repeat(100_000))).toThrow(expect.objectContaining({ kind: "unauthorized" }));
  });
});
