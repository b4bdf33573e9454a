import { createHmac } from "node:crypto";
import { type CryptoKey, exportSPKI } from "jose";
import { callHandler, type OperationRequest } from "../callHandler.ts";

/** Exchanges an assertion, as JSON or as a form, as OAuth 2 libraries send it. */
export const exchange = (
  body: Record<string, unknown>,
  { asForm = false, ...more }: OperationRequest & { asForm?: boolean } = {},
) =>
  callHandler("exchangeToken", {
    sourceIp: "192.0.2.1",
    body: asForm ? new URLSearchParams(body as Record<string, string>).toString() : body,
    ...(asForm && { contentType: "application/x-www-form-urlencoded" }),
    ...more,
  });

/** A token with other claims under the same signature. */
export function tampered(token: string, claims: Record<string, unknown>): string {
  const [header, payload = "", signature] = token.split(".");
  const changed = { ...JSON.parse(Buffer.from(payload, "base64url").toString()), ...claims };
  return [header, Buffer.from(JSON.stringify(changed)).toString("base64url"), signature].join(".");
}

/** The payload of a token without a signature, and signed with the public key as the secret of HMAC. */
export async function withoutKey(token: string, kid: string, publicKey: CryptoKey): Promise<string[]> {
  const [, payload] = token.split(".");
  const headed = (alg: string) => `${Buffer.from(JSON.stringify({ alg, kid })).toString("base64url")}.${payload}`;
  const hmac = createHmac("sha256", await exportSPKI(publicKey)).update(headed("HS256"));
  return [
    ...["none", "None", "NONE"].map((alg) => `${headed(alg)}.`),
    `${headed("HS256")}.${hmac.digest("base64url")}`,
  ];
}
