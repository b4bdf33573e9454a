import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { demoServiceProvider } from "../../../../../infra/local/demoBusinesses.ts";
import { createBusiness } from "../../../../../shared/domain/crbs/createBusiness.ts";
import { purgeServiceProvider } from "../../../../../shared/domain/crbs/purge/purgeServiceProvider.ts";
import { createEndpoint } from "../../../../../shared/domain/webhooks/endpointsOfProvider.ts";
import type { Table } from "../../../../../shared/store/client.ts";
import { createCrb, putServiceProvider } from "../../../../../shared/store/crbs.ts";
import { serviceProviderKey } from "../../../../../shared/store/keys/crbs.ts";
import { crbRecord } from "../../../../crbRecord.ts";
import { useCreation, valid } from "../../../../functions/crbs/useCreation.ts";
import { scan } from "../../../../system/chaos/tableState.ts";
import { testTableOf } from "../../../../testTable.ts";
import { useTestTable } from "../../../../useTestTable.ts";
import { interceptCalls, TestClock } from "../../../store/orderedList/listUnderTest.ts";

const table = useTestTable();
useCreation(table);

type Body = Parameters<typeof createBusiness>[1]["body"];
const making = {
  "a CRB": (on: Table, spId: string) =>
    createBusiness(on, { spId, body: valid as unknown as Body, idempotencyKey: undefined }),
  "a webhook endpoint": (on: Table, spId: string) =>
    createEndpoint(on, spId, { url: "https://93.184.216.34/events", description: "", eventTypes: [] }),
};

/** A service provider of which nothing is stored but itself. */
async function given() {
  const spId = randomUUID();
  await putServiceProvider(table(), { ...demoServiceProvider, id: spId });
  const left = async () => (await scan(table())).filter((item) => JSON.stringify(item).includes(spId));
  const purge = (on = table()) => purgeServiceProvider(on, spId, { clock: new TestClock("2026-03-01T12:00:00.000Z") });
  return { spId, left, purge };
}

/** A table of a process of its own, that does something before its first transaction. */
function interrupted(meanwhile: () => Promise<unknown>): Table {
  const on = testTableOf(table());
  let isFirst = true;
  interceptCalls(on).before = async (command) => {
    if (command !== "TransactWriteItemsCommand" || !isFirst) return;
    isFirst = false;
    await meanwhile();
  };
  return on;
}

test.each(Object.entries(making))(
  "%s that is being made while its service provider is removed, is not",
  async (_, make) => {
    const { spId, left, purge } = await given();
    const on = interrupted(async () => expect(await purge()).toEqual({ outcome: "purged" }));
    await expect(make(on, spId)).rejects.toMatchObject({ kind: "notFound" });
    expect(await left()).toEqual([]);
    expect(await purge()).toEqual({ outcome: "unknown" });
  },
);

test.each(Object.entries(making))(
  "%s is not made while a removal that was cut off waits to be finished",
  async (_, make) => {
    const { spId, left, purge } = await given();
    const crashing = interrupted(() => Promise.reject(new Error("killed")));
    await expect(purge(crashing)).rejects.toThrow("killed");
    await expect(make(table(), spId)).rejects.toMatchObject({ kind: "notFound" });
    expect(await purge()).toEqual({ outcome: "purged" });
    expect(await left()).toEqual([]);
  },
);

test("a CRB that came first keeps its service provider, which goes on as before", async () => {
  const { spId, purge } = await given();
  const crbId = randomUUID();
  const on = testTableOf(table());
  // Between the first look at its CRBs and the mark.
  interceptCalls(on).before = async (command) => {
    if (command !== "UpdateItemCommand") return;
    await createCrb(table(), { record: crbRecord(crbId), serviceProviderId: spId, connection: null });
  };
  expect(await purge(on)).toEqual({ outcome: "hasCrbs", crbIds: [crbId] });
  for (const make of Object.values(making)) expect(await make(table(), spId)).toBeDefined();
});

test("a service provider goes on whose removal was cut off when a CRB had come, or could not be noted", async () => {
  const { spId, purge } = await given();
  const unnoted = {
    before: () => Promise.reject(new Error("no journal")),
    clock: new TestClock("2026-03-01T12:00:00Z"),
  };
  await expect(purgeServiceProvider(table(), spId, unnoted)).rejects.toThrow("no journal");
  const crbId = randomUUID();
  await createCrb(table(), { record: crbRecord(crbId), serviceProviderId: spId, connection: null });
  for (const make of Object.values(making)) expect(await make(table(), spId)).toBeDefined();

  await table().update(serviceProviderKey(spId), { removingSince: "2026-03-01T12:00:00.000Z" });
  expect(await purge()).toMatchObject({ outcome: "hasCrbs" });
  expect(await making["a webhook endpoint"](table(), spId)).toBeDefined();
});
