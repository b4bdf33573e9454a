import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { calculateJwkThumbprint } from "jose";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { jwtBearer } from "../../../shared/api/schemas/token.ts";
import { issueCrbAccess } from "../../../shared/auth/crbAccess.ts";
import { setCredentialKeys } from "../../../shared/auth/credentialKeys.ts";
import { listClientIds } from "../../../shared/auth/credentials.ts";
import { restrictCredential } from "../../../shared/auth/restrictCredential.ts";
import { crbScopes, serviceProviderScopes } from "../../../shared/auth/scopes.ts";
import { accessFiles } from "../../../shared/domain/accessLog/accessFiles.ts";
import type { LoggedAccess } from "../../../shared/domain/accessLog/accessLines.ts";
import { findAccesses } from "../../../shared/domain/accessLog/findAccesses.ts";
import { findCreated, findRetainedChanges } from "../../../shared/domain/crbs/createdByCredential.ts";
import { sweepExpiredCredentials } from "../../../shared/domain/crbs/sweepExpiredCredentials.ts";
import { serviceBucket } from "../../../shared/domain/documents/bucket.ts";
import { planUpload } from "../../../shared/domain/documents/uploads.ts";
import { findReceivedExports, recordLinkRecipient } from "../../../shared/domain/exports/linkRecipients.ts";
import { createEndpoint } from "../../../shared/domain/webhooks/createEndpoint.ts";
import { log } from "../../../shared/platform/aws/log.ts";
import { newProgramKey, type ProgramKey, signAssertion, tokenEndpoint } from "../../programKeys.ts";
import { TestClock } from "../../shared/store/orderedList/listUnderTest.ts";
import { useIdentityProvider } from "../../testIdentityProvider.ts";
import { callHandler } from "../callHandler.ts";
import { givenOnboarding } from "../onboarding/givenOnboarding.ts";
import { useInvitedUsers } from "../onboarding/useInvitedUsers.ts";

// A thief adds a key to a credential that did not leak. The end of the leaked credential ends what the key made
// (docs/security.md#what-the-revocation-of-a-credential-ends).

const { table } = useInvitedUsers();
const provider = useIdentityProvider();

/** With a local identity provider, the stage is a local one, without TLS. */
const aud = tokenEndpoint.replace("https:", "http:");

let planted: ProgramKey;
let further: ProgramKey;
beforeAll(async () => {
  [planted, further] = await Promise.all([newProgramKey("planted"), newProgramKey("further")]);
});

/** A bank with a leaked credential and two others of the same scopes. */
async function given(expiresAt?: Date) {
  const bank = await givenOnboarding(table());
  const leaked = await bank.another(serviceProviderScopes, { expiresAt });
  const [host, third] = [await bank.another(), await bank.another()];
  /** Adds a key to a credential, and exchanges an assertion for a token. */
  const plant = async (client_id: string, key: ProgramKey, authorization: string) => {
    const set = await bank.call("setCredentialKeys", { path: { client_id }, body: { keys: [key.jwk] }, authorization });
    expect(set.status).toBe(200);
    const body = {
      grant_type: "client_credentials",
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: await signAssertion(client_id, key, { aud }),
    };
    return (await callHandler("exchangeToken", { body })).json.access_token as string;
  };
  const revoke = async (client_id: string, query = {}) =>
    expect((await bank.call("revokeCredential", { path: { client_id }, query })).status).toBe(200);
  return { ...bank, leaked, host, third, plant, revoke };
}

type Bank = Awaited<ReturnType<typeof given>>;

/** Makes one resource of each kind that gives access, and returns the kinds that still do. */
async function makeAll({ call, crbId, spId }: Bank, authorization: string) {
  const as = async (...[operationId, request]: Parameters<typeof call>) => {
    const { status, json } = await call(operationId, { authorization, ...request });
    expect([operationId, status]).toEqual([operationId, 200]);
    return json;
  };
  const pair = await as("createCrbAccess");
  const endpoint = await as("createWebhookEndpoint", { body: { url: "https://93.184.216.34/events" } });
  const settings = {
    short_name: `bank-${randomUUID().slice(0, 8)}`,
    issuer: provider.issuer,
    client_id: `client-${randomUUID()}`,
    customers: false,
    roles: [{ claim: "groups", value: "Staff", role: "viewer" }],
  };
  await as("setIdentityProvider", { body: settings });
  const assertion = await provider.sign({ aud: settings.client_id, groups: ["Staff"] });
  const person = await callHandler("exchangeToken", { body: { grant_type: jwtBearer, assertion, sp_id: spId } });
  const file = { file_name: "license.pdf", file_type: "application/pdf", size: 10 };
  await as("createDocumentUpload", { body: file });
  const exported = await as("createExport", { body: { kinds: ["sales"], format: "ndjson" } });
  const users = [{ email: "robin@example.com", firstName: "Robin", lastName: "Reyes" }];
  const org = { name: `Juniper ${randomUUID()}`, state: "CO", business_type: "retail" };
  const business = await as("createCrb", { body: { org, users } });
  return async () => {
    const path = { crb_id: crbId };
    const [asPair, asPerson, read, live] = await Promise.all([
      callHandler("getCrb", { authorization: pair.secret, path }),
      call("getServiceProvider", { authorization: person.json.access_token }),
      call("getWebhookEndpoint", { path: { endpoint_id: endpoint.id } }),
      call("getExport", { path: { export_id: exported.id } }),
    ]);
    const everyone = new Set(await listClientIds(table(), spId));
    const { invitations, uploads } = await findCreated(table(), spId, everyone);
    return Object.entries({
      pair: asPair.status === 200,
      person: asPerson.status === 200,
      endpoint: read.json.enabled,
      export: live.json.status !== "deleted",
      invitation: invitations.some(({ crbId: of }) => of === business.id),
      upload: uploads.length > 0,
    }).flatMap(([kind, works]) => (works ? [kind] : []));
  };
}

const all = ["pair", "person", "endpoint", "export", "invitation", "upload"];

describe("what a token of an added key made", () => {
  test("ends with the credential that leaked", async () => {
    const bank = await given();
    const working = await makeAll(bank, await bank.plant(bank.host.client_id, planted, bank.leaked.secret));
    expect(await working()).toEqual(all);
    await bank.revoke(bank.leaked.client_id);
    expect(await working()).toEqual([]);
  });

  test("ends with the credential that has the key", async () => {
    const bank = await given();
    const working = await makeAll(bank, await bank.plant(bank.host.client_id, planted, bank.leaked.secret));
    await bank.revoke(bank.host.client_id);
    expect(await working()).toEqual([]);
  });

  test.each(["leaked", "host", "third"] as const)("through two keys ends with the %s credential", async (ended) => {
    const bank = await given();
    const first = await bank.plant(bank.host.client_id, planted, bank.leaked.secret);
    const working = await makeAll(bank, await bank.plant(bank.third.client_id, further, first));
    expect(await working()).toEqual(all);
    await bank.revoke(bank[ended].client_id);
    expect(await working()).toEqual([]);
  });

  test("ends also after the thief has removed the key", async () => {
    const bank = await given();
    const working = await makeAll(bank, await bank.plant(bank.host.client_id, planted, bank.leaked.secret));
    await bank.call("setCredentialKeys", { path: { client_id: bank.host.client_id }, body: { keys: [] } });
    await bank.revoke(bank.leaked.client_id);
    expect(await working()).toEqual([]);
  });

  test("ends with the expiry of the leaked credential", async () => {
    const bank = await given(new Date(Date.now() + 60_000));
    const working = await makeAll(bank, await bank.plant(bank.host.client_id, planted, bank.leaked.secret));
    const clock = new TestClock(new Date(Date.now() + 600_000).toISOString());
    await sweepExpiredCredentials({ table: table(), bucket: serviceBucket() }, clock);
    expect(await working()).toEqual([]);
  });

  test("stays if the revocation keeps it, and what other tokens of the credential made always stays", async () => {
    const bank = await given();
    const own = await makeAll(bank, bank.third.secret);
    const working = await makeAll(bank, await bank.plant(bank.host.client_id, planted, bank.leaked.secret));
    await bank.revoke(bank.leaked.client_id, { keep_made: "true", keep_issued: "true" });
    expect(await working()).toEqual(all);
    await bank.revoke(bank.leaked.client_id);
    // The settings of the thief have replaced those of the other credential.
    expect(await own()).toEqual(all.filter((kind) => kind !== "person"));
  });
});

test("a CRB that a token of an added key created is listed for both credentials", async () => {
  const bank = await given();
  const authorization = await bank.plant(bank.host.client_id, planted, bank.leaked.secret);
  const users = [{ email: "robin@example.com", firstName: "Robin", lastName: "Reyes" }];
  const org = { name: `Juniper ${randomUUID()}`, state: "CO", business_type: "retail" };
  const { json } = await bank.call("createCrb", { authorization, body: { org, users } });
  const listed = async ({ client_id }: { client_id: string }) =>
    (await findRetainedChanges(table(), bank.spId, new Set([client_id]))).map(({ id, action }) => [id, action]);
  const created = [[json.id, "created"]];
  expect(await Promise.all([bank.leaked, bank.host, bank.third].map(listed))).toEqual([created, created, []]);
});

test("a restriction of the credential that added a key narrows no pair that the key issued", async () => {
  const bank = await given();
  const authorization = await bank.plant(bank.host.client_id, planted, bank.leaked.secret);
  const pair = (await bank.call("createCrbAccess", { authorization })).json;
  const leaked = { client_id: bank.leaked.client_id, sp_id: bank.spId };
  expect(await restrictCredential(table(), leaked, ["192.0.2.0/24"])).toEqual([]);
  const host = { client_id: bank.host.client_id, sp_id: bank.spId };
  const narrowed = await restrictCredential(table(), host, ["192.0.2.0/24"]);
  expect(narrowed?.map(({ client_id }) => client_id)).toEqual([pair.client_id]);
});

test("a key that has ended creates nothing, not even in a request that was granted before", async () => {
  const bank = await given();
  const { crbId, spId, owner, host, leaked } = bank;
  await bank.plant(host.client_id, planted, leaked.secret);
  await bank.revoke(leaked.client_id);
  const key = await calculateJwkThumbprint(planted.jwk);
  const by = { clientId: host.client_id, key, keyEndsWith: [leaked.client_id] };
  const caller = { ...by, owner, spId, scopes: serviceProviderScopes };
  const nothing = async () => undefined;
  const path = { sp_id: spId, crb_id: crbId, requirement_id: bank.requirementId };
  const file = { file_name: "a.pdf", file_type: "application/pdf" as const, size: 10, uploaded_by: host.client_id };
  const endpoint = { url: "https://93.184.216.34/events", description: "", eventTypes: [] };
  const { keyEndsWith } = by;
  const pair = {
    spId,
    crbId,
    scopes: crbScopes,
    issuedBy: host.client_id,
    key,
    keyEndsWith,
    beforeRevocation: nothing,
  };
  const added = { spId, clientId: host.client_id, keys: [further.jwk] as never, actor: caller };
  const attempts = [
    () => issueCrbAccess(table(), pair),
    () => createEndpoint(table(), spId, endpoint, by),
    () => planUpload(table(), path, file, by),
    () => recordLinkRecipient(table(), by, { id: randomUUID(), created_at: new Date().toISOString() }),
    () => setCredentialKeys(table(), added, nothing),
    () => setCredentialKeys(table(), { ...added, clientId: bank.third.client_id }, nothing),
  ];
  for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ kind: "unauthorized" });
});

test("a token of an added key does not get the secret of an endpoint by a repeated request", async () => {
  const bank = await given();
  const create = (authorization: string) =>
    bank.call("createWebhookEndpoint", {
      authorization,
      headers: { "Idempotency-Key": "endpoint-1" },
      body: { url: "https://93.184.216.34/events" },
    });
  const { json } = await create(bank.host.secret);
  expect((await create(bank.host.secret)).json.secret).toBe(json.secret);
  expect((await create(await bank.plant(bank.host.client_id, planted, bank.leaked.secret))).status).toBe(422);
});

test("the access log names the leaked credential, so that a search for it finds the requests", async () => {
  const bank = await given();
  const authorization = await bank.plant(bank.host.client_id, planted, bank.leaked.secret);
  const lines = vi.spyOn(log, "info");
  await bank.call("getCrbInfo", { authorization });
  const [, logged] = (lines.mock.calls as unknown[][]).find(([message]) => message === "access") ?? [];
  lines.mockRestore();
  const time = "2026-02-14T10:00:00.000Z";
  const directory = mkdtempSync(join(tmpdir(), "access-log-"));
  const store = accessFiles(directory);
  await store.append({ ...(logged as LoggedAccess), time });
  const find = async (client: string) => {
    const query = { clients: [client], from: new Date("2026-02-14"), to: new Date("2026-02-15") };
    const days = await Array.fromAsync(findAccesses(store, [bank.spId], query));
    return days.flatMap(({ entries }) => entries.map(({ client_id }) => client_id));
  };
  const clients = [bank.leaked, bank.host, bank.third].map(({ client_id }) => client_id);
  const host = bank.host.client_id;
  expect(await Promise.all(clients.map(find))).toEqual([[host], [host], []]);
  rmSync(directory, { recursive: true });
});

test("links to an export that a token of an added key received end with the leaked credential", async () => {
  const bank = await given();
  const by = { clientId: bank.host.client_id, keyEndsWith: [bank.leaked.client_id] };
  const id = randomUUID();
  await recordLinkRecipient(table(), by, { id, created_at: new Date().toISOString() });
  for (const { client_id } of [bank.host, bank.leaked])
    expect(await findReceivedExports(table(), new Set([client_id]))).toEqual(new Set([id]));
});
