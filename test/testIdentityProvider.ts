import type { RequestListener, ServerResponse } from "node:http";
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from "jose";
import { beforeAll, vi } from "vitest";
import { useServer } from "./useServer.ts";

interface SigningKey {
  kid: string;
  alg: string;
  privateKey: CryptoKey;
  publicKey: CryptoKey;
}

export async function newSigningKey(kid: string, alg = "RS256"): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, publicKey };
}

const publicJwk = async ({ kid, alg, publicKey }: SigningKey): Promise<JWK> => ({
  ...(await exportJWK(publicKey)),
  kid,
  alg,
  use: "sig",
});

interface TestIdentityProvider {
  issuer: string;
  /** The published keys; tests may change them. */
  keys: SigningKey[];
  /** Number of readings of the keys. */
  reads: number;
  /** A test's own response in place of the documents. */
  answer: RequestListener | undefined;
  /** Makes an ID token; `claims` replace those of a valid one, and undefined removes one. */
  sign(claims?: Record<string, unknown>, key?: SigningKey): Promise<string>;
}

/** The `client_id` of the service at the identity provider. */
export const testClientId = "bank-console";

/** An identity provider on this machine, with discovery and keys, for the tests of a file. */
export function useIdentityProvider(): TestIdentityProvider {
  const state: TestIdentityProvider = {
    issuer: "",
    keys: [],
    reads: 0,
    answer: undefined,
    async sign(claims = {}, key = state.keys[0]) {
      if (!key) throw new Error("The identity provider has no key yet.");
      const now = Math.floor(Date.now() / 1000);
      const usual = { iss: state.issuer, aud: testClientId, sub: "00u1", name: "Ana Ruiz", groups: ["Compliance"] };
      const payload = { ...usual, iat: now, exp: now + 300, jti: String(Math.random()), ...claims } as JWTPayload;
      return new SignJWT(JSON.parse(JSON.stringify(payload)))
        .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: "JWT" })
        .sign(key.privateKey);
    },
  };
  const send = (response: ServerResponse, document: object) => {
    response.setHeader("content-type", "application/json").end(JSON.stringify(document));
  };
  const url = useServer(async (request, response) => {
    if (state.answer) return state.answer(request, response);
    if (request.url?.endsWith("/.well-known/openid-configuration"))
      return send(response, { issuer: state.issuer, jwks_uri: `${state.issuer}/keys` });
    state.reads++;
    return send(response, { keys: await Promise.all(state.keys.map(publicJwk)) });
  });
  beforeAll(async () => {
    vi.stubEnv("STAGE", "local");
    state.issuer = url();
    state.keys = [await newSigningKey("first")];
  });
  return state;
}
