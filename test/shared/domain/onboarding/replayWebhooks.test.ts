import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { demoServiceProvider } from "../../../../infra/local/demoBusinesses.ts";
import { purgeServiceProviderJournaled } from "../../../../shared/domain/crbs/journaledCrbChanges.ts";
import { entriesToReplay, replayEntry } from "../../../../shared/domain/crbs/replayJournal.ts";
import { serviceBucket } from "../../../../shared/domain/documents/bucket.ts";
import { journalFolder } from "../../../../shared/domain/documents/journal.ts";
import { createEndpoint } from "../../../../shared/domain/webhooks/createEndpoint.ts";
import { readEndpoint } from "../../../../shared/domain/webhooks/endpoint.ts";
import { rotateSecret } from "../../../../shared/domain/webhooks/endpointChanges.ts";
import {
  deleteEndpointJournaled,
  rotateSecretJournaled,
} from "../../../../shared/domain/webhooks/journaledEndpointChanges.ts";
import { signingSecrets } from "../../../../shared/domain/webhooks/secrets.ts";
import type { Table } from "../../../../shared/store/client.ts";
import { putServiceProvider } from "../../../../shared/store/crbs.ts";
import { enabledWebhookKey } from "../../../../shared/store/keys/webhooks.ts";
import { resetTable } from "../../../tableCopy.ts";
import { scanRaw } from "../../../tableState.ts";
import { useTestSealingKey } from "../../../testServiceKey.ts";
import { testTableOf } from "../../../testTable.ts";
import { useTestBucket } from "../../../useTestBucket.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { interceptCalls, TestClock } from "../../store/orderedList/listUnderTest.ts";

const table = useTestTable();
useTestSealingKey();
useTestBucket();

const hour = 3_600_000;
const sent = { url: "https://93.184.216.34/events", description: "", eventTypes: [] };

/** A service provider in a table with a clock of its own. */
async function createTestProvider() {
  const clock = new TestClock("2026-03-01T12:00:00.000Z");
  const on = testTableOf(table(), clock);
  const spId = randomUUID();
  await putServiceProvider(on, { ...demoServiceProvider, id: spId });
  const readStored = async (id: string) => (await readEndpoint(on, spId, id)) ?? expect.fail("no endpoint");
  return { clock, on, spId, stores: { table: on, bucket: serviceBucket() }, readStored };
}

/** Takes a backup of the table, and returns a function that restores it. */
async function backup(on: Table) {
  const items = await scanRaw(on);
  return () => resetTable(on, items);
}

async function replay({ stores, clock, spId }: Awaited<ReturnType<typeof createTestProvider>>, since: Date) {
  const outcomes: [kind: string, outcome: string][] = [];
  for (const place of await entriesToReplay(stores, since)) {
    const entry = String(await stores.bucket.readBytes(place.key));
    if (entry.includes(spId)) outcomes.push([place.kind, (await replayEntry(stores, place, clock)).outcome]);
  }
  return outcomes;
}

test("after a restore, the replay deletes endpoints again, and replaces secrets that had been rotated", async () => {
  const one = await createTestProvider();
  const { clock, on, spId, stores, readStored } = one;
  const deleted = (await createEndpoint(on, spId, sent)).endpoint.id;
  const { endpoint, secret: leaked } = await createEndpoint(on, spId, sent);
  const untouched = await createEndpoint(on, spId, sent);
  const restore = await backup(on);
  const restoredTo = clock.now();
  clock.advance(hour);
  await deleteEndpointJournaled(stores, spId, deleted);
  const followed = clock.now();
  const { secret: second } = await rotateSecretJournaled(stores, spId, endpoint.id);
  clock.advance(hour);
  await rotateSecretJournaled(stores, spId, endpoint.id);

  await restore();
  expect(await signingSecrets(await readStored(endpoint.id), clock.now())).toEqual([leaked]);
  clock.advance(hour);
  const expected = [
    ["deletion", "done"],
    ["rotation", "done"],
    // The second rotation's secret was created after the backup and is lost with the restore.
    ["rotation", "absent"],
  ];
  expect(await replay(one, restoredTo)).toEqual(expected);
  expect(await readEndpoint(on, spId, deleted)).toBeUndefined();
  expect(await on.get(enabledWebhookKey(spId, deleted), { consistent: true })).toBeUndefined();
  const again = await readStored(endpoint.id);
  const within = await signingSecrets(again, new Date(followed.getTime() + 24 * hour - 1));
  const after = await signingSecrets(again, new Date(followed.getTime() + 24 * hour));
  expect(within).toEqual([...after, leaked]);
  // A new secret that no one knows, so that deliveries are still signed.
  expect(after).toEqual([expect.stringMatching(/^whsec_/)]);
  expect([leaked, second]).not.toContain(after[0]);
  expect(again.enabled).toBe(true);
  expect(await signingSecrets(await readStored(untouched.endpoint.id), clock.now())).toEqual([untouched.secret]);

  expect(await replay(one, restoredTo)).toEqual([["deletion", "absent"], ...expected.slice(1)]);
  expect(await readStored(endpoint.id)).toEqual(again);
  // The service provider rotates it once more.
  const { secret } = await rotateSecretJournaled(stores, spId, endpoint.id);
  expect((await signingSecrets(await readStored(endpoint.id), clock.now()))[0]).toBe(secret);
});

test("after a restore, the replay removes the endpoints of a removed service provider", async () => {
  const one = await createTestProvider();
  const { clock, on, spId, stores } = one;
  const { endpoint } = await createEndpoint(on, spId, sent);
  const restore = await backup(on);
  const restoredTo = clock.now();
  clock.advance(hour);
  expect(await purgeServiceProviderJournaled(stores, spId, clock)).toEqual({ outcome: "purged" });
  await restore();
  expect(await readEndpoint(on, spId, endpoint.id)).toBeDefined();
  expect(await replay(one, restoredTo)).toEqual([
    ["deletion", "done"],
    ["removal", "done"],
  ]);
  expect(await readEndpoint(on, spId, endpoint.id)).toBeUndefined();
});

test("the journal is written before a secret or an endpoint ends, once per ended secret, and contains no secret", async () => {
  const one = await createTestProvider();
  const { clock, on, spId, stores, readStored } = one;
  const { endpoint, secret } = await createEndpoint(on, spId, sent);
  const { id } = endpoint;
  const crashing = testTableOf(table(), clock);
  let other: string | undefined;
  interceptCalls(crashing).before = async (command) => {
    if (command !== "TransactWriteItemsCommand") return;
    // Another rotation comes in between, and then this one is killed.
    if (other) throw new Error("killed");
    other = (await rotateSecret(on, spId, id)).secret;
  };
  await expect(rotateSecretJournaled({ ...stores, table: crashing }, spId, id)).rejects.toThrow("killed");
  await expect(deleteEndpointJournaled({ ...stores, table: crashing }, spId, id)).rejects.toThrow("killed");
  const texts: string[] = [];
  for (const { key } of await serviceBucket().list(journalFolder, "")) {
    const text = String(await serviceBucket().readBytes(key));
    if (text.includes(spId)) texts.push(text);
  }
  const entries = texts.map((text) => JSON.parse(text));
  const digest = expect.stringMatching(/^[0-9a-f]{64}$/);
  const ids = { sp_id: spId, endpoint_id: id };
  expect(entries).toHaveLength(3);
  expect(entries).toEqual(expect.arrayContaining([ids, { ...ids, secret: digest }]));
  expect(new Set(entries.map((entry) => entry.secret)).size).toBe(3);
  for (const one of [secret, other ?? ""]) expect(texts.join()).not.toContain(one.slice("whsec_".length));
  // Operations that were journaled but not done are done by the replay.
  expect((await readStored(id)).secrets).toHaveLength(2);
  expect((await replay(one, clock.now())).map(([, outcome]) => outcome)).toContain("done");
  expect(await readEndpoint(on, spId, id)).toBeUndefined();
});
