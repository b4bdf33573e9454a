import { randomUUID } from "node:crypto";
import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import { findOrganization, idsOf, organizationWrites } from "../../../shared/store/organizations.ts";
import { crbRecord } from "../../crbRecord.ts";
import { createTestTable } from "../../testTable.ts";

const table = await createTestTable();
const shared = { ein: "84-1111111", name: "Sunrise Collective" };

/** CRBs of one service provider, and the transaction that stores each as the only one of its organization. */
function planCrbs(...records: Partial<ReturnType<typeof crbRecord>>[]) {
  const serviceProviderId = randomUUID();
  const crbs = records.map((record) => ({
    record: { ...crbRecord(randomUUID()), ...record },
    serviceProviderId,
    connection: null,
  }));
  const writes = crbs.map((crb) => organizationWrites(table, undefined, crb, { same: new Map() }));
  const find = async (record: { ein: string | null; name: string }) =>
    idsOf(await findOrganization(table, serviceProviderId, { state: "CO", ...record }))[0];
  return { crbs, writes, find };
}

const byEin = { ein: "84-1111111", name: "Other" };
const byName = { ein: "84-2222222", name: "SUNRISE  collective" };
const byNameAlone = { ein: null, name: "Sunrise\u200b Collective" };

test.each([
  [shared, byEin],
  [byEin, shared],
  [shared, byName],
  [byName, shared],
  [shared, byNameAlone],
  [byNameAlone, shared],
])("of the simultaneously planned CRBs %j and %j, only the first is stored", async (...records) => {
  const { crbs, writes, find } = planCrbs(...records);
  const [one = [], two = []] = writes;
  await table.transact(one);
  await expect(table.transact(two)).rejects.toThrow(TransactionCanceledException);
  for (const record of records) expect(await find(record)).toBe(crbs[0]?.record.id);
});

test("the same CRB can be stored again, even if its items are missing", async () => {
  const { crbs, writes, find } = planCrbs(shared);
  const [crb = expect.fail()] = crbs;
  await table.transact(organizationWrites(table, crb, crb, { same: new Map() }));
  await table.transact(writes[0] ?? []);
  expect(await find(shared)).toBe(crb.record.id);
});
