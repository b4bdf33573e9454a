import { randomUUID } from "node:crypto";
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from "jose";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { AccessScope } from "../../../shared/api/enumerations.ts";
import { credential } from "../../../shared/api/schemas/credential.ts";
import { serviceProviderScopes } from "../../../shared/auth/scopes.ts";
import { replayEntry } from "../../../shared/domain/crbs/replayJournal.ts";
import { sweepExpiredCredentials } from "../../../shared/domain/crbs/sweepExpiredCredentials.ts";
import { serviceBucket } from "../../../shared/domain/documents/bucket.ts";
import { listJournal } from "../../../shared/domain/documents/journal.ts";
import { log } from "../../../shared/platform/aws/log.ts";
import { credentialKey } from "../../../shared/store/keys/credentials.ts";
import { newProgramKey, type ProgramKey, signAssertion } from "../../programKeys.ts";
import { TestClock } from "../../shared/store/orderedList/listUnderTest.ts";
import { useTestBucket } from "../../useTestBucket.ts";
import { useTestTable } from "../../useTestTable.ts";
import { callHandler, givenServiceProvider } from "../callHandler.ts";

// Public keys of credentials (docs/spec.md#keys-of-programs): who may set which, and when they end.

const table = useTestTable();
useTestBucket();

let first: ProgramKey;
let second: ProgramKey;
beforeAll(async () => {
  [first, second] = await Promise.all([newProgramKey("first"), newProgramKey("second", "RS256")]);
});

async function givenBank() {
  const bank = await givenServiceProvider(table());
  const set = (keys: unknown, clientId = bank.clientId, authorization = bank.secret) =>
    bank.call("setCredentialKeys", { path: { client_id: clientId }, body: { keys }, authorization });
  const exchange = async (clientId: string, key: ProgramKey, scope?: AccessScope[]) => {
    const body = {
      grant_type: "client_credentials",
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: await signAssertion(clientId, key),
      scope,
    };
    const { status, json } = await callHandler("exchangeToken", { body });
    return { status, token: json.access_token as string };
  };
  const read = async (authorization: string) => (await bank.call("getServiceProvider", { authorization })).status;
  const revoke = (client_id: string, authorization: string, query = {}) =>
    bank.call("revokeCredential", { path: { client_id }, query, authorization });
  const events = async () => {
    const { json } = await bank.call("listEvents", { query: { limit: 100 } });
    return json.data.filter(({ type }: { type: string }) => type === "credential.changed");
  };
  return { ...bank, set, exchange, read, revoke, events };
}

describe("the keys of a credential", () => {
  test("are shown in its record, by id, thumbprint and date, without the keys", async () => {
    const bank = await givenBank();
    const { status, json, text } = await bank.set([first.jwk, second.jwk]);
    expect(status).toBe(200);
    const { keys } = credential.parse(json);
    expect(keys.map(({ kid }) => kid)).toEqual(["first", "second"]);
    expect(keys[0]).toMatchObject({
      thumbprint: await calculateJwkThumbprint(first.jwk),
      created_by: bank.clientId,
      created_by_person: null,
    });
    expect(text).not.toContain(first.jwk.x);
    const { json: listed } = await bank.call("listCredentials");
    expect(listed.data[0].keys).toEqual(keys);
    expect(await bank.events()).toMatchObject([{ data: { client_id: bank.clientId } }]);
  });

  test("change nothing if they are the same, and keep the date of those that stay", async () => {
    const bank = await givenBank();
    const { json } = await bank.set([first.jwk]);
    expect((await bank.set([{ ...first.jwk, x5t: "ignored" }])).json.keys).toEqual(json.keys);
    expect(await bank.events()).toHaveLength(1);
    const { json: both } = await bank.set([second.jwk, first.jwk]);
    expect(both.keys[0]).toEqual(json.keys[0]);
  });

  test("are replaced without a gap: both work, then only the new one, and tokens of the old one end", async () => {
    const bank = await givenBank();
    await bank.set([first.jwk]);
    const old = await bank.exchange(bank.clientId, first);
    await bank.set([first.jwk, second.jwk]);
    const next = await bank.exchange(bank.clientId, second);
    expect([old.status, next.status]).toEqual([200, 200]);
    expect([await bank.read(old.token), await bank.read(next.token)]).toEqual([200, 200]);
    await bank.set([second.jwk]);
    expect([await bank.read(old.token), await bank.read(next.token)]).toEqual([401, 200]);
    expect((await bank.exchange(bank.clientId, first)).status).toBe(401);
  });

  test("may be replaced by five others, and be none", async () => {
    const bank = await givenBank();
    const five = await Promise.all([1, 2, 3, 4, 5].map((n) => newProgramKey(`k${n}`)));
    expect((await bank.set(five.map(({ jwk }) => jwk))).json.keys).toHaveLength(5);
    expect((await bank.set([])).json.keys).toEqual([]);
    expect((await bank.exchange(bank.clientId, five[0] as ProgramKey)).status).toBe(401);
  });

  test("can be all that a credential has: the operator issues it without a secret", async () => {
    const bank = await givenBank();
    const { jwk } = first;
    const thumbprint = await calculateJwkThumbprint(jwk);
    const { kid, kty, crv, x, y } = jwk as Required<JWK>;
    const stored = { kid, jwk: { kty: kty as "EC", crv, x, y }, added_at: new Date().toISOString() };
    const publicKeys = { [thumbprint]: { ...stored, added_by: null, added_by_person: null, ends_with: [] } };
    const pair = await bank.another(serviceProviderScopes, { publicKeys });
    expect(await bank.read(pair.secret)).toBe(401);
    const { status, token } = await bank.exchange(pair.client_id, first);
    expect([status, await bank.read(token)]).toEqual([200, 200]);
    const { status: refused, json } = await bank.set([], pair.client_id);
    expect([refused, json.fields["body.keys"].message]).toEqual([422, expect.stringContaining("no secret")]);
  });
});

describe("a set is rejected with the place of its fault", () => {
  const made = async (alg: string, options = {}) => {
    const pair = await generateKeyPair(alg, { extractable: true, ...options });
    return { ...(await exportJWK(pair.publicKey)), kid: "x" };
  };
  test.each<[string, () => unknown, string]>([
    ["a private EC key", async () => [first.jwk, await first.privateJwk()], "body.keys.1.d"],
    ["a private RSA key", async () => [await second.privateJwk()], "body.keys.0.qi"],
    ["a secret for HMAC", () => [{ kty: "oct", kid: "x", k: "c2VjcmV0" }], "body.keys.0.kty"],
    ["a secret next to a public key", () => [{ ...first.jwk, k: "c2VjcmV0" }], "body.keys.0.k"],
    ["an RSA key of 1024 bits", () => [{ ...second.jwk, n: "v".repeat(171) }], "body.keys.0.n"],
    ["an RSA key with leading zeros", () => [{ ...second.jwk, n: "A".repeat(171) + "v".repeat(171) }], "body.keys.0"],
    ["an RSA key of 8192 bits", () => [{ ...second.jwk, n: "v".repeat(1366) }], "body.keys.0.n"],
    ["an RSA key with the exponent 1", () => [{ ...second.jwk, e: "AQ" }], "body.keys.0.e"],
    ["a curve that is not P-256", () => made("ES384").then((jwk) => [jwk]), "body.keys.0.crv"],
    ["an Ed25519 key", () => made("EdDSA").then((jwk) => [jwk]), "body.keys.0.kty"],
    ["a point outside the curve", () => [first.jwk, { ...first.jwk, kid: "y", y: first.jwk.x }], "body.keys.1"],
    ["a key without a kid", () => [{ ...first.jwk, kid: undefined }], "body.keys.0.kid"],
    ["a kid that is too long", () => [{ ...first.jwk, kid: "k".repeat(65) }], "body.keys.0.kid"],
    ["a kid with a space", () => [{ ...first.jwk, kid: "a b" }], "body.keys.0.kid"],
    ["a kid twice", () => [first.jwk, { ...second.jwk, kid: "first" }], "body.keys.1.kid"],
    ["a key twice", () => [first.jwk, { ...first.jwk, kid: "again" }], "body.keys.1"],
    ["a key for encryption", () => [{ ...first.jwk, use: "enc" }], "body.keys.0.use"],
    ["an algorithm of another type of key", () => [{ ...first.jwk, alg: "RS256" }], "body.keys.0.alg"],
    ["six keys", () => Array.from({ length: 6 }, (_, n) => ({ ...first.jwk, kid: `k${n}` })), "body.keys"],
    ["no list", () => "keys", "body.keys"],
  ])("%s", async (_, make, place) => {
    const bank = await givenBank();
    const lines = vi.spyOn(log, "info");
    const { status, json, text } = await bank.set(await make());
    expect([status, Object.keys(json.fields)]).toEqual([422, expect.arrayContaining([place])]);
    const secrets = [first, second].map(async (key) => (await key.privateJwk()).d as string);
    for (const d of await Promise.all(secrets)) {
      expect(text).not.toContain(d);
      expect(JSON.stringify(lines.mock.calls)).not.toContain(d);
    }
    lines.mockRestore();
    expect(await bank.events()).toEqual([]);
  });
});

describe("no caller gives keys more than it has itself", () => {
  const writes: AccessScope[] = ["service-provider:read", "service-provider:write", "create-crb-api-key:write"];

  test("a scope that it lacks", async () => {
    const bank = await givenBank();
    const narrow = await bank.another(writes);
    const { status, json } = await bank.set([first.jwk], bank.clientId, narrow.secret);
    expect([status, json.code, json.message]).toEqual([403, "scope_missing", expect.stringMatching(/point-of-sale/)]);
    expect((await bank.set([first.jwk], narrow.client_id, narrow.secret)).status).toBe(200);
    expect((await bank.set([second.jwk], narrow.client_id)).status).toBe(200);
  });

  test("a scope that only its credential has, not its token", async () => {
    const bank = await givenBank();
    await bank.set([first.jwk]);
    const { token } = await bank.exchange(bank.clientId, first, writes);
    expect((await bank.set([second.jwk], bank.clientId, token)).json.code).toBe("scope_missing");
  });

  test("addresses from which it may not be used", async () => {
    const bank = await givenBank();
    const limited = await bank.another(serviceProviderScopes, { allowedCidrs: ["192.0.2.0/24"] });
    const within = await bank.another(serviceProviderScopes, { allowedCidrs: ["192.0.2.7/32"] });
    const set = (client_id: string) =>
      bank.call("setCredentialKeys", {
        path: { client_id },
        body: { keys: [first.jwk] },
        authorization: limited.secret,
        sourceIp: "192.0.2.9",
      });
    expect((await set(bank.clientId)).json.code).toBe("address_not_allowed");
    expect((await set(within.client_id)).status).toBe(200);
    expect((await set(limited.client_id)).status).toBe(200);
  });

  test("keys for a credential of another service provider, for an unknown one, or for one that has ended", async () => {
    const [bank, other] = [await givenBank(), await givenBank()];
    expect((await bank.set([first.jwk], other.clientId)).status).toBe(404);
    expect((await bank.set([first.jwk], randomUUID())).status).toBe(404);
    const ended = await bank.another();
    await bank.revoke(ended.client_id, bank.secret);
    const { status, json } = await bank.set([first.jwk], ended.client_id);
    expect([status, json.code]).toEqual([409, "status_not_allowed"]);
  });

  test("a pair of a CRB can have keys, too", async () => {
    const bank = await givenBank();
    const { json: pair } = await bank.call("createCrbAccess");
    const { status, json } = await bank.set([first.jwk], pair.client_id);
    expect([status, json.owner.kind, json.keys.length]).toEqual([200, "crb", 1]);
    expect((await bank.exchange(pair.client_id, first)).status).toBe(200);
  });
});

describe("keys end", () => {
  test("with their credential, and so do tokens", async () => {
    const bank = await givenBank();
    const program = await bank.another();
    await bank.set([first.jwk], program.client_id);
    const { token } = await bank.exchange(program.client_id, first);
    await bank.revoke(program.client_id, bank.secret);
    expect(await bank.read(token)).toBe(401);
    expect((await bank.exchange(program.client_id, first)).status).toBe(401);
  });

  test("and their tokens with them, even if the same key is added again", async () => {
    const bank = await givenBank();
    const program = await bank.another();
    const setAll = (...keys: ProgramKey[]) =>
      bank.set(
        keys.map(({ jwk }) => jwk),
        program.client_id,
      );
    await setAll(first, second);
    const { token } = await bank.exchange(program.client_id, first);
    const { token: kept } = await bank.exchange(program.client_id, second);
    await setAll(second);
    expect([await bank.read(token), await bank.read(kept)]).toEqual([401, 200]);
    await setAll(first, second);
    expect([await bank.read(token), await bank.read(kept)]).toEqual([401, 200]);
    const { token: fresh } = await bank.exchange(program.client_id, first);
    expect(await bank.read(fresh)).toBe(200);
  });

  test("with the credential that added them, also through another key, but not those of others", async () => {
    const bank = await givenBank();
    const [thief, program, third] = [await bank.another(), await bank.another(), await bank.another()];
    const planted = await newProgramKey("planted");
    const further = await newProgramKey("further");
    await bank.set([first.jwk], program.client_id);
    await bank.set([first.jwk, planted.jwk], program.client_id, thief.secret);
    const { token } = await bank.exchange(program.client_id, planted);
    // The thief uses the planted key to add another one elsewhere.
    await bank.set([further.jwk], third.client_id, token);
    const { token: last } = await bank.exchange(third.client_id, further);
    expect([await bank.read(token), await bank.read(last)]).toEqual([200, 200]);
    const before = (await bank.events()).length;
    await bank.revoke(thief.client_id, bank.secret);
    expect([await bank.read(token), await bank.read(last)]).toEqual([401, 401]);
    expect((await bank.exchange(program.client_id, planted)).status).toBe(401);
    expect((await bank.exchange(third.client_id, further)).status).toBe(401);
    expect((await bank.exchange(program.client_id, first)).status).toBe(200);
    expect((await bank.events()).length - before).toBe(2);
  });

  test("not if the revocation keeps what the credential made", async () => {
    const bank = await givenBank();
    const [old, program] = [await bank.another(), await bank.another()];
    await bank.set([first.jwk], program.client_id, old.secret);
    await bank.revoke(old.client_id, bank.secret, { keep_made: "true" });
    expect((await bank.exchange(program.client_id, first)).status).toBe(200);
  });

  test("when the credential that added them expires", async () => {
    const bank = await givenBank();
    const soon = new Date(Date.now() + 60_000);
    const [old, program] = [await bank.another(serviceProviderScopes, { expiresAt: soon }), await bank.another()];
    await bank.set([first.jwk], program.client_id, old.secret);
    const clock = new TestClock(new Date(Date.now() + 600_000).toISOString());
    await sweepExpiredCredentials({ table: table(), bucket: serviceBucket() }, clock);
    expect((await bank.exchange(program.client_id, first)).status).toBe(401);
  });

  test("again after a restore of the table, unless they were added after their end", async () => {
    const bank = await givenBank();
    await bank.set([first.jwk]);
    const restored = await table().get(credentialKey(bank.clientId), { consistent: true });
    const since = new Date();
    await bank.set([second.jwk]);
    await table().put({ ...credentialKey(bank.clientId), ...restored });
    const stores = { table: table(), bucket: serviceBucket() };
    const replay = async () => {
      const places = await listJournal(stores.bucket, since);
      const results = places.filter(({ kind }) => kind === "key").map((place) => replayEntry(stores, place));
      return (await Promise.all(results)).map(({ outcome }) => outcome);
    };
    expect(await replay()).toEqual(["done"]);
    expect((await bank.exchange(bank.clientId, first)).status).toBe(401);
    await bank.set([first.jwk]);
    expect(await replay()).toEqual(["absent"]);
    expect((await bank.exchange(bank.clientId, first)).status).toBe(200);
  });
});

test("of simultaneous changes none is lost without a trace: the last one holds", async () => {
  const bank = await givenBank();
  const keys = await Promise.all([1, 2, 3, 4].map((n) => newProgramKey(`k${n}`)));
  const answers = await Promise.all(keys.map(({ jwk }) => bank.set([jwk])));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(await bank.events()).toHaveLength(4);
});
