import { randomUUID } from "node:crypto";
import { type CryptoKey, importJWK } from "jose";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { clientAssertionType, jwtBearer, tokenResponse } from "../../../shared/api/schemas/token.ts";
import { revokeCredential } from "../../../shared/auth/revoke.ts";
import { log } from "../../../shared/platform/aws/log.ts";
import { newProgramKey, type ProgramKey, signAssertion, tokenEndpoint } from "../../programKeys.ts";
import { interceptCalls } from "../../shared/store/orderedList/listUnderTest.ts";
import { useTestBucket } from "../../useTestBucket.ts";
import { useTestTable } from "../../useTestTable.ts";
import { givenServiceProvider } from "../callHandler.ts";
import { exchange, tampered, withoutKey } from "./callExchange.ts";

// private_key_jwt (RFC 7523, docs/spec.md#keys-of-programs): what an assertion of a program gets.

const table = useTestTable();
useTestBucket();
let bank: Awaited<ReturnType<typeof givenServiceProvider>>;
let key: ProgramKey;
let rsa: ProgramKey;

const setKeys = (jwks: object[], of = bank, client_id = of.clientId) =>
  of.call("setCredentialKeys", { path: { client_id }, body: { keys: jwks } });

/** A service provider whose credential has one key. */
async function givenBank(own: ProgramKey) {
  const other = await givenServiceProvider(table());
  await setKeys([own.jwk], other);
  return other.clientId;
}

beforeAll(async () => {
  bank = await givenServiceProvider(table());
  [key, rsa] = await Promise.all([newProgramKey("ec"), newProgramKey("rsa", "RS256")]);
  await setKeys([key.jwk, rsa.jwk]);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const exchangeFor = (client_assertion: string, more: Record<string, unknown> = {}, options = {}) =>
  exchange(
    { grant_type: "client_credentials", client_assertion_type: clientAssertionType, client_assertion, ...more },
    options,
  );

const sign = (claims = {}, header = {}, by = key) => signAssertion(bank.clientId, by, claims, header);
const now = () => Math.floor(Date.now() / 1000);
const read = async (authorization: string) => (await bank.call("getServiceProvider", { authorization })).status;

describe("a program gets a token", () => {
  test.each(["RS256", "PS256", "ES256"])("signed with %s", async (alg) => {
    const by = await newProgramKey(alg, alg);
    const { client_id } = await bank.another();
    await setKeys([by.jwk], bank, client_id);
    const { status, json } = await exchangeFor(await signAssertion(client_id, by));
    expect(status).toBe(200);
    expect(tokenResponse.parse(json)).toMatchObject({ client_id, expires_in: 3600, person: null });
    expect(await read(json.access_token)).toBe(200);
  });

  test("with fewer scopes, as a form, as OAuth 2 libraries send it", async () => {
    const sent = { client_id: bank.clientId, scope: "point-of-sale:read" };
    const { status, json } = await exchangeFor(await sign(), sent, { asForm: true });
    expect([status, json.scope]).toEqual([200, "point-of-sale:read"]);
    expect(await read(json.access_token)).toBe(403);
  });

  test.each<[string, object]>([
    ["several audiences", { aud: ["https://other.example.com", tokenEndpoint] }],
    ["an end of five minutes", { exp: Math.floor(Date.now() / 1000) + 300 }],
  ])("with %s", async (_, claims) => {
    expect((await exchangeFor(await sign(claims))).status).toBe(200);
  });

  test("without a kid, if the credential has one key", async () => {
    const assertion = await signAssertion(await givenBank(key), key, {}, { kid: undefined });
    expect((await exchangeFor(assertion)).status).toBe(200);
  });

  test("next to its client id in capitals", async () => {
    expect((await exchangeFor(await sign(), { client_id: bank.clientId.toUpperCase() })).status).toBe(200);
  });

  test("whatever the header says", async () => {
    expect((await exchangeFor(await sign(), {}, { authorization: "sk_wrong" })).status).toBe(200);
  });

  test("and no line of the log has the assertion", async () => {
    const lines: unknown[] = [];
    for (const level of ["info", "warn", "error"] as const)
      vi.spyOn(log, level).mockImplementation((...line) => void lines.push(line));
    const assertion = await sign();
    await exchangeFor(assertion);
    await exchangeFor(assertion);
    expect(JSON.stringify(lines)).not.toContain(assertion.slice(-40));
  });
});

describe("an assertion gets 401 invalid_client", () => {
  const unverified = /no key of an active credential/;
  test.each<[string, () => Promise<string>, RegExp]>([
    ["for another audience", () => sign({ aud: "https://other.example.com/auth/token" }), /aud must be https:/],
    ["for the address without its path", () => sign({ aud: "https://api.example.com" }), /aud must be/],
    ["without an audience", () => sign({ aud: undefined }), /aud must be/],
    ["whose iss is no client id", () => sign({ iss: "bank", sub: "bank" }), /iss and sub/],
    ["whose sub is another one", () => sign({ sub: randomUUID() }), /iss and sub/],
    ["without sub", () => sign({ sub: undefined }), /iss and sub/],
    ["whose iss is a number", () => sign({ iss: 7, sub: 7 }), /iss and sub/],
    ["that has expired", () => sign({ exp: now() - 61 }), /exp has passed/],
    ["without an end", () => sign({ exp: undefined }), /exp is missing/],
    ["whose end is a text", () => sign({ exp: String(now() + 60) }), /exp is missing or not valid/],
    ["that ends in an hour", () => sign({ exp: now() + 3600 }), /at most 5 minutes/],
    ["that begins later", () => sign({ nbf: now() + 120 }), /nbf is missing or not valid/],
    ["without jti", () => sign({ jti: undefined }), /jti is missing/],
    ["whose jti is empty", () => sign({ jti: "" }), /jti must be/],
    ["whose jti is a number", () => sign({ jti: 7 }), /jti must be/],
    ["whose jti is too long", () => sign({ jti: "x".repeat(256) }), /jti must be/],
    [
      "of another client id",
      () => sign({ iss: "6f9619ff-8b86-4d01-b42d-00cf4fc964ff", sub: "6f9619ff-8b86-4d01-b42d-00cf4fc964ff" }),
      unverified,
    ],
    ["with an unknown kid", () => sign({}, { kid: "gone" }), unverified],
    ["without a kid, if there are several keys", () => sign({}, { kid: undefined }), unverified],
    ["of another key with the same kid", async () => sign({}, {}, await newProgramKey("ec")), unverified],
    ["whose signature was changed", async () => `${(await sign()).slice(0, -6)}AAAAAA`, unverified],
    ["whose claims were changed", async () => tampered(await sign(), { jti: "other" }), unverified],
    ["with an algorithm of another key", () => sign({}, { kid: "rsa" }), /alg is not an algorithm of this key/],
    ["with RS512", async () => sign({}, {}, await newProgramKey("rsa", "RS512")), /alg must be one of/],
    ["that is no token", async () => "abc", /no signed JWT/],
    ["with five parts", async () => "a.b.c.d.e", /no signed JWT/],
  ])("%s", async (_, make, reason) => {
    const assertion = await make();
    const { status, json } = await exchangeFor(assertion);
    expect([status, json.code]).toEqual([401, "client_assertion_rejected"]);
    expect(json.message).toMatch(reason);
    const form = await exchangeFor(assertion, {}, { asForm: true });
    expect([form.status, form.json.error]).toEqual([401, "invalid_client"]);
  });

  test("without a signature, or signed with the public key as the secret of HMAC", async () => {
    const publicKey = (await importJWK(key.jwk, "ES256")) as CryptoKey;
    for (const assertion of await withoutKey(await sign(), "ec", publicKey))
      expect((await exchangeFor(assertion)).json.message).toMatch(/alg must be/);
  });

  test("next to another client_id", async () => {
    const { status, json } = await exchangeFor(await sign(), { client_id: randomUUID() });
    expect([status, json.message]).toEqual([401, expect.stringMatching(/client_id/)]);
  });

  test("after the revocation of the credential", async () => {
    const own = await newProgramKey("own");
    const clientId = await givenBank(own);
    expect((await exchangeFor(await signAssertion(clientId, own))).status).toBe(200);
    await revokeCredential(table(), clientId);
    const { status, json } = await exchangeFor(await signAssertion(clientId, own));
    expect([status, json.message]).toEqual([401, expect.stringMatching(unverified)]);
  });

  test("the second time, also with another content and the same jti", async () => {
    const jti = randomUUID();
    const assertion = await sign({ jti });
    expect((await exchangeFor(assertion)).status).toBe(200);
    for (const again of [assertion, await sign({ jti, exp: now() + 90 }), await sign({ jti }, {}, rsa)]) {
      const { status, json } = await exchangeFor(again);
      expect([status, json.code, json.message]).toEqual([
        401,
        "client_assertion_rejected",
        expect.stringMatching(/already exchanged/),
      ]);
      const form = await exchangeFor(again, {}, { asForm: true });
      expect([form.status, form.json.error]).toEqual([401, "invalid_client"]);
    }
  });
});

test("an unknown client, an ended one, an unknown key and a wrong signature get equal responses", async () => {
  const none = randomUUID();
  const assertions = [
    await signAssertion(none, key),
    await sign({}, { kid: "gone" }),
    await sign({}, {}, await newProgramKey("ec")),
  ];
  const answers = await Promise.all(assertions.map((assertion) => exchangeFor(assertion)));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
});

test("a rejected assertion costs at most one read, and none if it is not for this service", async () => {
  const calls = interceptCalls(table());
  let made = 0;
  calls.before = () => void made++;
  const count = async (assertion: string) => {
    made = 0;
    await exchangeFor(assertion);
    return made;
  };
  expect(await count(await sign({ aud: "https://other.example.com" }))).toBe(0);
  expect(await count(await sign({}, { kid: "gone" }))).toBe(1);
  calls.before = () => undefined;
});

test.each<[string, Record<string, unknown>, string[]]>([
  ["no type", { client_assertion: "x" }, ["body.client_assertion_type"]],
  ["another type", { client_assertion: "x", client_assertion_type: "saml" }, ["body.client_assertion_type"]],
  ["no assertion", { client_assertion_type: clientAssertionType }, ["body.client_assertion"]],
  ["a list", { client_assertion: ["x"], client_assertion_type: clientAssertionType }, ["body.client_assertion"]],
  [
    "a secret, too",
    { client_assertion: "x", client_assertion_type: clientAssertionType, client_id: randomUUID(), client_secret: "x" },
    ["body.client_secret"],
  ],
])("a request with %s gets 422", async (_, sent, fields) => {
  const { status, json } = await exchange({ grant_type: "client_credentials", ...sent });
  expect([status, Object.keys(json.fields)]).toEqual([422, fields]);
});

test("an ID token is not accepted as a client assertion, nor the reverse", async () => {
  const asIdToken = await exchange({ grant_type: jwtBearer, assertion: await sign(), sp_id: bank.spId });
  expect([asIdToken.status, asIdToken.json.code]).toEqual([401, "assertion_rejected"]);
});

test("of 200 simultaneous exchanges with one replayed assertion, each assertion gets one token", async () => {
  const clients = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const own = await newProgramKey("own");
      return { clientId: await givenBank(own), own };
    }),
  );
  const fresh = await Promise.all(
    Array.from({ length: 150 }, (_, n) => {
      const { clientId, own } = clients[n % 3] as (typeof clients)[number];
      return signAssertion(clientId, own);
    }),
  );
  const [replayed = ""] = fresh;
  const sent = [...fresh, ...Array.from({ length: 50 }, () => replayed)];
  const statuses = (await Promise.all(sent.map((assertion) => exchangeFor(assertion)))).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(150);
  expect(statuses.filter((status) => status === 401)).toHaveLength(50);
});
