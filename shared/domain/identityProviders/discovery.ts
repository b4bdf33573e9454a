import { fetchGuardedJson } from "../../platform/http/fetchGuardedJson.ts";
import { findUrlIssue } from "../../platform/http/urlIssue.ts";

/** Limits of a document of an identity provider: the discovery document, or its keys. */
const documentLimits = { withinMs: 3_000, maxBytes: 64 * 1024 };

/** Milliseconds for which a document is used: a change at the identity provider takes effect after this time. */
export const maxAgeMs = 5 * 60_000;

/**
 * Reads the discovery document of an identity provider (OpenID Connect Discovery 1.0, section 4).
 *
 * @throws Error if it cannot be read within the limits, or is that of another issuer
 */
export async function readDiscovery(issuer: string): Promise<Record<string, unknown>> {
  const document = await readDocument(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`);
  if (document.issuer !== issuer) throw new Error("its discovery document has another issuer");
  return document;
}

/** Reads a JSON object of an identity provider. @throws Error if it cannot be read within the limits */
export async function readDocument(address: string): Promise<Record<string, unknown>> {
  const issue = await findUrlIssue(address);
  if (issue !== undefined) throw new Error(`the address of a document ${issue}`);
  const document = await fetchGuardedJson(new URL(address), documentLimits);
  if (typeof document !== "object" || document === null || Array.isArray(document)) throw new Error("no JSON object");
  return document as Record<string, unknown>;
}
