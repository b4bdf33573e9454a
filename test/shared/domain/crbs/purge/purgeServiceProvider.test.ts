import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { demoServiceProvider } from "../../../../../infra/local/demoBusinesses.ts";
import { createBusiness } from "../../../../../shared/domain/crbs/createBusiness.ts";
import { purgeServiceProvider } from "../../../../../shared/domain/crbs/purge/purgeServiceProvider.ts";
import { createEndpoint } from "../../../../../shared/domain/webhooks/createEndpoint.ts";
import type { Table } from "../../../../../shared/store/client.ts";
import { createCrb, putServiceProvider } from "../../../../../shared/store/crbs.ts";
import { serviceProviderKey } from "../../../../../shared/store/keys/crbs.ts";
import { crbRecord } from "../../../../crbRecord.ts";
import { useCreation, valid } from "../../../../functions/crbs/useCreation.ts";
import { racedTable } from "../../../../racedTable.ts";
import { scan } from "../../../../tableState.ts";
import { useTestTable } from "../../../../useTestTable.ts";
import { TestClock } from "../../../store/orderedList/listUnderTest.ts";

const table = useTestTable();
useCreation(table);

type Body = Parameters<typeof createBusiness>[1]["body"];
const creations = {
  "a CRB": (on: Table, spId: string) =>
    createBusiness(on, { spId, body: valid as unknown as Body, idempotencyKey: undefined }),
  "a webhook endpoint": (on: Table, spId: string) =>
    createEndpoint(on, spId, { url: "https://93.184.216.34/events", description: "", eventTypes: [] }),
};

/** A service provider with no other items. */
async function createTestProvider() {
  const spId = randomUUID();
  await putServiceProvider(table(), { ...demoServiceProvider, id: spId });
  const remainingItems = async () => (await scan(table())).filter((item) => JSON.stringify(item).includes(spId));
  const purge = (on = table()) => purgeServiceProvider(on, spId, { clock: new TestClock("2026-03-01T12:00:00.000Z") });
  return { spId, remainingItems, purge };
}

test.each(Object.entries(creations))(
  "the creation of %s fails if its service provider is removed meanwhile",
  async (_, make) => {
    const { spId, remainingItems, purge } = await createTestProvider();
    const on = racedTable(table(), async () => expect(await purge()).toEqual({ outcome: "purged" }));
    await expect(make(on, spId)).rejects.toMatchObject({ kind: "notFound" });
    expect(await remainingItems()).toEqual([]);
    expect(await purge()).toEqual({ outcome: "unknown" });
  },
);

test.each(Object.entries(creations))(
  "the creation of %s fails while an interrupted removal waits to be finished",
  async (_, make) => {
    const { spId, remainingItems, purge } = await createTestProvider();
    const crashing = racedTable(table(), () => Promise.reject(new Error("killed")));
    await expect(purge(crashing)).rejects.toThrow("killed");
    await expect(make(table(), spId)).rejects.toMatchObject({ kind: "notFound" });
    expect(await purge()).toEqual({ outcome: "purged" });
    expect(await remainingItems()).toEqual([]);
  },
);

test("a CRB that is created first keeps its service provider, which works as before", async () => {
  const { spId, purge } = await createTestProvider();
  const crbId = randomUUID();
  // Between the first read of its CRBs and the update that marks the removal.
  const create = () => createCrb(table(), { record: crbRecord(crbId), serviceProviderId: spId, connection: null });
  const on = racedTable(table(), create, "UpdateItemCommand");
  expect(await purge(on)).toEqual({ outcome: "hasCrbs", crbIds: [crbId] });
  for (const make of Object.values(creations)) expect(await make(table(), spId)).toBeDefined();
});

test("a service provider works again after an interrupted removal if it has a CRB, or if the journal could not be written", async () => {
  const { spId, purge } = await createTestProvider();
  const withoutJournal = {
    before: () => Promise.reject(new Error("no journal")),
    clock: new TestClock("2026-03-01T12:00:00Z"),
  };
  await expect(purgeServiceProvider(table(), spId, withoutJournal)).rejects.toThrow("no journal");
  const crbId = randomUUID();
  await createCrb(table(), { record: crbRecord(crbId), serviceProviderId: spId, connection: null });
  for (const make of Object.values(creations)) expect(await make(table(), spId)).toBeDefined();

  await table().update(serviceProviderKey(spId), { removingSince: "2026-03-01T12:00:00.000Z" });
  expect(await purge()).toMatchObject({ outcome: "hasCrbs" });
  expect(await creations["a webhook endpoint"](table(), spId)).toBeDefined();
});
