import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from "jose";
import { ServiceError } from "../../api/errors.ts";
import { maxAgeMs, readDiscovery, readDocument } from "./discovery.ts";
import { failurePauseMs, issuerCache } from "./issuerCache.ts";

/** Minimum milliseconds between two readings because of unknown key ids, which strangers can invent. */
const minRefreshMs = 60_000;

/**
 * The signing key that an ID token names, from the identity provider's published keys. They are cached.
 *
 * @param issuer an issuer of stored settings
 * @param now the current time, epoch milliseconds
 * @throws ServiceError "unavailable" if the identity provider cannot be read; JOSEError if it has no such key
 */
export const findProviderKey =
  (issuer: string, now: number): JWTVerifyGetKey =>
  async (header, token) => {
    const { value: find, at } = await load(issuer, now, maxAgeMs);
    try {
      return await find(header, token);
    } catch (error) {
      // The identity provider may have changed its key since.
      if (!(error instanceof errors.JWKSNoMatchingKey) || now - at < minRefreshMs) throw error;
    }
    return (await load(issuer, now, minRefreshMs)).value(header, token);
  };

const loadKeys = issuerCache(async (issuer): Promise<JWTVerifyGetKey> => {
  const discovery = await readDiscovery(issuer);
  if (typeof discovery.jwks_uri !== "string") throw new Error("its discovery document has no jwks_uri");
  return createLocalJWKSet((await readDocument(discovery.jwks_uri)) as unknown as JSONWebKeySet);
});

const load = (issuer: string, now: number, ageMs: number) =>
  loadKeys(issuer, now, ageMs).catch((error) => {
    throw unavailable(issuer, error);
  });

const unavailable = (issuer: string, cause: unknown) =>
  new ServiceError("unavailable", {
    code: "identity_provider_unavailable",
    message: `The identity provider ${issuer} cannot be read, so the ID token cannot be verified. Try again after Retry-After; if this lasts, check its discovery document and keys.`,
    retryAfter: failurePauseMs / 1000,
    ...(cause instanceof ServiceError && { cause }),
  });
