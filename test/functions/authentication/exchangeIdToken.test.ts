import { randomUUID } from "node:crypto";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { demoServiceProvider } from "../../../infra/local/demoBusinesses.ts";
import type { PersonRole } from "../../../shared/api/enumerations.ts";
import { jwtBearer, tokenResponse } from "../../../shared/api/schemas/token.ts";
import { issueCredential } from "../../../shared/auth/credentials.ts";
import { revokeCredential } from "../../../shared/auth/revoke.ts";
import { serviceProviderScopes } from "../../../shared/auth/scopes.ts";
import { serviceBucket } from "../../../shared/domain/documents/bucket.ts";
import { setIdentityProvider } from "../../../shared/domain/identityProviders/setIdentityProvider.ts";
import { log } from "../../../shared/platform/aws/log.ts";
import { putServiceProvider } from "../../../shared/store/crbs.ts";
import { endedPersonKey, personKey } from "../../../shared/store/keys/credentials.ts";
import { newSigningKey, testClientId, useIdentityProvider } from "../../testIdentityProvider.ts";
import { useTestBucket } from "../../useTestBucket.ts";
import { useTestTable } from "../../useTestTable.ts";
import { callHandler } from "../callHandler.ts";
import { exchange, tampered, withoutKey } from "./callExchange.ts";

// Sign-in of persons (docs/spec.md#sign-in-of-persons) by hand-made ID tokens: what each of them gets.

const table = useTestTable();
useTestBucket();
const provider = useIdentityProvider();
let spId = "";
let secret = "";

const roles = [
  { claim: "groups", value: "Staff", role: "viewer" as PersonRole },
  { claim: "groups", value: "Compliance", role: "reviewer" as PersonRole },
  { claim: "title", value: "Compliance lead", role: "administrator" as PersonRole },
];

/** A service provider with an identity provider. Each has another client id there. */
async function givenBank(client_id: string, customers = false) {
  const id = randomUUID();
  await putServiceProvider(table(), { ...demoServiceProvider, id });
  const owner = { kind: "serviceProvider" as const, id };
  const issue = (allowedCidrs?: string[]) =>
    issueCredential(table(), { owner, spId: id, scopes: serviceProviderScopes, allowedCidrs });
  const { client_id: clientId, secret } = await issue();
  const settings = { short_name: `bank-${id.slice(0, 8)}`, issuer: provider.issuer, client_id, customers, roles };
  const stores = { table: table(), bucket: serviceBucket() };
  /** Sets the identity provider by a credential of the service provider. */
  const setBy = (by: string, { allowedCidrs, ...more }: { allowedCidrs?: string[]; customers?: boolean } = {}) => {
    const actor = {
      clientId: by,
      owner,
      spId: id,
      scopes: serviceProviderScopes,
      ...(allowedCidrs && { allowedCidrs }),
    };
    return setIdentityProvider(stores, id, { ...settings, ...more }, actor);
  };
  await setBy(clientId);
  return { id, clientId, secret, issue, setBy };
}

beforeAll(async () => {
  const bank = await givenBank(testClientId);
  spId = bank.id;
  secret = bank.secret;
});
beforeEach(() => {
  // Keys that an earlier test has read are older than any cache.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 * ++hours });
});
let hours = 0;
afterEach(() => {
  vi.useRealTimers();
  provider.answer = undefined;
});

const exchangeFor = (assertion: string, sp_id = spId, options = {}) =>
  exchange({ grant_type: jwtBearer, assertion, sp_id }, options);

const read = async (authorization: string, sp_id = spId) =>
  (await callHandler("getServiceProvider", { path: { sp_id }, authorization })).status;

describe("a person gets a token", () => {
  test("with the operations of the role and the person's name, for an hour", async () => {
    const { status, json } = await exchangeFor(await provider.sign());
    expect(status).toBe(200);
    expect(tokenResponse.parse(json)).toMatchObject({
      expires_in: 3600,
      scope: ["service-provider:read", "point-of-sale:read", "service-provider:write"],
      person: { sub: "00u1", name: "Ana Ruiz", role: "reviewer" },
    });
    expect(await read(json.access_token)).toBe(200);
  });

  test("as a form, as OAuth 2 libraries send it, and with fewer scopes", async () => {
    const sent = { grant_type: jwtBearer, assertion: await provider.sign(), sp_id: spId, scope: "point-of-sale:read" };
    const { status, json } = await exchange(sent, { asForm: true });
    expect([status, json.scope]).toEqual([200, "point-of-sale:read"]);
    expect(await read(json.access_token)).toBe(403);
  });

  test.each(["RS256", "ES256", "PS256"])("signed with %s", async (alg) => {
    const key = await newSigningKey(alg, alg);
    provider.keys.push(key);
    expect((await exchangeFor(await provider.sign({}, key))).status).toBe(200);
  });

  test.each<[string, Record<string, unknown>, PersonRole]>([
    ["a list", { groups: ["Other", "Staff"] }, "viewer"],
    ["a text", { groups: undefined, title: "Compliance lead" }, "administrator"],
    ["several claims: the widest role", { title: "Compliance lead" }, "administrator"],
    ["several values: the widest role", { groups: ["Staff", "Compliance"] }, "reviewer"],
  ])("with the role of %s", async (_, claims, role) => {
    const { json } = await exchangeFor(await provider.sign(claims));
    expect(json.person?.role).toBe(role);
  });

  test.each<[string, unknown, string | null]>([
    ["Unicode", "Zoë 李 Ōyama", "Zoë 李 Ōyama"],
    ["invisible characters", "A\u202ena\u200b Ruiz\u0000", "Ana Ruiz"],
    ["only invisible characters", "\u200b\u2060", null],
    ["no name", undefined, null],
  ])("with a name of %s", async (_, name, shown) => {
    const { status, json } = await exchangeFor(await provider.sign({ name }));
    expect([status, json.person?.name]).toEqual([200, shown]);
    expect(await table().get(personKey(spId, "00u1"))).toMatchObject({ sub: "00u1", name: shown });
  });

  test("if the identity provider has just changed its key", async () => {
    await exchangeFor(await provider.sign());
    provider.keys.unshift(await newSigningKey("next"));
    vi.setSystemTime(Date.now() + 61_000);
    expect((await exchangeFor(await provider.sign())).status).toBe(200);
  });

  test("and the log has the person's id but neither the name nor the ID token", async () => {
    const lines: unknown[][] = [];
    const spies = (["info", "warn", "error"] as const).map((level) =>
      vi.spyOn(log, level).mockImplementation((...line) => void lines.push(line)),
    );
    const assertion = await provider.sign({ sub: "00u7" });
    const { json } = await exchangeFor(assertion);
    await read(json.access_token);
    for (const spy of spies) spy.mockRestore();
    const text = JSON.stringify(lines);
    expect(lines.map(([, entry]) => (entry as { sub?: string }).sub)).toEqual(["00u7", "00u7"]);
    for (const secret of ["Ana", assertion.slice(-40), json.access_token]) expect(text).not.toContain(secret);
  });
});

const now = () => Math.floor(Date.now() / 1000);

describe("an ID token gets 401 invalid_grant", () => {
  test.each<[string, () => Promise<string>, RegExp]>([
    ["of another issuer", () => provider.sign({ iss: "https://login.example.org" }), /iss must be/],
    ["for another application", () => provider.sign({ aud: "other" }), /aud must be/],
    ["without an audience", () => provider.sign({ aud: undefined }), /aud must be/],
    ["for several applications without azp", () => provider.sign({ aud: [testClientId, "other"] }), /azp must be/],
    ["issued to another application", () => provider.sign({ azp: "other" }), /azp must be/],
    ["that has expired", () => provider.sign({ exp: now() - 61 }), /has expired/],
    ["without an end", () => provider.sign({ exp: undefined }), /exp is missing/],
    ["whose end is a text", () => provider.sign({ exp: String(now() + 60) }), /exp is missing or not valid/],
    ["of more than ten minutes ago", () => provider.sign({ iat: now() - 661, exp: now() + 60 }), /10 minutes ago/],
    ["of the future", () => provider.sign({ iat: now() + 120, exp: now() + 600 }), /iat is missing or not valid/],
    ["without a time of issue", () => provider.sign({ iat: undefined }), /iat is missing/],
    ["that begins later", () => provider.sign({ nbf: now() + 120 }), /nbf is missing or not valid/],
    ["without sub", () => provider.sign({ sub: undefined }), /sub is missing/],
    ["whose sub is a number", () => provider.sign({ sub: 7 }), /sub must be a text/],
    ["whose sub is empty", () => provider.sign({ sub: "" }), /sub must be a text/],
    ["whose sub is too long", () => provider.sign({ sub: "x".repeat(256) }), /sub must be a text/],
    ["whose name is a list", () => provider.sign({ name: ["Ana"] }), /name must be a text/],
    ["whose name is too long", () => provider.sign({ name: "x".repeat(256) }), /name must be a text/],
    ["whose claims were changed", async () => tampered(await provider.sign(), { title: "x" }), /signature/],
    ["whose signature was changed", async () => `${(await provider.sign()).slice(0, -6)}AAAAAA`, /signature/],
    ["of another key with the same id", async () => provider.sign({}, await newSigningKey("first")), /signature/],
    ["with the id of no key", async () => provider.sign({}, await newSigningKey("gone")), /no key with its kid/],
    [
      "signed with an algorithm that is not permitted",
      async () => provider.sign({}, await newSigningKey("first", "RS512")),
      /alg must be/,
    ],
    ["that is no token", async () => "abc", /no signed JWT/],
    ["with five parts", async () => "a.b.c.d.e", /no signed JWT/],
  ])("%s", async (_, make, reason) => {
    const assertion = await make();
    const { status, json } = await exchangeFor(assertion);
    expect([status, json.code]).toEqual([401, "assertion_rejected"]);
    expect(json.message).toMatch(reason);
    const form = await exchangeFor(assertion, spId, { asForm: true });
    expect([form.status, form.json.error]).toEqual([401, "invalid_grant"]);
  });

  test("without a signature, or signed with the public key as the secret of HMAC", async () => {
    const publicKey = provider.keys.at(-1)?.publicKey ?? expect.fail();
    for (const assertion of await withoutKey(await provider.sign(), "first", publicKey))
      expect((await exchangeFor(assertion)).json.message).toMatch(/alg must be/);
  });

  test("that was already exchanged, also with another signature of the same token", async () => {
    const key = await newSigningKey("ec", "ES256");
    provider.keys.push(key);
    const token = await provider.sign({}, key);
    expect((await exchangeFor(token)).status).toBe(200);
    const again = await exchangeFor(token);
    expect([again.status, again.json.message]).toEqual([401, expect.stringContaining("already exchanged")]);
    expect((await exchangeFor(malleable(token))).json.message).toMatch(/already exchanged/);
    // Repetitions take none of the places of live tokens.
    for (let i = 0; i < 100; i++) expect((await exchangeFor(token)).status).toBe(401);
    expect((await exchangeFor(await provider.sign({}, key))).status).toBe(200);
  });

  test("that was already exchanged before a change of the settings", async () => {
    // The change writes to the journal, whose store rejects other times.
    vi.useRealTimers();
    const bank = await givenBank("changed-settings");
    const token = await provider.sign({ aud: "changed-settings" });
    expect((await exchangeFor(token, bank.id)).status).toBe(200);
    await bank.setBy(bank.clientId, { customers: true });
    expect((await exchangeFor(token, bank.id)).json.message).toMatch(/already exchanged/);
    expect((await exchangeFor(await provider.sign({ aud: "changed-settings" }), bank.id)).status).toBe(200);
  });

  test("of another bank with the same issuer", async () => {
    const other = await givenBank("other-bank");
    const theirs = await provider.sign({ aud: "other-bank" });
    expect((await exchangeFor(theirs, spId)).json.message).toMatch(/aud must be/);
    expect((await exchangeFor(theirs, other.id)).status).toBe(200);
  });

  test("for a service provider without an identity provider, or an unknown one", async () => {
    expect((await exchangeFor(await provider.sign(), randomUUID())).json.message).toMatch(/no identity provider/);
  });

  test("after the operator has ended the access of the person", async () => {
    await table().put({ ...endedPersonKey(spId, "00u9") });
    expect((await exchangeFor(await provider.sign({ sub: "00u9" }))).json.message).toMatch(/ended the access/);
    expect((await exchangeFor(await provider.sign({ sub: "00u8" }))).status).toBe(200);
  });
});

/** The order of the curve P-256. */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** The other signature that ES256 accepts for a token: -s in place of s. */
function malleable(token: string): string {
  const [header, payload, signature = ""] = token.split(".");
  const bytes = Buffer.from(signature, "base64url");
  const s = BigInt(`0x${bytes.subarray(32).toString("hex")}`);
  const other = Buffer.from((order - s).toString(16).padStart(64, "0"), "hex");
  return [header, payload, Buffer.concat([bytes.subarray(0, 32), other]).toString("base64url")].join(".");
}

test.each<[string, Record<string, unknown>]>([
  ["no claim", { groups: undefined }],
  ["another value", { groups: ["compliance", "Compliance "] }],
  ["an object", { groups: { Compliance: true } }],
  ["the name of a property of all objects", { groups: undefined, title: undefined, constructor: "Object" }],
])("a person whose claims give no role gets 403: %s", async (_, claims) => {
  const assertion = await provider.sign(claims);
  const { status, json } = await exchangeFor(assertion);
  expect([status, json.code]).toEqual([403, "role_missing"]);
  const form = await exchangeFor(assertion, spId, { asForm: true });
  expect([form.status, form.json.error]).toEqual([403, "unauthorized_client"]);
});

test.each<[string, Record<string, unknown>, string[]]>([
  ["no assertion", { sp_id: randomUUID() }, ["body.assertion"]],
  ["no sp_id", { assertion: "x" }, ["body.sp_id"]],
  ["a malformed sp_id", { assertion: "x", sp_id: "x" }, ["body.sp_id"]],
  ["a number as assertion", { assertion: 7, sp_id: randomUUID() }, ["body.assertion"]],
])("a request with %s gets 422", async (_, sent, fields) => {
  const { status, json } = await exchange({ grant_type: jwtBearer, ...sent });
  expect([status, Object.keys(json.fields)]).toEqual([422, fields]);
});

describe("an identity provider that cannot be read gets 503, which names it", () => {
  test.each<[string, (response: import("node:http").ServerResponse) => void]>([
    ["an error", (response) => void response.writeHead(500).end()],
    ["a redirect", (response) => void response.writeHead(302, { location: "http://169.254.169.254/" }).end()],
    ["10 MB", (response) => void response.end(Buffer.alloc(10_000_000, " "))],
    ["no JSON", (response) => void response.end("<html>")],
    ["a list", (response) => void response.end("[]")],
    [
      "another issuer",
      (response) => void response.end(JSON.stringify({ issuer: "https://x.example.com", jwks_uri: "x" })),
    ],
    [
      "a private address of its keys",
      (response) =>
        void response.end(JSON.stringify({ issuer: provider.issuer, jwks_uri: "http://169.254.169.254/latest" })),
    ],
    [
      "no keys",
      (response) => void response.end(JSON.stringify({ issuer: provider.issuer, jwks_uri: `${provider.issuer}/keys` })),
    ],
    [
      "keys of 10 MB",
      (response) => {
        const isDiscovery = response.req.url?.endsWith("/.well-known/openid-configuration");
        const document = { issuer: provider.issuer, jwks_uri: `${provider.issuer}/keys` };
        response.end(isDiscovery ? JSON.stringify(document) : Buffer.alloc(10_000_000, " "));
      },
    ],
    ["a closed connection", (response) => void response.socket?.destroy()],
  ])("%s", async (_, respond) => {
    provider.answer = (_request, response) => respond(response);
    const { status, json, headers } = await exchangeFor(await provider.sign());
    expect([status, json.code]).toEqual([503, "identity_provider_unavailable"]);
    expect(json.message).toContain(provider.issuer);
    expect(headers?.["Retry-After"]).toBe("10");
  });

  test("a slow response, within four seconds", async () => {
    provider.answer = (_request, response) => void response.write("{");
    const before = performance.now();
    expect((await exchangeFor(await provider.sign())).status).toBe(503);
    expect(performance.now() - before).toBeLessThan(4_000);
  });
});

test("unknown key ids cause at most one reading a minute, and simultaneous requests share one", async () => {
  const unknown = await newSigningKey("unknown");
  const before = provider.reads;
  const tokens = await Promise.all(Array.from({ length: 20 }, () => provider.sign({}, unknown)));
  await Promise.all(tokens.map((token) => exchangeFor(token)));
  expect(provider.reads - before).toBe(1);
  vi.setSystemTime(Date.now() + 61_000);
  for (const token of tokens.slice(0, 5)) await exchangeFor(token);
  expect(provider.reads - before).toBe(2);
});

describe("a key that the identity provider changes", () => {
  test("during a sign-in: the ID token gets 401, is not used up, and gets a token a minute later", async () => {
    await exchangeFor(await provider.sign());
    const next = await newSigningKey("rotated");
    const assertion = await provider.sign({}, next);
    provider.keys.unshift(next);
    expect((await exchangeFor(assertion)).json.message).toMatch(/no key with its kid.*try again in a minute/);
    vi.setSystemTime(Date.now() + 61_000);
    expect((await exchangeFor(assertion)).status).toBe(200);
  });

  test("and withdraws: its ID tokens get 401 five minutes later", async () => {
    const withdrawn = await newSigningKey("withdrawn");
    provider.keys.push(withdrawn);
    expect((await exchangeFor(await provider.sign({}, withdrawn))).status).toBe(200);
    provider.keys.pop();
    vi.setSystemTime(Date.now() + 301_000);
    expect((await exchangeFor(await provider.sign({}, withdrawn))).json.message).toMatch(/no key with its kid/);
  });
});

test("an outage shorter than five minutes ends no sign-in, and sign-ins work ten seconds after a longer one", async () => {
  const status = async () => (await exchangeFor(await provider.sign())).status;
  expect(await status()).toBe(200);
  provider.answer = (_request, response) => void response.socket?.destroy();
  vi.setSystemTime(Date.now() + 290_000);
  expect(await status()).toBe(200);
  vi.setSystemTime(Date.now() + 20_000);
  expect(await status()).toBe(503);
  provider.answer = undefined;
  expect(await status()).toBe(503);
  vi.setSystemTime(Date.now() + 11_000);
  expect(await status()).toBe(200);
});

test("of 200 simultaneous exchanges, a replayed ID token gets one token", async () => {
  const replayed = await provider.sign({ sub: "00u100" });
  const others = await Promise.all(Array.from({ length: 150 }, (_, i) => provider.sign({ sub: `00u2${i % 10}` })));
  const tokens = [...others.slice(0, 75), ...Array<string>(50).fill(replayed), ...others.slice(75)];
  const answers = await Promise.all(tokens.map((token) => exchangeFor(token)));
  const statuses = answers.map(({ status }, i) => [tokens[i] === replayed, status] as const);
  expect(statuses.filter(([isReplayed, status]) => isReplayed && status === 200)).toHaveLength(1);
  expect(statuses.filter(([isReplayed, status]) => isReplayed && status === 401)).toHaveLength(49);
  expect(statuses.filter(([isReplayed, status]) => !isReplayed && status === 200)).toHaveLength(150);
});

test("the revocation of the credential that made the settings ends the tokens of all persons", async () => {
  const bank = await givenBank("revoked-bank");
  const { json } = await exchangeFor(await provider.sign({ aud: "revoked-bank" }), bank.id);
  expect(await read(json.access_token, bank.id)).toBe(200);
  await revokeCredential(table(), bank.clientId);
  expect(await read(json.access_token, bank.id)).toBe(401);
  const again = await exchangeFor(await provider.sign({ aud: "revoked-bank" }), bank.id);
  expect(again.json.message).toMatch(/suspended/);
  // Another credential confirms them.
  await bank.setBy((await bank.issue()).client_id);
  expect((await exchangeFor(await provider.sign({ aud: "revoked-bank" }), bank.id)).status).toBe(200);
  expect(await read(json.access_token, bank.id)).toBe(401);
});

test("persons work only from the addresses of the credential that made the settings", async () => {
  const bank = await givenBank("narrow-bank");
  const allowedCidrs = ["203.0.113.0/24"];
  const { client_id } = await bank.issue(allowedCidrs);
  await bank.setBy(client_id, { allowedCidrs, customers: true });
  const token = await provider.sign({ aud: "narrow-bank" });
  expect((await exchangeFor(token, bank.id)).json.code).toBe("address_not_allowed");
  expect((await exchangeFor(token, bank.id, { sourceIp: "203.0.113.9" })).status).toBe(200);
});

test("the API key of a program is not affected", async () => {
  expect(await read(secret)).toBe(200);
});
