import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { demoServiceProvider } from "../../../../infra/local/demoBusinesses.ts";
import { issueCredential } from "../../../../shared/auth/credentials.ts";
import { serviceProviderScopes } from "../../../../shared/auth/scopes.ts";
import {
  endAssociationJournaled,
  purgeCrbJournaled,
  purgeServiceProviderJournaled,
} from "../../../../shared/domain/crbs/journaledCrbChanges.ts";
import { entriesToReplay, replayEntry } from "../../../../shared/domain/crbs/replayJournal.ts";
import { serviceBucket } from "../../../../shared/domain/documents/bucket.ts";
import { standardTemplate } from "../../../../shared/domain/onboarding/standardTemplate.ts";
import { putTemplate } from "../../../../shared/domain/onboarding/templates.ts";
import { createCrb, putServiceProvider, readServiceProvider } from "../../../../shared/store/crbs.ts";
import { crbRecord } from "../../../crbRecord.ts";
import { resetTable } from "../../../tableCopy.ts";
import { scan, scanRaw } from "../../../tableState.ts";
import { testTableOf } from "../../../testTable.ts";
import { useTestBucket } from "../../../useTestBucket.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { isLogged } from "../../store/eventLog/eventsUnderTest.ts";
import { TestClock } from "../../store/orderedList/listUnderTest.ts";

const table = useTestTable();
useTestBucket({ versioned: true });

const hour = 3_600_000;

/** A service provider, with functions that change it by a clock of its own. */
async function createTestProvider() {
  const clock = new TestClock("2026-03-01T12:00:00.000Z");
  const on = table();
  const spId = randomUUID();
  const stores = { table: on, bucket: serviceBucket() };
  const create = async () => {
    await putServiceProvider(testTableOf(on, clock), { ...demoServiceProvider, id: spId });
    const owner = { kind: "serviceProvider", id: spId } as const;
    await issueCredential(on, { owner, spId, scopes: serviceProviderScopes }, clock);
  };
  await create();
  await putTemplate(on, spId, { ...standardTemplate, template_id: randomUUID() });
  const createBusiness = async () => {
    const crbId = randomUUID();
    await createCrb(on, { record: crbRecord(crbId), serviceProviderId: spId, connection: null }, clock);
    return crbId;
  };
  const purgeBusiness = async (crbId: string) => {
    await endAssociationJournaled(stores, crbId, clock);
    clock.advance(hour);
    expect(await purgeCrbJournaled(stores, crbId, { clock })).toMatchObject({ outcome: "purged" });
  };
  /** Takes a backup of the table, and returns a function that restores it. */
  const backup = async () => {
    const items = await scanRaw(on);
    return () => resetTable(on, items);
  };
  const remainingPartitions = async () =>
    (await scan(on)).filter((item) => !isLogged(item) && JSON.stringify(item).includes(spId)).map(({ pk }) => pk);
  /** Replays the journal. Returns the outcomes of the given kinds. */
  const replay = async (since: Date, ofKinds = ["end", "purge", "removal"]) => {
    const outcomes: unknown[] = [];
    for (const place of await entriesToReplay(stores, since)) {
      const result = await replayEntry(stores, place, clock);
      if (ofKinds.includes(place.kind)) outcomes.push([place.kind, result]);
    }
    return outcomes;
  };
  return { clock, on, spId, stores, create, createBusiness, purgeBusiness, backup, remainingPartitions, replay };
}

test("after a restore, the replay removes again a removed service provider and its items", async () => {
  const { clock, spId, stores, createBusiness, purgeBusiness, backup, remainingPartitions, replay } =
    await createTestProvider();
  const crbId = await createBusiness();
  const restore = await backup();
  const restoredTo = clock.now();
  clock.advance(hour);
  await purgeBusiness(crbId);
  // At the same time as the purge: the replay does the removal after it nevertheless.
  expect(await purgeServiceProviderJournaled(stores, spId, clock)).toEqual({ outcome: "purged" });
  expect(await remainingPartitions()).toEqual([]);

  await restore();
  expect(await remainingPartitions()).not.toEqual([]);
  clock.advance(hour);
  const done = { outcome: "done" };
  expect(await replay(restoredTo)).toEqual([
    ["end", done],
    ["purge", done],
    ["removal", done],
  ]);
  expect(await remainingPartitions()).toEqual([]);
  expect((await replay(restoredTo)).at(-1)).toEqual(["removal", { outcome: "absent" }]);
});

test("the replay of a removal fails while CRBs are stored, and leaves a service provider that was created again", async () => {
  const one = await createTestProvider();
  const { clock, on, spId, stores, createBusiness, purgeBusiness, remainingPartitions } = one;
  const crbId = await createBusiness();
  const restore = await one.backup();
  clock.advance(48 * hour);
  await purgeBusiness(crbId);
  const removedAt = clock.now();
  expect(await purgeServiceProviderJournaled(stores, spId, clock)).toEqual({ outcome: "purged" });

  await restore();
  clock.advance(48 * hour);
  const removal = async () => (await one.replay(removedAt, ["removal"])).at(-1);
  // As if the journal objects of the CRB were older than this replay covers.
  const entries = await entriesToReplay(stores, removedAt);
  const place = entries.findLast(({ kind }) => kind === "removal") ?? expect.fail("no removal");
  expect(await replayEntry(stores, place, clock)).toEqual({ outcome: "failed", reason: "hasCrbs" });
  expect(await readServiceProvider(on, spId)).toBeDefined();
  await purgeBusiness(crbId);
  expect(await removal()).toEqual(["removal", { outcome: "done" }]);
  expect(await remainingPartitions()).toEqual([]);

  clock.advance(hour);
  await one.create();
  const before = await remainingPartitions();
  expect(await replayEntry(stores, place, clock)).toEqual({ outcome: "createdAnew" });
  expect(await remainingPartitions()).toEqual(before);
});
