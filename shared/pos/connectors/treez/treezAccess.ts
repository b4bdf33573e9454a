import { randomUUID, sign } from "node:crypto";
import { type Connection, PosError } from "../../connector.ts";
import { credentialsFingerprint } from "../../framework/credentialsFingerprint.ts";
import type { PosCall, PosClient } from "../../framework/posClient.ts";
import { below, type PosPath, posPath } from "../../framework/posPath.ts";
import { createToken, type TokenCache } from "../../framework/tokenCache.ts";
import { requireCredential, requireServiceKey, toPosError } from "../../framework/toPosError.ts";
import { withSession } from "../../framework/withSession.ts";
import { token, validation } from "./responses.ts";

/** One version of Treez's API, with its authentication. */
export interface TreezAccess {
  client: PosClient;
  /** base path of the lists */
  base: PosPath;
  /** path of the changed tickets, without the instant */
  changedTickets: PosPath;
  /** Sends an authenticated request, and repeats it once with a new token if the token may have caused the failure. */
  ask<Result>(ask: (headers: PosCall["headers"]) => Promise<Result>): Promise<Result>;
  /** Verifies the credentials. Throws PosError "credentialsRefused" also for an unknown dispensary. */
  verify(options: Partial<PosCall>): Promise<void>;
}

/** Lifetime of a token in seconds (two hours) if Treez does not state it. */
const usualSeconds = 7200;

/**
 * Access by version 2 of the API, which exchanges the business's key for a token. Treez blocks clients that request a token
 * for every call.
 *
 * @param clientId this service's own id at Treez, the same for all dispensaries
 * @throws PosError "unreachable" if `clientId` is empty, which says nothing about the business's key
 */
export function accessByToken(
  client: PosClient,
  tokens: TokenCache,
  connection: Connection,
  name: string,
  clientId: string,
): TreezAccess {
  const apiKey = requireCredential(connection.credentials.apiKey);
  requireServiceKey(clientId, "no_client_id");
  const base = posPath`/v2.0/dispensary/${name}`;
  const key = credentialsFingerprint(connection);
  const signIn = async (options: Partial<PosCall> = {}) => {
    const answer = await client.call({
      path: below(base, posPath`/config/api/gettokens`),
      form: { client_id: clientId, apikey: apiKey },
      headers: {},
      rateLimitBucket: connection.crbId,
      ...options,
    });
    const refused = answer.status === 200 ? undefined : toPosError(answer);
    if (refused?.failure === "unreachable") throw refused;
    const body = token.safeParse(answer.body).data;
    if (refused || body?.resultCode === "FAIL") {
      throw new PosError("credentialsRefused", { code: String(answer.status) });
    }
    if (!body?.access_token) throw new PosError("notUnderstood", { code: "token" });
    return createToken(body.access_token, body.expires_in ?? usualSeconds);
  };
  return {
    client,
    base,
    changedTickets: posPath`/ticket/lastUpdated/after`,
    ask: (ask) =>
      withSession({ cache: tokens, key, signIn, isSessionRejected: isOfToken }, ({ text }) =>
        ask({ authorization: text, client_id: clientId }),
      ),
    async verify(options) {
      tokens.forget(key);
      await tokens.get(key, () => signIn(options));
    },
  };
}

/** Whether the token may have caused a failure: Treez rejects it, or a 2xx response lacks the requested data. */
const isOfToken = ({ failure, code }: PosError) =>
  failure === "credentialsRefused" || (failure === "notUnderstood" && code === "envelope");

/** The certificate that Treez issued to this service for version 3: its id and its private key (PEM). */
export interface Certificate {
  id: string;
  privateKey: string;
}

/** Lifetime of a signature; Treez rejects any other value. */
const signedMilliseconds = 30_000;

/**
 * Access by version 3 of the API. This service signs each request. The signed claims name the business's organization.
 *
 * @throws PosError "unreachable" without a certificate, which says nothing about the business
 */
export function accessBySignature(
  client: PosClient,
  connection: Connection,
  name: string,
  certificate: Certificate,
  now: () => Date,
): TreezAccess {
  const organizationId = requireCredential(connection.credentials.organizationId);
  requireServiceKey(certificate.id && certificate.privateKey, "no_certificate");
  const authorization = (aud: string) => {
    const iat = now().getTime();
    const claims = {
      aud,
      iss: certificate.id,
      oid: organizationId,
      iat,
      exp: iat + signedMilliseconds,
      jti: randomUUID(),
    };
    const text = Buffer.from(JSON.stringify(claims)).toString("base64url");
    // Two parts: Treez rejects the three parts that JWT libraries create.
    return `${text}.${sign("sha256", Buffer.from(text), certificate.privateKey).toString("base64")}`;
  };
  const headers: PosCall["headers"] = (url) => ({ authorization: authorization(url) });
  const base = posPath`/dispensary/v3/${name}`;
  return {
    client,
    base,
    changedTickets: posPath`/ticket/lastUpdated`,
    ask: (ask) => ask(headers),
    async verify(options) {
      const answer = await client.call({
        path: posPath`/service/jwt-validation`,
        query: { targetPath: `${base.text}/product/product_list`, dispensaryName: name, includeRateLimit: true },
        form: {},
        headers,
        rateLimitBucket: connection.crbId,
        ...options,
      });
      const refused = answer.status === 200 ? undefined : toPosError(answer);
      if (refused && !["credentialsRefused", "notPermitted"].includes(refused.failure)) throw refused;
      const { valid = null } = validation.safeParse(answer.body).data ?? {};
      if (refused || valid === false) throw new PosError("credentialsRefused", { code: String(answer.status) });
      if (valid === null) throw new PosError("notUnderstood", { code: "validation" });
    },
  };
}
