import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { issueCredential } from "../../../../shared/auth/credentials.ts";
import { serviceProviderScopes } from "../../../../shared/auth/scopes.ts";
import { findCreated, findCreatedInvitations } from "../../../../shared/domain/crbs/createdByCredential.ts";
import { revokeCredentialAndResources } from "../../../../shared/domain/crbs/revokeCredentialAndResources.ts";
import { sweepExpiredCredentials } from "../../../../shared/domain/crbs/sweepExpiredCredentials.ts";
import { planUpload } from "../../../../shared/domain/documents/uploads.ts";
import { createExport } from "../../../../shared/domain/exports/createExport.ts";
import { readExport } from "../../../../shared/domain/exports/storedExport.ts";
import { invitationsOf, invitationWrites } from "../../../../shared/domain/invitations/invitations.ts";
import { createCrb } from "../../../../shared/store/crbs.ts";
import { credentialExpiryPartition } from "../../../../shared/store/keys/credentials.ts";
import { crashingBucket } from "../../../crashingBucket.ts";
import { crbRecord } from "../../../crbRecord.ts";
import { people } from "../../../functions/onboarding/givenInvited.ts";
import { useTestSealingKey, useTestServiceKey } from "../../../testServiceKey.ts";
import { testTableOf } from "../../../testTable.ts";
import { useQueues } from "../../../useQueues.ts";
import { useTestBucket } from "../../../useTestBucket.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { interceptCalls, TestClock } from "../../store/orderedList/listUnderTest.ts";
import { givenExports } from "../exports/givenExports.ts";

useTestServiceKey();
useTestSealingKey();
const table = useTestTable();
useTestBucket();
useQueues();

const hour = 3_600_000;
const url = "https://93.184.216.34/events";

/** A service provider whose second key expires in an hour and has made an endpoint, invitations and an export. */
async function given() {
  const business = await givenExports(table());
  const { spId, crbId, call, write, create, run, stores } = business;
  const end = Date.now() + hour;
  const owner = { kind: "serviceProvider" as const, id: spId };
  const scopes = serviceProviderScopes;
  const key = await issueCredential(table(), { owner, spId, scopes, expiresAt: new Date(end) });
  const authorization = key.secret;
  const { json: endpoint } = await call("createWebhookEndpoint", { body: { url }, authorization });
  await table().transact(
    invitationWrites(table(), crbId, invitationsOf(crbId, people), new Date(), { clientId: key.client_id }),
  );
  const body = { kinds: ["sales" as const], format: "ndjson" as const };
  const made = await createExport(table(), { spId, crbId, body, createdBy: { clientId: key.client_id } });
  await write("sale", [1, 2]);
  // Made by another key of the service provider.
  const [received, other] = [await create(), await create()];
  for (const { id } of [received, other]) await run(id);
  const path = { crb_id: crbId, export_id: received.id };
  const { json } = await call("getExport", { path, authorization });
  expect(json.files[0].download_link).toContain("http");
  const state = async () => {
    const { json: shown } = await call("getWebhookEndpoint", { path: { endpoint_id: endpoint.id } });
    const exports = await Promise.all(
      [made, received, other].map(async ({ id }) => (await readExport(table(), crbId, id, new Date()))?.status),
    );
    const invitations = await findCreatedInvitations(table(), spId, new Set([key.client_id]));
    return { enabled: shown.enabled, exports, invitations: invitations.length };
  };
  const sweepAt = (ms: number, with_ = stores) =>
    sweepExpiredCredentials(with_, new TestClock(new Date(ms).toISOString()));
  const due = () => table().queryPartition(credentialExpiryPartition, { consistent: true });
  const link = json.files[0].download_link as string;
  return { ...business, key, end, state, sweepAt, due, link };
}

const live = { enabled: true, exports: ["queued", "ready", "ready"], invitations: people.length };
const ended = { enabled: false, exports: ["deleted", "deleted", "ready"], invitations: 0 };

test("the expiry of a credential ends what it made and received, and events say why", async () => {
  const { call, end, state, sweepAt, due, link } = await given();
  expect(await sweepAt(end + 60_000)).toEqual({ expired: 0, failed: 0 });
  expect(await state()).toEqual(live);
  expect((await fetch(link)).status).toBe(200);
  expect(await sweepAt(end + 3 * 60_000)).toEqual({ expired: 1, failed: 0 });
  expect(await state()).toEqual(ended);
  expect((await fetch(link)).status).toBe(404);
  expect(await due()).toEqual([]);
  const { json } = await call("listEvents");
  const reasons = json.data.flatMap(({ data }: { data: { reason?: string } }) => data.reason ?? []);
  expect(reasons).toEqual(["credential_expired", "credential_expired", "credential_expired"]);
});

test("a sweep that fails is repeated, and the next one finishes it", async () => {
  const { end, state, sweepAt, due, stores } = await given();
  const bucket = crashingBucket(() => {
    throw new Error("killed");
  });
  expect(await sweepAt(end + 3 * 60_000, { ...stores, bucket })).toEqual({ expired: 0, failed: 1 });
  expect(await due()).toHaveLength(1);
  expect(await sweepAt(end + 3 * 60_000)).toEqual({ expired: 1, failed: 0 });
  expect(await state()).toEqual(ended);
});

test("the search for what a credential made costs the same calls for 2 businesses as for 30", async () => {
  const { spId, crbId, key } = await given();
  const [clientIds, counting] = [new Set([key.client_id]), testTableOf(table())];
  const calls: string[] = [];
  interceptCalls(counting).before = (command) => void calls.push(command);
  const path = { sp_id: spId, crb_id: crbId, requirement_id: randomUUID() };
  const file = { file_name: "a.pdf", file_type: "application/pdf", size: 1, uploaded_by: key.client_id } as const;
  const upload = await planUpload(table(), path, file);
  const addCrb = () =>
    createCrb(table(), { record: crbRecord(randomUUID()), serviceProviderId: spId, connection: null });
  const search = async () => {
    calls.length = 0;
    const { uploads, exports } = await findCreated(counting, spId, clientIds);
    expect([uploads.map(({ document_id }) => document_id), exports.length]).toEqual([[upload.document_id], 2]);
    return calls.toSorted();
  };
  await addCrb();
  const before = await search();
  for (let i = 0; i < 28; i++) await addCrb();
  expect(await search()).toEqual(before);
});

test("resources that the revocation kept outlive the expiry", async () => {
  const { end, key, state, sweepAt, due, stores } = await given();
  await revokeCredentialAndResources(stores, key.client_id, { keepIssued: true, keepMade: true });
  await sweepAt(end + 3 * 60_000);
  expect(await state()).toEqual(live);
  expect(await due()).toEqual([]);
});
