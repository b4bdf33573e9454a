import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { handler as createCrbAccess } from "../../../functions/crbs/createCrbAccess.ts";
import { handler as getCrb } from "../../../functions/crbs/getCrb.ts";
import { handler as list } from "../../../functions/credentials/listCredentials.ts";
import { handler } from "../../../functions/credentials/revokeCredential.ts";
import { handler as listEvents } from "../../../functions/events/listEvents.ts";
import { issueCredential } from "../../../shared/auth/credentials.ts";
import { serviceProviderScopes } from "../../../shared/auth/scopes.ts";
import { issueToken } from "../../../shared/auth/tokens.ts";
import { serviceBucket } from "../../../shared/domain/documents/bucket.ts";
import { listJournal, readJournalEntry } from "../../../shared/domain/documents/journal.ts";
import { requestEvent, testContext } from "../../requestEvent.ts";
import type { ReceivedEvent } from "../../shared/store/eventLog/eventsUnderTest.ts";
import { useTestBucket } from "../../useTestBucket.ts";
import { useTestTable } from "../../useTestTable.ts";
import { givenServiceProvider } from "../callHandler.ts";

const table = useTestTable();
useTestBucket();
const request = { resource: "/service-providers/{sp_id}/credentials/{client_id}", method: "DELETE" };

async function given() {
  const provider = await givenServiceProvider(table());
  const owner = { kind: "serviceProvider" as const, id: provider.spId };
  const other = await issueCredential(table(), { owner, spId: provider.spId, scopes: serviceProviderScopes });
  const tokenOf = async (clientId: string) => {
    const principal = { clientId, owner, spId: provider.spId, scopes: serviceProviderScopes };
    return (await issueToken(table(), principal, serviceProviderScopes)).access_token;
  };
  const revoke = (client_id: string, authorization?: string) =>
    provider.call(handler, { ...request, path: { client_id }, ...(authorization && { authorization }) });
  const statusWith = async (authorization: string) =>
    (await provider.call(list, { resource: "/service-providers/{sp_id}/credentials", authorization })).status;
  return { ...provider, other, tokenOf, revoke, statusWith };
}

test("ends the credential, its tokens and the credentials that it issued at once", async () => {
  const { call, crbId, other, tokenOf, revoke, statusWith } = await given();
  const token = await tokenOf(other.client_id);
  const access = { resource: "/service-providers/{sp_id}/crbs/{crb_id}/access", path: { crb_id: crbId } };
  const { json: pair } = await call(createCrbAccess, { ...access, method: "POST", authorization: token });
  const readCrb = async () => {
    const event = requestEvent({ resource: "/crbs/{crb_id}", path: { crb_id: crbId }, authorization: pair.secret });
    return (await getCrb(event, testContext)).statusCode;
  };
  expect([await statusWith(other.secret), await statusWith(token), await readCrb()]).toEqual([200, 200, 200]);
  const { status, json } = await revoke(other.client_id);
  expect([status, json.client_id, json.status]).toEqual([200, other.client_id, "revoked"]);
  expect([await statusWith(other.secret), await statusWith(token), await readCrb()]).toEqual([401, 401, 401]);
});

test("events name the CRB of a credential, or no CRB for a credential of the service provider", async () => {
  const { call, clientId, crbId, other, revoke, spId } = await given();
  const access = { resource: "/service-providers/{sp_id}/crbs/{crb_id}/access", path: { crb_id: crbId } };
  const { json: pair } = await call(createCrbAccess, { ...access, method: "POST" });
  await revoke(pair.client_id);
  await revoke(other.client_id);
  const { json } = await call(listEvents, { resource: "/service-providers/{sp_id}/events" });
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
  const access = { resource: "/service-providers/{sp_id}/crbs/{crb_id}/access", path: { crb_id: crbId } };
  const { json: pair } = await call(createCrbAccess, { ...access, method: "POST" });
  for (const _ of ["first", "second"]) {
    const { status, json } = await revoke(pair.client_id.toUpperCase());
    expect([status, json.status, json.owner]).toEqual([200, "revoked", { kind: "crb", id: crbId }]);
  }
});

test("returns 409 for the credential in use or that of the token in use, which both stay valid", async () => {
  const { clientId, secret, tokenOf, revoke, statusWith } = await given();
  const token = await tokenOf(clientId);
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
