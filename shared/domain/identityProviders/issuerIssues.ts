import type { Fields } from "../../api/errors.ts";
import { maxIssuerLength } from "../../api/schemas/identityProvider.ts";
import { findUrlIssue, type Resolve } from "../../platform/http/urlIssue.ts";

/** Makes the checks of a body's `issuer` that the schema of the body does not make. */
export async function issuerIssues(body: unknown, resolve?: Resolve): Promise<Fields> {
  const sent = typeof body === "object" && body !== null && "issuer" in body ? body.issuer : undefined;
  if (typeof sent !== "string" || sent === "" || sent.length > maxIssuerLength) return {};
  const message =
    (await findUrlIssue(sent, resolve)) ?? (sent.includes("?") ? "must not have a query (?…)" : undefined);
  return message === undefined ? {} : { "body.issuer": { message } };
}
