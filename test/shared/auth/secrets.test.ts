import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createSecret, digestOf, parseSecret, secretInHeader } from "../../../shared/auth/secrets.ts";

const clientId = randomUUID();
const secret = createSecret("sk", clientId);

test("a secret has the specification's form and names its client", () => {
  expect(secret).toMatch(/^sk_[A-Za-z0-9_-]{65}$/);
  expect(createSecret("at", clientId)).toMatch(/^at_[A-Za-z0-9_-]{65}$/);
  expect(parseSecret(secret)).toEqual({ kind: "sk", clientId, digest: digestOf(secret) });
  expect(createSecret("sk", clientId)).not.toBe(secret);
});

describe("Authorization header", () => {
  // Always the same, as it stands in the names of tests.
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
    // What WAF would count as credentials of their own (infra/constructs/webAcl.ts).
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
    // 16 bytes that are no uuid
    `sk_${"-".repeat(22)}${"A".repeat(43)}`,
  ])("refuses %j", (text) => {
    expect(() => secretInHeader(text)).toThrow(expect.objectContaining({ kind: "unauthorized" }));
  });

  test("refuses a very long text", () => {
    expect(() => secretInHeader("x".repeat(100_000))).toThrow(expect.objectContaining({ kind: "unauthorized" }));
  });
});
