import { expect, test } from "vitest";
import { endAssociation } from "../../../../../shared/domain/crbs/endAssociation.ts";
import { endAssociationJournaled, purgeCrbJournaled } from "../../../../../shared/domain/crbs/journaledCrbChanges.ts";
import { purgeBelongings, purgeCrb } from "../../../../../shared/domain/crbs/purge/purgeCrb.ts";
import { serviceBucket } from "../../../../../shared/domain/documents/bucket.ts";
import { listJournal } from "../../../../../shared/domain/documents/journal.ts";
import { objectPrefixes, snapshotPrefix } from "../../../../../shared/domain/documents/objectPrefixes.ts";
import { listVersions } from "../../../../../shared/domain/documents/objectVersions.ts";
import { type SendingResult, sendInvitations } from "../../../../../shared/domain/invitations/sendInvitations.ts";
import { itemId, type Table } from "../../../../../shared/store/client.ts";
import { createCrb } from "../../../../../shared/store/crbs.ts";
import { endedAssociations } from "../../../../../shared/store/endedAssociations.ts";
import { associationKey, crbKey, posCredentialsKey } from "../../../../../shared/store/keys/crbs.ts";
import { invitationKey } from "../../../../../shared/store/keys/invitations.ts";
import { recordKey, recordList } from "../../../../../shared/store/keys/orderedLists.ts";
import { replicationDueKey } from "../../../../../shared/store/keys/replication.ts";
import { LeaseLostError, transactFenced } from "../../../../../shared/store/orderedList/fence.ts";
import { decodeListCursor, encodeListCursor } from "../../../../../shared/store/orderedList/listCursor.ts";
import { readChanges } from "../../../../../shared/store/orderedList/readChanges.ts";
import { crashingBucket } from "../../../../crashingBucket.ts";
import { crbRecord } from "../../../../crbRecord.ts";
import { tableOf } from "../../../../tableCopy.ts";
import { differences, scan } from "../../../../tableState.ts";
import { crashAt, crashPoints, crashStep, sides, writesOf } from "../../../store/crashInjection.ts";
import { isLogged } from "../../../store/eventLog/eventsUnderTest.ts";
import { interceptCalls } from "../../../store/orderedList/listUnderTest.ts";
import { acquireFreeLease } from "../../replication/acquireFreeLease.ts";
import { documentedItems } from "./documentedItems.ts";
import { hour, usePurge } from "./usePurge.ts";

const all = usePurge();
const { table, clock, stores, fill, comparable } = all;

const filesWithout = async (prefix: string) =>
  (await listVersions(serviceBucket(), ""))
    .map(({ key, version }) => `${key} ${version}`)
    .filter((file) => !file.startsWith(prefix));

test("a purge removes all that the service has stored of a business, and nothing else", async () => {
  await fill("Neighbor", 12);
  const [itemsBefore, filesBefore, since] = [await scan(table()), await filesWithout("journal/"), clock.now()];
  const { crbId } = await fill("Leaving", 24);

  const full = await scan(table());
  const missing = documentedItems(crbId).filter(
    ({ pk, sk }) => !full.some((item) => pk.test(item.pk) && sk.test(item.sk)),
  );
  expect(missing.map(({ item }) => item)).toEqual([
    "CRB whose association has ended",
    "CRB that was purged",
    "export whose links a credential received, or a token of a key that it added",
    // A service provider's credentials have these, if they expire.
    "credential of a service provider that expires",
    "notice of a credential's expiry",
    // Only the credentials of identity providers have this.
    "exchanged assertion",
    // Service providers' credentials have these. Invited users have them for two days if they have connected the POS.
    "checks of POS credentials of a caller, counted",
    "checks of POS credentials of a caller, counted",
    // Only service providers' credentials have this.
    "use of a credential's rate limit",
    // Exists only until the end of the run that has revised the day. It is in the partition of the weeks.
    "revision of a complete sales day that no event has reported",
    "sales day with more flagged sales than an event has reported",
    // Exists only between two calls.
    "events that have no place yet",
    // Exist only during a restoration.
    "CRB that is [restored](spec.md#restored-businesses), and so closed",
    "progress of its restoration",
  ]);
  // A document and a deleted one, with two objects each, the removal of the latter, and an upload that did not become a document.
  const files = (await filesWithout("journal/")).filter((file) => !filesBefore.includes(file));
  const snapshots = files.filter((file) => file.startsWith(snapshotPrefix(crbId)));
  expect(files.length - snapshots.length).toBe(8);
  expect(snapshots.length).toBeGreaterThan(1);

  const counts = new Map<string, number>();
  const purge = () =>
    purgeCrbJournaled(stores(), crbId, {
      clock,
      removed: (what, count) => void counts.set(what, (counts.get(what) ?? 0) + count),
    });
  expect(await purge()).toEqual({ outcome: "associated" });
  const ended = clock.now();
  await endAssociationJournaled(stores(), crbId, clock);
  expect(await purge()).toEqual({ outcome: "early", until: new Date(ended.getTime() + hour / 3) });
  clock.advance(hour);
  expect(await endedAssociations(table(), clock.now())).toMatchObject([{ crbId, endedAt: ended.toISOString() }]);
  expect(await endedAssociations(table(), new Date(ended.getTime() - 1))).toEqual([]);
  expect(await purge()).toEqual({ outcome: "purged", endedAt: ended, beganAt: clock.now() });

  const left = await scan(table());
  expect([...comparable(left).values()].join()).not.toContain(crbId);
  expect(differences(comparable(left), comparable(itemsBefore))).toEqual([]);
  expect(await filesWithout("journal/")).toEqual(filesBefore);
  // Rejected purges are not in the journal.
  const journal = await listJournal(serviceBucket(), since);
  expect(journal.map(({ kind }) => kind).filter((kind) => kind !== "revocation")).toEqual(["end", "purge"]);
  const records = full.filter(({ pk }) => pk === recordList(crbId, "inventory").pk);
  expect(Object.fromEntries(counts)).toMatchObject({ "inventory records": records.length, credentials: 3 });
  expect(await purge()).toBeUndefined();
}, 240_000);

// Each purge of a copy of the business is killed at another write, and compared with an uninterrupted one.
test("a purge that is killed at a write is finished by a second call", async () => {
  const before = new Set((await scan(table())).map(itemId));
  const { crbId } = await fill("Ended", 4);
  await endAssociation(table(), serviceBucket(), crbId, clock);
  clock.advance(hour);
  const filled = (await scan(table())).filter((item) => !before.has(itemId(item)));
  const purge = (on: Table) => purgeCrb(on, serviceBucket(), crbId, { clock });

  const uninterrupted = await tableOf(filled);
  const writes = await writesOf(interceptCalls(uninterrupted), () => purge(uninterrupted));
  expect(writes).toBeGreaterThan(50);
  const expected = comparable(await scan(uninterrupted));
  expect([...expected.values()].join()).not.toContain(crbId);
  for (const write of crashPoints(writes)) {
    for (const side of sides) {
      const copy = await tableOf(filled);
      const calls = interceptCalls(copy);
      crashAt(calls, write, side);
      await expect(purge(copy)).rejects.toThrow("killed");
      calls.before = calls.after = () => undefined;
      // The leases of the killed purge expire.
      clock.advance(61_000);
      const remaining = await copy.get(crbKey(crbId));
      expect(await purge(copy)).toEqual(remaining && expect.objectContaining({ outcome: "purged" }));
      expect(differences(comparable(await scan(copy)), expected), `${side} write ${write}`).toEqual([]);
      copy.client.destroy();
    }
  }
}, 900_000);

/** A business whose association has ended, with almost nothing stored. */
async function createEndedBusiness() {
  const { crbId } = await fill("Small", 2);
  await endAssociation(table(), serviceBucket(), crbId, clock);
  clock.advance(hour);
  return crbId;
}

test("a purge that is killed at any call of the bucket is finished by a second call, which reports the first one's start", async () => {
  const crbId = await createEndedBusiness();
  const began = clock.now();
  for (let callsBeforeCrash = 0, isCut = true; isCut; callsBeforeCrash += crashStep) {
    let calls = 0;
    isCut = false;
    const crashing = crashingBucket(() => {
      isCut ||= calls++ >= callsBeforeCrash;
      if (isCut) throw new Error("killed");
    });
    const result = await purgeCrb(table(), crashing, crbId, { clock }).catch(() => "killed");
    expect(result).toEqual(isCut ? "killed" : expect.objectContaining({ outcome: "purged", beganAt: began }));
    crashing.client.destroy();
    clock.advance(61_000);
  }
  const left = await Promise.all(objectPrefixes(crbId).map((prefix) => listVersions(serviceBucket(), prefix)));
  expect(left.flat()).toEqual([]);
}, 240_000);

test("a purge waits for a running replication, and gives up if it does not end", async () => {
  const crbId = await createEndedBusiness();
  const lease = await acquireFreeLease(table(), crbId, "sale", clock);
  const renewing = {
    now: () => clock.now(),
    sleep: async (milliseconds: number) => {
      clock.advance(milliseconds);
      await lease.renew();
    },
  };
  await expect(purgeCrb(table(), serviceBucket(), crbId, { clock: renewing })).rejects.toMatchObject({
    kind: "unavailable",
  });
  const releasing = { now: () => clock.now(), sleep: async () => lease.release() };
  expect(await purgeCrb(table(), serviceBucket(), crbId, { clock: releasing })).toMatchObject({ outcome: "purged" });
});

test("a purge keeps new senders from inviting, and removes what a running sender writes", async () => {
  const crbId = await createEndedBusiness();
  let sent: SendingResult | undefined;
  const watched = crashingBucket(async () => {
    sent ??= await sendInvitations(table(), crbId, clock);
    await table().put({ ...invitationKey(crbId, "late"), attempts: 1 });
  });
  expect(await purgeCrb(table(), watched, crbId, { clock })).toMatchObject({ outcome: "purged" });
  expect(sent).toEqual({ sent: 0, unsent: 0, abandoned: 0 });
  expect([...comparable(await scan(table())).values()].join()).not.toContain(crbId);
  watched.client.destroy();
});

test("a purge removes the POS credentials and due replications if a restored table still has the association", async () => {
  const { crbId } = await fill("Restored", 2);
  const { spId } = all.provider();
  const items = async () => (await scan(table())).filter((item) => !isLogged(item));
  const named = async () => (await items()).filter((item) => JSON.stringify(item).includes(crbId)).map(itemId);
  const keysOfEnd = [posCredentialsKey(crbId), replicationDueKey(crbId)].map(itemId);
  expect(await named()).toEqual(expect.arrayContaining(keysOfEnd));
  await purgeBelongings(table(), serviceBucket(), { crbId, spId }, clock, () => undefined);
  expect((await named()).sort()).toEqual([crbKey(crbId), associationKey(spId, crbId)].map(itemId).sort());
});

test("after a purge, a worker whose lease expired meanwhile can write nothing", async () => {
  const crbId = await createEndedBusiness();
  const lease = await acquireFreeLease(table(), crbId, "sale", clock);
  clock.advance(61_000);
  await purgeCrb(table(), serviceBucket(), crbId, { clock });
  const late = table().putWrite({ ...recordKey(recordList(crbId, "sale"), "late"), body: "{}" });
  await expect(transactFenced(table(), lease.fence, [late])).rejects.toThrow(LeaseLostError);
  await expect(lease.save("1", lease.counts, null)).rejects.toThrow(LeaseLostError);
  await expect(lease.renew()).rejects.toThrow(LeaseLostError);
  expect([...comparable(await scan(table())).values()].join()).not.toContain(crbId);
});

test("a purge of an association without an end date waits until its end is called again", async () => {
  const crbId = await createEndedBusiness();
  const { endedAt: _, ...undated } = (await table().get(crbKey(crbId))) ?? expect.fail("no CRB");
  await table().put(undated);
  const purge = () => purgeCrb(table(), serviceBucket(), crbId, { clock });
  expect(await purge()).toEqual({ outcome: "unknown" });
  expect(await endAssociation(table(), serviceBucket(), crbId, clock)).toMatchObject({ ended: false });
  expect(await purge()).toMatchObject({ outcome: "early" });
  clock.advance(hour);
  expect(await purge()).toMatchObject({ outcome: "purged" });
});

test("a CRB with the same id can be created only after the purge has finished", async () => {
  const crbId = await createEndedBusiness();
  const anew = () => {
    const record = crbRecord(crbId);
    return createCrb(table(), { record, serviceProviderId: all.provider().spId, connection: null }, clock);
  };
  const killedPurge = purgeCrb(
    table(),
    crashingBucket(() => Promise.reject(new Error("killed"))),
    crbId,
    { clock },
  );
  await expect(killedPurge).rejects.toThrow("killed");
  expect(await anew()).toBe(false);
  clock.advance(61_000);
  await purgeCrb(table(), serviceBucket(), crbId, { clock });
  expect(await anew()).toBe(true);
});

test("an Idempotency-Key never returns the id of a purged business, because old cursors would skip records in its lists", async () => {
  const cursorsOf = async (crbId: string) => {
    const { places } = await readChanges(table(), recordList(crbId, "sale"), { after: undefined, limit: 1_000 });
    expect(places.length).toBeGreaterThan(0);
    return places.map(({ rank }) => encodeListCursor(table(), recordList(crbId, "sale"), rank, undefined));
  };
  const { crbId } = await fill("Again", 2);
  const cursors = await cursorsOf(crbId);
  await endAssociation(table(), serviceBucket(), crbId, clock);
  clock.advance(hour);
  await purgeCrb(table(), serviceBucket(), crbId, { clock });
  const anew = await fill("Again", 2);
  for (const cursor of cursors) {
    expect(decodeListCursor(table(), recordList(anew.crbId, "sale"), cursor)).toBeUndefined();
  }
});
