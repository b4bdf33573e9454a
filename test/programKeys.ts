import { randomUUID } from "node:crypto";
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";

/** A key of a program. */
export interface ProgramKey {
  kid: string;
  alg: string;
  /** The public key, as `setCredentialKeys` takes it. */
  jwk: JWK & { kid: string };
  privateKey: CryptoKey;
  privateJwk: () => Promise<JWK>;
}

export async function newProgramKey(kid: string, alg = "ES256"): Promise<ProgramKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid };
  return { kid, alg, jwk, privateKey, privateJwk: async () => ({ ...(await exportJWK(privateKey)), kid }) };
}

/** The address of the token exchange in the events of tests. */
export const tokenEndpoint = "https://api.example.com/auth/token";

/**
 * Signs a client assertion (RFC 7523).
 *
 * @param claims replace those of a valid one; undefined removes one
 * @param header replaces members of the header; undefined removes one
 */
export function signAssertion(
  clientId: string,
  { kid, alg, privateKey }: ProgramKey,
  claims: Record<string, unknown> = {},
  header: Record<string, unknown> = {},
): Promise<string> {
  const exp = Math.floor(Date.now() / 1000) + 60;
  const payload = { iss: clientId, sub: clientId, aud: tokenEndpoint, jti: randomUUID(), exp, ...claims };
  return new SignJWT(JSON.parse(JSON.stringify(payload)))
    .setProtectedHeader(JSON.parse(JSON.stringify({ alg, kid, ...header })))
    .sign(privateKey);
}
