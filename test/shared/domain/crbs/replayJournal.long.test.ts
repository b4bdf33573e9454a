import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { handler as getCrb } from "../../../../functions/crbs/getCrb.ts";
import { handler as getServiceProvider } from "../../../../functions/serviceProviders/getServiceProvider.ts";
import { issueCrbAccess } from "../../../../shared/auth/crbAccess.ts";
import { issueCredential } from "../../../../shared/auth/credentials.ts";
import { crbScopes, serviceProviderScopes } from "../../../../shared/auth/scopes.ts";
import { issueToken } from "../../../../shared/auth/tokens.ts";
import {
  endAssociationJournaled,
  eraseCustomerJournaled,
  purgeCrbJournaled,
  revokeCredentialJournaled,
} from "../../../../shared/domain/crbs/journaledCrbChanges.ts";
import { entriesToReplay, type ReplayResult, replayEntry } from "../../../../shared/domain/crbs/replayJournal.ts";
import { serviceBucket } from "../../../../shared/domain/documents/bucket.ts";
import { journalPrefix, writeToJournal } from "../../../../shared/domain/documents/journal.ts";
import { listVersions } from "../../../../shared/domain/documents/objectVersions.ts";
import { createCrb, readCrb } from "../../../../shared/store/crbs.ts";
import { endedAssociations } from "../../../../shared/store/endedAssociations.ts";
import { crbKey, einKey, endedCrbKey, posCredentialsKey } from "../../../../shared/store/keys/crbs.ts";
import { recordList } from "../../../../shared/store/keys/orderedLists.ts";
import { replicationDueKey } from "../../../../shared/store/keys/replication.ts";
import { readRecord } from "../../../../shared/store/orderedList/readPage.ts";
import { findOrganization, idsOf } from "../../../../shared/store/organizations.ts";
import { crashingBucket } from "../../../crashingBucket.ts";
import { crbRecord } from "../../../crbRecord.ts";
import { requestEvent, testContext } from "../../../requestEvent.ts";
import { revoking } from "../../../revoking.ts";
import { resetTable } from "../../../tableCopy.ts";
import { differences, scan, scanRaw } from "../../../tableState.ts";
import { isLogged } from "../../store/eventLog/eventsUnderTest.ts";
import { hour, usePurge } from "./purge/usePurge.ts";

const { table, clock, stores, fill, provider, comparable } = usePurge();

/** @param until skips later journal objects, such as those of handlers, whose clock is ahead */
async function replay(restoredTo: Date, { table: on, bucket } = stores(), until?: Date) {
  const results: [kind: string, outcome: ReplayResult["outcome"]][] = [];
  for (const place of await entriesToReplay({ bucket }, restoredTo)) {
    if (until && place.at > until.toISOString()) continue;
    results.push([place.kind, (await replayEntry({ table: on, bucket }, place, clock)).outcome]);
  }
  return results;
}

const getCrbStatus = async (authorization: string, crb_id: string) =>
  (await getCrb(requestEvent({ resource: "/crbs/{crb_id}", path: { crb_id }, authorization }), testContext)).statusCode;
const getProviderStatus = async (authorization: string) => {
  const resource = "/service-providers/{sp_id}";
  const event = requestEvent({ resource, path: { sp_id: provider().spId }, authorization });
  return (await getServiceProvider(event, testContext)).statusCode;
};

test("after a restore, the replay erases again all erased customers and revokes again all revoked credentials", async () => {
  const { spId, call } = provider();
  const access = (crb_id: string) => call("createCrbAccess", { path: { crb_id } });
  const [erasing, ending, purging] = [await fill("Erasing", 4), await fill("Ending", 2), await fill("Purging", 4)];
  const owner = { kind: "serviceProvider" as const, id: spId };
  const leaked = await issueCredential(table(), { owner, spId, scopes: serviceProviderScopes });
  const stolen = await issueCrbAccess(table(), {
    spId,
    crbId: ending.crbId,
    scopes: crbScopes,
    issuedBy: leaked.client_id,
    beforeRevocation: revoking,
  });
  const principal = { clientId: leaked.client_id, owner, spId, scopes: serviceProviderScopes };
  const token = (await issueToken(table(), principal, serviceProviderScopes)).access_token;
  const customers = await table().queryPartition(recordList(erasing.crbId, "customer").pk);
  const { sk: customerId } =
    customers.find(({ body }) => !JSON.parse(body as string).anonymous) ?? expect.fail("no customer");
  const anonymous = async () => {
    const text = await readRecord(table(), recordList(erasing.crbId, "customer"), customerId);
    return JSON.parse(text ?? "{}").anonymous as boolean;
  };

  const backup = await scanRaw(table());
  const restoredTo = clock.now();
  clock.advance(hour);
  await eraseCustomerJournaled(stores(), erasing.crbId, customerId, clock);
  await revokeCredentialJournaled(stores(), leaked.client_id, { keepIssued: false, keepMade: true }, clock);
  const ended = clock.now();
  await endAssociationJournaled(stores(), ending.crbId, clock);
  await endAssociationJournaled(stores(), purging.crbId, clock);
  expect((await access(erasing.crbId)).status).toBe(200);
  expect((await access(erasing.crbId)).status).toBe(200);
  clock.advance(hour);
  await purgeCrbJournaled(stores(), purging.crbId, { clock });

  const readState = async () => ({
    anonymous: await anonymous(),
    leaked: [
      await getProviderStatus(leaked.secret),
      await getProviderStatus(token),
      await getCrbStatus(stolen.secret, ending.crbId),
    ],
    rotated: [await getCrbStatus(erasing.secret, erasing.crbId), await getCrbStatus(erasing.token, erasing.crbId)],
    ended: [await getCrbStatus(ending.secret, ending.crbId), (await access(ending.crbId)).status],
    purged: [await getCrbStatus(purging.secret, purging.crbId), (await access(purging.crbId)).status],
  });
  const effects = {
    anonymous: true,
    leaked: [401, 401, 401],
    rotated: [401, 401],
    ended: [401, 404],
    purged: [401, 404],
  };
  expect(await readState()).toEqual(effects);

  await resetTable(table(), backup);
  const { anonymous: isAnonymous, leaked: afterRestore } = await readState();
  expect([isAnonymous, afterRestore]).toEqual([false, [200, 200, 200]]);

  await resetTable(table(), backup);
  // A first replay is killed early; a second one starts from the beginning.
  let reads = 0;
  const crashing = crashingBucket(() => {
    if (reads++ > 8) throw new Error("killed");
  });
  await replay(restoredTo, { ...stores(), bucket: crashing }).catch(() => undefined);
  crashing.client.destroy();
  clock.advance(61_000);
  const kinds = (await replay(restoredTo)).filter(([, outcome]) => outcome !== "done");
  // Pairs issued after the backup are lost with the restore; the pairs that they replaced are revoked.
  expect(kinds).toEqual([]);
  expect(await readState()).toEqual(effects);
  const left = (await scan(table())).filter((item) => !isLogged(item));
  expect(JSON.stringify(left)).not.toContain(purging.crbId);
  expect(await listVersions(serviceBucket(), `${purging.crbId}/`)).toEqual([]);
  // The days until the purge are counted from the first end.
  expect(await endedAssociations(table(), clock.now())).toMatchObject([
    { crbId: ending.crbId, endedAt: ended.toISOString() },
  ]);

  clock.advance(61_000);
  await replay(restoredTo);
  const again = differences(comparable(await scan(table())), comparable(left));
  // A second replay changes only leases, and dates in the list of erased customers.
  expect(again.filter((line) => !/^(REPLICATION#|CRB#[^#]*#ERASED)/.test(line))).toEqual([]);
}, 240_000);

test("an operation that was written to the journal but not done is done by the replay", async () => {
  const { spId } = provider();
  const owner = { kind: "serviceProvider" as const, id: spId };
  const { client_id, secret } = await issueCredential(table(), { owner, spId, scopes: serviceProviderScopes });
  const since = clock.now();
  await writeToJournal(serviceBucket(), { kind: "revocation", client_id, keep_issued: false, keep_made: true }, since);
  expect(await getProviderStatus(secret)).toBe(200);
  await replay(since);
  expect(await getProviderStatus(secret)).toBe(401);
});

test("a CRB that was created again under the same id is left as it is", async () => {
  const crbId = randomUUID();
  const create = (template_result_id: string) =>
    createCrb(
      table(),
      { record: { ...crbRecord(crbId), template_result_id }, serviceProviderId: provider().spId, connection: null },
      clock,
    );
  await create(randomUUID());
  const since = clock.now();
  await endAssociationJournaled(stores(), crbId, clock);
  clock.advance(hour);
  await purgeCrbJournaled(stores(), crbId, { clock });
  expect(await create(randomUUID())).toBe(true);
  const before = await readCrb(table(), crbId);
  const outcomes = (await replay(since, stores(), clock.now()))
    .filter(([kind]) => kind === "end" || kind === "purge")
    .slice(-2);
  expect(outcomes).toEqual([
    ["end", "createdAnew"],
    ["purge", "createdAnew"],
  ]);
  expect(await readCrb(table(), crbId)).toEqual(before);
});

test("an end is completed if the restored table has only a part of it", async () => {
  const crbId = randomUUID();
  const { spId } = provider();
  const connection = { posType: "Dutchie" as const, locationId: null, connectedAt: clock.now().toISOString() };
  const record = { ...crbRecord(crbId), name: "Torn", ein: "84-5550111" };
  await createCrb(table(), { record, serviceProviderId: spId, connection }, clock);
  await table().put({ ...posCredentialsKey(crbId), sealed: new Uint8Array(1) });
  const ofConnection = [replicationDueKey(crbId), posCredentialsKey(crbId)];
  const keys = [...ofConnection, crbKey(crbId), einKey(spId, record.ein)];
  const before = await table().batchGet(keys, { consistent: true });
  expect(before.size).toBe(keys.length);
  clock.advance(hour);
  const since = clock.now();
  await endAssociationJournaled(stores(), crbId, clock);
  // The restore has the end of the association, but not the end of the connection.
  for (const item of before.values()) await table().put(item);
  await table().delete(endedCrbKey(since.toISOString(), crbId));
  clock.advance(hour);
  expect((await replay(since, stores(), since)).at(-1)).toEqual(["end", "done"]);
  expect(await readCrb(table(), crbId)).toMatchObject({ endedAt: since.toISOString(), connection: null });
  expect(await endedAssociations(table(), clock.now())).toContainEqual(expect.objectContaining({ crbId }));
  expect((await table().batchGet(ofConnection, { consistent: true })).size).toBe(0);
  expect(idsOf(await findOrganization(table(), spId, record))).toEqual([]);
});

test("files are removed even if the table no longer has the CRB", async () => {
  clock.advance(hour);
  const crbId = randomUUID();
  await serviceBucket().store(`${crbId}/left`, "eA==", "text/plain");
  const since = clock.now();
  const entry = { crb_id: crbId, sp_id: provider().spId, creation: randomUUID() };
  await writeToJournal(serviceBucket(), { kind: "purge", ...entry }, since);
  expect((await replay(since, stores(), since)).at(-1)).toEqual(["purge", "done"]);
  expect(await listVersions(serviceBucket(), `${crbId}/`)).toEqual([]);
});

test("a journal object that fails does not stop the others, and a forged or malformed one has no effect", async () => {
  clock.advance(48 * hour);
  const since = clock.now();
  const crbId = randomUUID();
  const record = { ...crbRecord(crbId), name: "Standing" };
  await createCrb(table(), { record, serviceProviderId: provider().spId, connection: null }, clock);
  const { template_result_id: creation } = record;
  const at = (kind: "revocation" | "end", millisecond: number) =>
    `${journalPrefix(kind)}${new Date(since.getTime() + millisecond).toISOString()}-${randomUUID()}`;
  // A writer of one kind of journal objects cannot forge another kind.
  const forged = JSON.stringify({ kind: "end", crb_id: crbId, creation });
  await serviceBucket().storeBytes(at("revocation", 1), Buffer.from(forged));
  await serviceBucket().storeBytes(at("end", 2), Buffer.from("no JSON"));
  const sp_id = provider().spId;
  await writeToJournal(serviceBucket(), { kind: "purge", crb_id: crbId, sp_id, creation }, new Date(clock.time + 3));
  await writeToJournal(
    serviceBucket(),
    { kind: "erasure", crb_id: randomUUID(), customer_id: randomUUID() },
    new Date(clock.time + 4),
  );
  expect(await replay(since, stores(), new Date(clock.time + 4))).toEqual([
    ["revocation", "failed"],
    ["end", "failed"],
    ["purge", "failed"],
    ["erasure", "absent"],
  ]);
  expect((await readCrb(table(), crbId))?.endedAt).toBeUndefined();
});

test("journal objects are replayed from a day before the backup on, however many there are", async () => {
  clock.advance(48 * hour);
  const note = (at: number) =>
    writeToJournal(
      serviceBucket(),
      { kind: "revocation", client_id: randomUUID(), keep_issued: true, keep_made: true },
      new Date(at),
    );
  const restoredTo = clock.now();
  await note(clock.time - 24 * hour - 1);
  await note(clock.time - 24 * hour);
  for (let i = 0; i < 1_005; i += 15) await Promise.all(Array.from({ length: 15 }, () => note(clock.time + i)));
  const found = await entriesToReplay(stores(), restoredTo);
  const places = found.filter(({ at }) => at <= new Date(clock.time + 2_000).toISOString());
  expect(places).toHaveLength(1_006);
  expect(places.map(({ at }) => at)).toEqual(places.map(({ at }) => at).sort());
}, 240_000);
