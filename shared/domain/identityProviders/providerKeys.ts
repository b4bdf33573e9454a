import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from "jose";
import { ServiceError } from "../../api/errors.ts";
import { describeError, log } from "../../platform/aws/log.ts";
import { fetchGuardedJson } from "../../platform/http/fetchGuardedJson.ts";
import { findUrlIssue } from "../../platform/http/urlIssue.ts";

/** Limits of a document of an identity provider: the discovery document, or its keys. */
const documentLimits = { withinMs: 3_000, maxBytes: 64 * 1024 };
/** Milliseconds after which keys are read again, so that a withdrawn key is soon rejected. */
const maxAgeMs = 5 * 60_000;
/** Minimum milliseconds between two readings because of unknown key ids, which strangers can invent. */
const minRefreshMs = 60_000;
/** Milliseconds after a failed reading in which no request causes another one. */
const failurePauseMs = 10_000;

interface Loaded {
  find: JWTVerifyGetKey;
  at: number;
}

/** The last reading of each identity provider by this process. Only issuers of stored settings are read, so there are few. */
const loads = new Map<string, { loaded: Promise<Loaded>; startedAt: number; isFailed?: true }>();

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
    const { find, at } = await load(issuer, now, maxAgeMs);
    try {
      return await find(header, token);
    } catch (error) {
      // The identity provider may have changed its key since.
      if (!(error instanceof errors.JWKSNoMatchingKey) || now - at < minRefreshMs) throw error;
    }
    return (await load(issuer, now, minRefreshMs)).find(header, token);
  };

/** The keys, read at most `ageMs` ago. Simultaneous requests share one reading. */
function load(issuer: string, now: number, ageMs: number): Promise<Loaded> {
  const last = loads.get(issuer);
  if (last && now - last.startedAt < (last.isFailed ? failurePauseMs : ageMs)) return last.loaded;
  const entry: NonNullable<typeof last> = {
    startedAt: now,
    loaded: read(issuer).then(
      (find) => ({ find, at: now }),
      (error) => {
        entry.isFailed = true;
        log.warn("identity provider not read", { issuer, error: describeError(error) });
        throw unavailable(issuer, error);
      },
    ),
  };
  loads.set(issuer, entry);
  return entry.loaded;
}

/** Reads the discovery document and the keys (OpenID Connect Discovery 1.0, section 4). */
async function read(issuer: string): Promise<JWTVerifyGetKey> {
  const discovery = await readDocument(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`);
  if (discovery.issuer !== issuer) throw new Error("its discovery document has another issuer");
  if (typeof discovery.jwks_uri !== "string") throw new Error("its discovery document has no jwks_uri");
  const keys = await readDocument(discovery.jwks_uri);
  return createLocalJWKSet(keys as unknown as JSONWebKeySet);
}

async function readDocument(address: string): Promise<Record<string, unknown>> {
  const issue = await findUrlIssue(address);
  if (issue !== undefined) throw new Error(`the address of a document ${issue}`);
  const document = await fetchGuardedJson(new URL(address), documentLimits);
  if (typeof document !== "object" || document === null || Array.isArray(document)) throw new Error("no JSON object");
  return document as Record<string, unknown>;
}

const unavailable = (issuer: string, cause: unknown) =>
  new ServiceError("unavailable", {
    code: "identity_provider_unavailable",
    message: `The identity provider ${issuer} cannot be read, so the ID token cannot be verified. Try again after Retry-After; if this lasts, check its discovery document and keys.`,
    retryAfter: failurePauseMs / 1000,
    ...(cause instanceof ServiceError && { cause }),
  });
