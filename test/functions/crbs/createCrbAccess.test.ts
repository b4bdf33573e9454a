import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { AccessScope } from "../../../shared/api/enumerations.ts";
import { accessCredentials } from "../../../shared/api/schemas/accessCredentials.ts";
import { issueCrbAccess } from "../../../shared/auth/crbAccess.ts";
import { listCredentials } from "../../../shared/auth/credentials.ts";
import { revokeCredential } from "../../../shared/auth/revoke.ts";
import { crbScopes, serviceProviderScopes } from "../../../shared/auth/scopes.ts";
import { secretInHeader } from "../../../shared/auth/secrets.ts";
import { issueToken } from "../../../shared/auth/tokens.ts";
import { serviceBucket } from "../../../shared/domain/documents/bucket.ts";
import { listJournal, readJournalEntry } from "../../../shared/domain/documents/journal.ts";
import { log } from "../../../shared/platform/aws/log.ts";
import { associationKey } from "../../../shared/store/keys/crbs.ts";
import { credentialKey } from "../../../shared/store/keys/credentials.ts";
import { systemClock } from "../../../shared/time/clock.ts";
import { dyingTable } from "../../dyingTable.ts";
import { revoking } from "../../revoking.ts";
import { interceptCalls } from "../../shared/store/orderedList/listUnderTest.ts";
import { useOutput } from "../../useOutput.ts";
import { useTestBucket } from "../../useTestBucket.ts";
import { useTestTable } from "../../useTestTable.ts";
import { givenServiceProvider } from "../callHandler.ts";

const table = useTestTable();
useTestBucket();

async function given(scopes?: readonly AccessScope[]) {
  const provider = await givenServiceProvider(table(), scopes);
  const create = async () => {
    const { status, json } = await provider.call("createCrbAccess");
    expect(status).toBe(200);
    return accessCredentials.parse(json);
  };
  const readWith = async (authorization: string, crb_id = provider.crbId) =>
    (await provider.call("getCrb", { path: { crb_id }, authorization })).status;
  return { ...provider, create, readWith };
}

test("each call issues a new pair, whose secret grants access only to the CRB's path family", async () => {
  const { create, readWith, call, spId } = await given();
  const one = await create();
  const other = await create();
  expect(one.client_id).not.toBe(other.client_id);
  expect(secretInHeader(one.secret).clientId).toBe(one.client_id);
  expect(await readWith(one.secret)).toBe(200);
  expect(await readWith(one.secret, spId)).toBe(404);
  expect((await call("getCrbInfo", { authorization: one.secret })).status).toBe(403);
});

test("the two newest pairs stay valid, and older ones end", async () => {
  const { create, readWith } = await given();
  const pairs = [await create(), await create(), await create(), await create()];
  expect(await Promise.all(pairs.map(({ secret }) => readWith(secret)))).toEqual([401, 401, 200, 200]);
});

test("a pair that a new one ends is written to the journal first", async () => {
  const { create, crbId, spId } = await given();
  const since = new Date();
  const pairs = [await create(), await create(), await create()];
  const places = await listJournal(serviceBucket(), since);
  const entries = await Promise.all(places.map((place) => readJournalEntry(serviceBucket(), place)));
  expect(entries).toEqual([{ kind: "revocation", client_id: pairs[0]?.client_id, keep_issued: true, keep_made: true }]);
  const revoking = () => Promise.reject(new Error("out of reach"));
  await expect(
    issueCrbAccess(table(), { spId, crbId, scopes: ["crb:read"], beforeRevocation: revoking }),
  ).rejects.toThrow();
  expect((await listCredentials(table(), spId)).filter(({ revoked_at }) => revoked_at)).toHaveLength(1);
});

test("of several pairs that are issued in parallel, two stay valid", async () => {
  const { create, readWith } = await given();
  const pairs = await Promise.all(Array.from({ length: 5 }, create));
  const statuses = await Promise.all(pairs.map(({ secret }) => readWith(secret)));
  expect(statuses.sort()).toEqual([200, 200, 401, 401, 401]);
});

test("a call that meets changes of other requests in every attempt gets 409 and issues nothing", async () => {
  const { call, spId } = await given();
  const pauses = vi.spyOn(systemClock, "sleep").mockResolvedValue();
  onTestFinished(() => pauses.mockRestore());
  const calls = interceptCalls(table());
  calls.before = (command) => {
    if (command !== "TransactWriteItemsCommand") return;
    const CancellationReasons = [{ Code: "TransactionConflict" }];
    throw new TransactionCanceledException({ message: "conflict", $metadata: {}, CancellationReasons });
  };
  const { status, json } = await call("createCrbAccess");
  calls.before = () => undefined;
  expect([status, json.code]).toEqual([409, "concurrent_changes"]);
  expect(await listCredentials(table(), spId)).toHaveLength(1);
});

test.each<[AccessScope[], AccessScope[]]>([
  [
    ["create-crb-api-key:write", "service-provider:read", "point-of-sale:read"],
    ["crb:read", "point-of-sale:read"],
  ],
  [["create-crb-api-key:write", "point-of-sale:read"], ["point-of-sale:read"]],
  [["create-crb-api-key:write", "service-provider:read"], ["crb:read"]],
  [["admin"], ["crb:read", "point-of-sale:read"]],
])("a pair that is issued with %j has the scopes %j", async (held, given_) => {
  const { create, spId, crbId } = await given(held);
  const { client_id } = await create();
  expect(await table().get(credentialKey(client_id))).toMatchObject({
    scopes: given_,
    owner: { kind: "crb", id: crbId },
    sp_id: spId,
  });
});

test("a token without read scopes cannot issue a pair", async () => {
  const { call, tokenOf, spId } = await given();
  const authorization = await tokenOf(["create-crb-api-key:write"]);
  const { status, json } = await call("createCrbAccess", { authorization });
  expect([status, json.message]).toEqual([403, expect.stringContaining("service-provider:read")]);
  expect(await listCredentials(table(), spId)).toHaveLength(1);
});

test("a pair of another issuer with more scopes gets 403 instead of its end", async () => {
  const { create, readWith, call, another } = await given();
  const pairs = [await create(), await create()];
  const { secret } = await another(["create-crb-api-key:write", "point-of-sale:read"]);
  const { status, json } = await call("createCrbAccess", { authorization: secret });
  expect([status, json.code]).toEqual([403, "scope_missing"]);
  for (const pair of pairs) expect(await readWith(pair.secret)).toBe(200);
});

test("the second pair of another issuer that a new one ends within an hour raises the alarm, an own one does not", async () => {
  const { create, call, another, spId } = await given();
  const reported: unknown[] = [];
  vi.spyOn(log, "error").mockImplementation((...line) => void reported.push(line));
  const pairs = [await create(), await create()];
  const { client_id, secret } = await another();
  const replace = () => call("createCrbAccess", { authorization: secret });
  await replace();
  expect(reported).toEqual([]);
  await replace();
  const report = {
    sp_id: spId,
    ForeignRevocations: 1,
    revoked_by: [client_id],
    client_ids: expect.arrayContaining(pairs.map((pair) => pair.client_id)),
  };
  expect(reported).toEqual([["foreign credentials revoked", expect.objectContaining(report)]]);
  await replace();
  expect(reported).toHaveLength(1);
});

test.each([
  ["no date", undefined, 3_600_000],
  ["a later date", 7_200_000, 3_600_000],
  ["an earlier date", 1_800_000, 1_800_000],
])("a pair of a credential that expires ends no later: %s", async (_, wantedMs, endMs) => {
  const { call, another } = await given();
  const now = Date.now();
  const { secret } = await another(serviceProviderScopes, { expiresAt: new Date(now + 3_600_000) });
  const body = wantedMs === undefined ? {} : { expires_date: new Date(now + wantedMs).toISOString() };
  const { json } = await call("createCrbAccess", { authorization: secret, body });
  expect((await table().get(credentialKey(json.client_id)))?.expires_at).toBe(new Date(now + endMs).toISOString());
});

test("the response and an event name the pair that was ended", async () => {
  const { create, call } = await given();
  const pairs = [await create(), await create(), await create()];
  expect(pairs.map(({ ended_client_ids }) => ended_client_ids)).toEqual([[], [], [pairs[0]?.client_id]]);
  const { json } = await call("listEvents");
  const revoked = json.data.filter(({ type }: { type: string }) => type === "credential.revoked");
  expect(revoked.map(({ data }: { data: object }) => data)).toEqual([{ client_id: pairs[0]?.client_id }]);
});

describe("an expiry date", () => {
  test("ends the pair and its tokens at that instant", async () => {
    const { call, crbId, readWith, spId } = await given();
    const expires = Date.now() + 60_000;
    const body = { expires_date: new Date(expires).toISOString() };
    const { json } = await call("createCrbAccess", { body });
    const principal = { clientId: json.client_id, owner: { kind: "crb" as const, id: crbId }, spId, scopes: crbScopes };
    const { access_token } = await issueToken(table(), principal, crbScopes);
    expect([await readWith(json.secret), await readWith(access_token)]).toEqual([200, 200]);
    vi.setSystemTime(expires - 1);
    expect([await readWith(json.secret), await readWith(access_token)]).toEqual([200, 200]);
    vi.setSystemTime(expires);
    expect([await readWith(json.secret), await readWith(access_token)]).toEqual([401, 401]);
    vi.useRealTimers();
  });

  test("that has passed frees the place of one of the two pairs", async () => {
    const { create, crbId, spId } = await given();
    const kept = await create();
    const expiresAt = new Date(Date.now() - 1);
    await issueCrbAccess(table(), { spId, crbId, scopes: crbScopes, expiresAt, beforeRevocation: revoking });
    expect((await create()).ended_client_ids).toEqual([]);
    expect((await create()).ended_client_ids).toEqual([kept.client_id]);
  });

  test("of the issuing credential that passes during the call leads to 401", async () => {
    const { spId, crbId, another } = await given();
    const { client_id: issuedBy } = await another(serviceProviderScopes, { expiresAt: new Date(Date.now() - 1) });
    const issued = issueCrbAccess(table(), { spId, crbId, scopes: crbScopes, issuedBy, beforeRevocation: revoking });
    await expect(issued).rejects.toMatchObject({ kind: "unauthorized" });
  });

  test.each([
    ["2020-01-01T00:00:00Z", "must be in the future and before the year 10000"],
    ["9999-12-31T23:59:59-01:00", "must be in the future and before the year 10000"],
    ["tomorrow", expect.any(String)],
    ["2030-02-30T00:00:00Z", expect.any(String)],
    [null, expect.any(String)],
  ])("%s is rejected", async (expires_date, message) => {
    const { call, spId } = await given();
    const { status, json } = await call("createCrbAccess", { body: { expires_date } });
    expect([status, json.fields?.["body.expires_date"]?.message]).toEqual([422, message]);
    expect(await listCredentials(table(), spId)).toHaveLength(1);
  });
});

test("a pair names the credential that issued it, by key or by token", async () => {
  const { create, call, clientId, tokenOf } = await given();
  const authorization = await tokenOf(["create-crb-api-key:write", "point-of-sale:read"]);
  const { json } = await call("createCrbAccess", { authorization });
  for (const { client_id } of [await create(), json])
    expect(await table().get(credentialKey(client_id))).toMatchObject({ issued_by: clientId });
});

test("a credential that is revoked while it issues a pair gets 401", async () => {
  const { call, clientId, spId } = await given();
  // The revocation happens between the reads of the call and its transaction.
  table().client.middlewareStack.add(
    (next, { commandName }) =>
      async (input) => {
        if (commandName === "TransactWriteItemsCommand") {
          table().client.middlewareStack.remove("revokeFirst");
          await revokeCredential(table(), clientId);
        }
        return next(input);
      },
    { step: "initialize", name: "revokeFirst", priority: "high" },
  );
  expect((await call("createCrbAccess")).status).toBe(401);
  const good = (await listCredentials(table(), spId)).filter(({ revoked_at }) => revoked_at === undefined);
  expect(good).toEqual([]);
});

test("no pair is issued for an association that has ended", async () => {
  const { spId, crbId } = await given();
  await table().delete(associationKey(spId, crbId));
  await expect(issueCrbAccess(table(), { spId, crbId, scopes: [], beforeRevocation: revoking })).rejects.toMatchObject({
    kind: "notFound",
  });
});

test("a call that is killed at any point leaves the CRB's pairs as they were, or with one more", async () => {
  const { spId, crbId, create, readWith } = await given();
  for (let victim = 0; victim < 6; victim++) {
    const before = [await create(), await create()];
    const crashing = dyingTable(table(), victim);
    const issue = issueCrbAccess(crashing, { spId, crbId, scopes: ["crb:read"], beforeRevocation: revoking });
    await expect(issue).rejects.toThrow("killed");
    const stored = victim === 5;
    const statuses = await Promise.all(before.map(({ secret }) => readWith(secret)));
    expect(statuses).toEqual([stored ? 401 : 200, 200]);
    const next = await create();
    expect(await readWith(next.secret)).toBe(200);
  }
});

describe("the secret", () => {
  const output = useOutput("DEBUG");

  test("is neither stored nor logged", async () => {
    const { create } = await given();
    const { client_id, secret } = await create();
    expect(JSON.stringify(await table().queryPartition(credentialKey(client_id).pk))).not.toContain(secret.slice(25));
    expect(output.text).toContain("createCrbAccess");
    expect(output.text).not.toContain(secret.slice(25));
  });
});

test("an expiry beyond the stage's maximum age gets 422, and the response has the end", async () => {
  vi.stubEnv("MAX_CREDENTIAL_DAYS", "365");
  const { call } = await given();
  const create = (days: number) =>
    call("createCrbAccess", { body: { expires_date: new Date(Date.now() + days * 86_400_000).toISOString() } });
  const late = await create(366);
  expect([late.status, Object.keys(late.json.fields)]).toEqual([422, ["body.expires_date"]]);
  expect(late.json.fields["body.expires_date"].message).toBe(
    "must be at most 365 days from now, the maximum age of credentials on this stage",
  );
  const { status, json } = await create(364);
  expect([status, Math.round((Date.parse(json.expires_date) - Date.now()) / 86_400_000)]).toEqual([200, 364]);
  vi.unstubAllEnvs();
});
