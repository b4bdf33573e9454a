import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { AccessScope } from "../../../shared/api/enumerations.ts";
import { serviceProviderScopes } from "../../../shared/auth/scopes.ts";
import { serviceBucket } from "../../../shared/domain/documents/bucket.ts";
import { listJournal, readJournalEntry } from "../../../shared/domain/documents/journal.ts";
import { log } from "../../../shared/platform/aws/log.ts";
import { credentialKey } from "../../../shared/store/keys/credentials.ts";
import type { ReceivedEvent } from "../../shared/store/eventLog/eventsUnderTest.ts";
import { useTestBucket } from "../../useTestBucket.ts";
import { useTestTable } from "../../useTestTable.ts";
import { givenServiceProvider } from "../callHandler.ts";

const table = useTestTable();
useTestBucket();
afterEach(() => {
  vi.restoreAllMocks();
});

async function given() {
  const provider = await givenServiceProvider(table());
  const other = await provider.another();
  const revoke = (client_id: string, authorization?: string) =>
    provider.call("revokeCredential", { path: { client_id }, ...(authorization && { authorization }) });
  const statusWith = async (authorization: string) =>
    (await provider.call("listCredentials", { authorization })).status;
  return { ...provider, other, revoke, statusWith };
}

test("ends the credential, its tokens and the credentials that it issued at once", async () => {
  const { call, other, tokenOf, revoke, statusWith } = await given();
  const token = await tokenOf(serviceProviderScopes, other.client_id);
  const { json: pair } = await call("createCrbAccess", { authorization: token });
  const readCrb = async () => (await call("getCrb", { authorization: pair.secret })).status;
  expect([await statusWith(other.secret), await statusWith(token), await readCrb()]).toEqual([200, 200, 200]);
  const { status, json } = await revoke(other.client_id);
  expect([status, json.client_id, json.status]).toEqual([200, other.client_id, "revoked"]);
  expect([await statusWith(other.secret), await statusWith(token), await readCrb()]).toEqual([401, 401, 401]);
});

test("events name the CRB of a credential, or no CRB for a credential of the service provider", async () => {
  const { call, clientId, crbId, other, revoke, spId } = await given();
  const { json: pair } = await call("createCrbAccess");
  await revoke(pair.client_id);
  await revoke(other.client_id);
  const { json } = await call("listEvents");
  const ownersOf = (wanted: string) =>
    Object.fromEntries(
      json.data
        .filter(({ type }: ReceivedEvent) => type === wanted)
        .map(({ data, sp_id, crb_id }: ReceivedEvent) => [data.client_id, [sp_id, crb_id]]),
    );
  const changed = { [pair.client_id]: [spId, crbId], [other.client_id]: [spId, null] };
  expect(ownersOf("credential.revoked")).toEqual(changed);
  expect(ownersOf("credential.created")).toEqual({ ...changed, [clientId]: [spId, null] });
});

test("revokes a CRB's pair, and succeeds again for a revoked one", async () => {
  const { call, crbId, revoke } = await given();
  const { json: pair } = await call("createCrbAccess");
  for (const _ of ["first", "second"]) {
    const { status, json } = await revoke(pair.client_id.toUpperCase());
    expect([status, json.status, json.owner]).toEqual([200, "revoked", { kind: "crb", id: crbId }]);
  }
});

test("returns 409 for the credential in use or that of the token in use, which both stay valid", async () => {
  const { clientId, secret, tokenOf, revoke, statusWith } = await given();
  const token = await tokenOf();
  for (const authorization of [secret, token]) {
    const { status, json } = await revoke(clientId, authorization);
    expect([status, json.name]).toEqual([409, "Conflict"]);
    expect(await statusWith(authorization)).toBe(200);
  }
});

test("returns 404 for an unknown client id and for another service provider's credential, which stays valid", async () => {
  const { revoke } = await given();
  const stranger = await given();
  for (const clientId of [randomUUID(), stranger.clientId, stranger.other.client_id])
    expect((await revoke(clientId)).status).toBe(404);
  expect(await stranger.statusWith(stranger.other.secret)).toBe(200);
});

describe("a credential that the caller's credential has not issued", () => {
  test.each<[string, AccessScope[], AccessScope[], AccessScope]>([
    ["a full one", ["create-crb-api-key:write"], [...serviceProviderScopes], "service-provider:read"],
    [
      "one with a single other scope",
      ["create-crb-api-key:write", "service-provider:read"],
      ["point-of-sale:read"],
      "point-of-sale:read",
    ],
    ["one with all rights", [...serviceProviderScopes], ["admin"], "admin"],
  ])("gets 403 with the missing scope: %s", async (_, held, wanted, missing) => {
    const { another, revoke } = await given();
    const [thief, victim] = [await another(held), await another(wanted)];
    const { status, json } = await revoke(victim.client_id, thief.secret);
    expect([status, json.code]).toEqual([403, "scope_missing"]);
    expect(json.message).toContain(`lacks the scope ${missing}`);
    expect((await table().get(credentialKey(victim.client_id)))?.revoked_at).toBeUndefined();
  });

  test("gets 403 for a token that has fewer scopes than its credential", async () => {
    const { other, revoke, tokenOf } = await given();
    expect((await revoke(other.client_id, await tokenOf(["create-crb-api-key:write"]))).status).toBe(403);
  });

  test("gets 403 if it is the pair of a CRB whose data the caller may not read", async () => {
    const { call, another, revoke } = await given();
    const { json: pair } = await call("createCrbAccess");
    const thief = await another(["create-crb-api-key:write", "point-of-sale:read"]);
    const { status, json } = await revoke(pair.client_id, thief.secret);
    expect([status, json.message]).toEqual([403, expect.stringContaining("lacks the scope service-provider:read")]);
  });

  test("is revoked if the caller has all its scopes, or issued it through another credential", async () => {
    const { another, revoke } = await given();
    const issuer = await another(["create-crb-api-key:write"]);
    const next = await another(["create-crb-api-key:write"], { issuedBy: issuer.client_id });
    const last = await another(["point-of-sale:read"], { issuedBy: next.client_id });
    const equal = await another(["create-crb-api-key:write"]);
    expect((await revoke(last.client_id, issuer.secret)).status).toBe(200);
    expect((await revoke(equal.client_id, issuer.secret)).status).toBe(200);
  });

  test("raises the alarm at the second one within an hour, and not for a repetition or an issued one", async () => {
    const { clientId, spId, secret, another, revoke } = await given();
    const reported: unknown[] = [];
    vi.spyOn(log, "error").mockImplementation((...line) => void reported.push(line));
    const victims = [];
    for (let i = 0; i < 3; i++) victims.push((await another(["point-of-sale:read"])).client_id);
    const [early = "", first = "", second = ""] = victims;
    await revoke(early);
    const key = credentialKey(early);
    await table().put({
      ...key,
      ...(await table().get(key)),
      revoked_at: new Date(Date.now() - 3_601_000).toISOString(),
    });
    await revoke(first);
    await revoke(first);
    await revoke((await another(["point-of-sale:read"], { issuedBy: clientId })).client_id);
    expect(reported).toEqual([]);
    // Another credential of the same service provider revokes the second one.
    const accomplice = await another();
    await revoke(second, accomplice.secret);
    expect(reported).toEqual([
      [
        "foreign credentials revoked",
        expect.objectContaining({
          sp_id: spId,
          ForeignRevocations: 1,
          client_ids: expect.arrayContaining([first, second]),
        }),
      ],
    ]);
    expect(JSON.stringify(reported)).not.toContain(secret);
  });
});

test("is written to the journal first", async () => {
  const { other, revoke } = await given();
  const since = new Date();
  await revoke(other.client_id);
  const places = await listJournal(serviceBucket(), since);
  const entries = await Promise.all(places.map((place) => readJournalEntry(serviceBucket(), place)));
  expect(entries).toContainEqual({
    kind: "revocation",
    client_id: other.client_id,
    keep_issued: false,
    keep_made: false,
  });
});
