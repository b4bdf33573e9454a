import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { AccessScope, PersonRole } from "../../../shared/api/enumerations.ts";
import { identityProvider, signIn } from "../../../shared/api/schemas/identityProvider.ts";
import { jwtBearer } from "../../../shared/api/schemas/token.ts";
import { listCredentials } from "../../../shared/auth/credentials.ts";
import { serviceProviderScopes } from "../../../shared/auth/scopes.ts";
import { newProgramKey } from "../../programKeys.ts";
import { useIdentityProvider } from "../../testIdentityProvider.ts";
import { useTestBucket } from "../../useTestBucket.ts";
import { useTestTable } from "../../useTestTable.ts";
import { callHandler, givenServiceProvider } from "../callHandler.ts";

// Settings of identity providers (docs/spec.md#identity-provider), and whom they give access.

const table = useTestTable();
useTestBucket();
const provider = useIdentityProvider();

const role = (value: string, of: PersonRole) => ({ claim: "groups", value, role: of });

async function givenBank(scopes: readonly AccessScope[] = serviceProviderScopes) {
  const bank = await givenServiceProvider(table(), scopes);
  const settings = {
    short_name: `bank-${randomUUID().slice(0, 8)}`,
    issuer: provider.issuer,
    client_id: `client-${randomUUID()}`,
    customers: false,
    roles: [role("Staff", "viewer"), role("Leads", "administrator")],
  };
  const set = (changes: Partial<typeof settings> = {}, authorization = bank.secret) =>
    bank.call("setIdentityProvider", { body: { ...settings, ...changes }, authorization });
  const read = (authorization = bank.secret) => bank.call("getIdentityProvider", { authorization });
  const remove = (authorization = bank.secret) => bank.call("deleteIdentityProvider", { authorization });
  const signInAs = async (groups: string[], claims: Record<string, unknown> = {}) => {
    const assertion = await provider.sign({ aud: settings.client_id, groups, ...claims });
    return callHandler("exchangeToken", { body: { grant_type: jwtBearer, assertion, sp_id: bank.spId } });
  };
  const revoke = (client_id: string, authorization: string) =>
    bank.call("revokeCredential", { path: { client_id }, authorization });
  return { ...bank, settings, set, read, remove, signInAs, revoke };
}

const signInOf = (short_name: string) => callHandler("getSignIn", { path: { short_name } });

test("the settings are returned, and lead from the short name to the issuer", async () => {
  const bank = await givenBank();
  const { status, json } = await bank.set();
  expect(status).toBe(200);
  expect(identityProvider.parse(json)).toMatchObject({
    ...bank.settings,
    status: "active",
    changed_by: bank.clientId,
    changed_by_person: null,
  });
  expect((await bank.read()).json).toEqual(json);
  const { issuer, client_id } = bank.settings;
  expect(signIn.parse((await signInOf(bank.settings.short_name)).json)).toMatchObject({
    sp_id: bank.spId,
    issuer,
    client_id,
  });
  const listed = (await listCredentials(table(), bank.spId)).find(({ persons }) => persons);
  expect([listed?.client_id, listed?.issued_by]).toEqual([json.credential_id, bank.clientId]);
});

test("without settings, reads get 404", async () => {
  const bank = await givenBank();
  expect([(await bank.read()).status, (await bank.remove()).status]).toEqual([404, 404]);
  expect((await signInOf(bank.settings.short_name)).status).toBe(404);
});

test.each<[string, Record<string, unknown>, string]>([
  ["a short name with capital letters", { short_name: "Bank" }, "body.short_name"],
  ["a private issuer", { issuer: "https://10.0.0.7/" }, "body.issuer"],
  ["an issuer without TLS", { issuer: "http://login.example.com" }, "body.issuer"],
  ["an issuer with a query", { issuer: "https://login.example.com/?tenant=1" }, "body.issuer"],
  ["a client id with a space", { client_id: "a b" }, "body.client_id"],
  ["no roles", { roles: [] }, "body.roles"],
  ["21 roles", { roles: Array(21).fill(role("x", "viewer")) }, "body.roles"],
  ["an unknown role", { roles: [{ claim: "groups", value: "x", role: "owner" }] }, "body.roles.0.role"],
])("%s gets 422", async (_, changes, field) => {
  const bank = await givenBank();
  const { status, json } = await bank.set(changes as never);
  expect([status, Object.keys(json.fields)]).toEqual([422, [field]]);
});

test("a short name, and an issuer with a client id, belong to one service provider until they are given up", async () => {
  const [one, other] = [await givenBank(), await givenBank()];
  await one.set();
  const { short_name, client_id } = one.settings;
  expect((await other.set({ short_name })).json.code).toBe("short_name_taken");
  expect((await other.set({ client_id })).json.code).toBe("identity_provider_taken");
  expect((await other.read()).status).toBe(404);
  // Simultaneous claims: one wins.
  const [third, fourth] = [await givenBank(), await givenBank()];
  const claims = await Promise.all([third.set({ short_name: "contested" }), fourth.set({ short_name: "contested" })]);
  expect(claims.map(({ status }) => status).sort()).toEqual([200, 409]);
  await one.set({ short_name: `${short_name}-2`, client_id: `${client_id}-2` });
  expect((await other.set({ short_name, client_id })).status).toBe(200);
  await other.remove();
  expect((await one.set({ short_name, client_id })).status).toBe(200);
});

test("a change ends the tokens of all persons, and equal settings change nothing", async () => {
  const bank = await givenBank();
  await bank.set();
  const { json: token } = await bank.signInAs(["Leads"]);
  expect((await bank.read(token.access_token)).status).toBe(200);
  await bank.set();
  expect((await bank.read(token.access_token)).status).toBe(200);
  await bank.set({ customers: true });
  expect((await bank.read(token.access_token)).status).toBe(401);
});

test("each change is an event, next to those of the credentials, also if a person makes it", async () => {
  const bank = await givenBank();
  const changes = () =>
    bank
      .call("listEvents", { query: { limit: "100" } })
      .then(({ json }) =>
        json.data.flatMap(({ type, data }: { type: string; data: Record<string, string> }) =>
          /^(credential\.(created|revoked)|identity_provider)/.test(type)
            ? [[type, data.client_id ?? data.credential_id]]
            : [],
        ),
      );
  const before = await changes();
  const { json: made } = await bank.set();
  const { json: token } = await bank.signInAs(["Leads"]);
  const { json: changed } = await bank.set({ roles: [role("Leads", "administrator")] }, token.access_token);
  expect((await changes()).slice(before.length)).toEqual([
    ["credential.created", made.credential_id],
    ["identity_provider.changed", made.credential_id],
    ["credential.created", changed.credential_id],
    ["identity_provider.changed", changed.credential_id],
    ["credential.revoked", made.credential_id],
  ]);
});

describe("no escalation", () => {
  test("a credential maps no role with a scope that it lacks", async () => {
    const bank = await givenBank();
    const narrow = await bank.another(["service-provider:write", "create-crb-api-key:write", "service-provider:read"]);
    const { status, json } = await bank.set({ roles: [role("Staff", "viewer")] }, narrow.secret);
    expect([status, json.code]).toEqual([403, "scope_missing"]);
    expect(json.message).toContain("point-of-sale:read");
  });

  test("a person who is no administrator cannot set or remove it", async () => {
    const bank = await givenBank();
    await bank.set();
    const { json: token } = await bank.signInAs(["Staff"]);
    for (const answer of [await bank.set({}, token.access_token), await bank.remove(token.access_token)])
      expect(answer.status).toBe(403);
  });

  test("an administrator without customers cannot give customers, and cannot remove the own provider", async () => {
    const bank = await givenBank();
    await bank.set();
    const { json: token } = await bank.signInAs(["Leads"]);
    expect((await bank.set({ customers: true }, token.access_token)).json.code).toBe("role_missing");
    expect((await bank.remove(token.access_token)).json.code).toBe("credential_in_use");
  });

  test("settings that an administrator changes still depend on the credential that made them", async () => {
    const bank = await givenBank();
    await bank.set();
    const { json: token } = await bank.signInAs(["Leads"]);
    const changed = await bank.set({ roles: [role("Leads", "administrator")] }, token.access_token);
    expect(changed.json).toMatchObject({ changed_by_person: { sub: "00u1", name: "Ana Ruiz" }, status: "active" });
    expect((await bank.read(token.access_token)).status).toBe(401);
    const { json: next } = await bank.signInAs(["Leads"]);
    expect((await bank.read(next.access_token)).status).toBe(200);
    const other = await bank.another();
    await bank.revoke(bank.clientId, other.secret);
    expect((await bank.read(next.access_token)).status).toBe(401);
    expect((await bank.read(other.secret)).json.status).toBe("suspended");
    expect((await bank.signInAs(["Leads"])).json.message).toMatch(/suspended/);
    expect((await bank.set({}, other.secret)).json.status).toBe("active");
    expect((await bank.signInAs(["Leads"])).status).toBe(200);
  });

  test("persons have no later end than the credential that made the settings", async () => {
    const bank = await givenBank();
    const expiresAt = new Date(Date.now() + 600_000);
    const brief = await bank.another(serviceProviderScopes, { expiresAt });
    const { json } = await bank.set({}, brief.secret);
    expect(json.expires_date).toBe(expiresAt.toISOString());
    expect((await bank.signInAs(["Staff"])).json.expires_in).toBeLessThanOrEqual(600);
  });
});

describe("what a revocation ends", () => {
  const access = (bank: Awaited<ReturnType<typeof givenBank>>, authorization: string) =>
    bank.call("createCrbAccess", { authorization });
  const statusOf = async (spId: string, clientId: string) =>
    (await listCredentials(table(), spId)).find(({ client_id }) => client_id === clientId)?.revoked_at === undefined;

  test("a person who may not read customers gives no access to them", async () => {
    const bank = await givenBank();
    await bank.set();
    const { json: token } = await bank.signInAs(["Leads"]);
    expect((await access(bank, token.access_token)).json.code).toBe("role_missing");
    const { json } = await bank.call("setCredentialKeys", {
      path: { client_id: bank.clientId },
      body: { keys: [] },
      authorization: token.access_token,
    });
    expect(json.code).toBe("role_missing");
  });

  test("a key that a person added names the person, and ends with the credential that made the settings", async () => {
    const bank = await givenBank();
    await bank.set({ customers: true });
    const { json: token } = await bank.signInAs(["Leads"]);
    const program = await bank.another();
    const { jwk } = await newProgramKey("k1");
    const { json } = await bank.call("setCredentialKeys", {
      path: { client_id: program.client_id },
      body: { keys: [jwk] },
      authorization: token.access_token,
    });
    expect(json.keys[0].created_by_person).toEqual({ sub: "00u1", name: "Ana Ruiz" });
    const { client_id: own } =
      (await listCredentials(table(), bank.spId)).find(({ persons }) => persons) ?? expect.fail();
    const { status } = await bank.call("setCredentialKeys", { path: { client_id: own }, body: { keys: [jwk] } });
    expect(status).toBe(422);
    await bank.revoke(bank.clientId, program.secret);
    const after = (await listCredentials(table(), bank.spId)).find(({ client_id }) => client_id === program.client_id);
    expect(after?.public_keys).toBeUndefined();
  });

  test("a pair that a person issued ends with the credential that made the settings", async () => {
    const bank = await givenBank();
    await bank.set({ customers: true });
    const { json: token } = await bank.signInAs(["Leads"]);
    const { json: pair } = await access(bank, token.access_token);
    expect(await statusOf(bank.spId, pair.client_id)).toBe(true);
    // A change of the settings keeps it.
    await bank.set({ customers: false });
    expect(await statusOf(bank.spId, pair.client_id)).toBe(true);
    const other = await bank.another();
    await bank.revoke(bank.clientId, other.secret);
    expect(await statusOf(bank.spId, pair.client_id)).toBe(false);
  });

  test("the removal ends tokens and pairs of persons", async () => {
    const bank = await givenBank();
    await bank.set({ customers: true });
    const { json: token } = await bank.signInAs(["Leads"]);
    const { json: pair } = await access(bank, token.access_token);
    expect((await bank.remove()).json.status).toBe("suspended");
    expect((await bank.read(token.access_token)).status).toBe(401);
    expect(await statusOf(bank.spId, pair.client_id)).toBe(false);
    expect((await bank.read()).status).toBe(404);
    expect((await bank.signInAs(["Leads"])).status).toBe(401);
  });
});
