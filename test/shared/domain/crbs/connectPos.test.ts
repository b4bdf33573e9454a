import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { connectPos } from "../../../../shared/domain/crbs/connectPos.ts";
import { openConnection } from "../../../../shared/pos/openConnection.ts";
import type { Crb } from "../../../../shared/store/crb.ts";
import { changeCrb, createCrb, readCrb } from "../../../../shared/store/crbs.ts";
import { crbKey } from "../../../../shared/store/keys/crbs.ts";
import { crbRecord } from "../../../crbRecord.ts";
import { racedTable } from "../../../racedTable.ts";
import { useTestSealingKey } from "../../../testServiceKey.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { TestClock } from "../../store/orderedList/listUnderTest.ts";

const table = useTestTable();
useTestSealingKey();
beforeAll(() => void vi.stubEnv("POS_CONNECTORS", "sandbox"));
afterAll(() => void vi.unstubAllEnvs());
const clock = new TestClock("2026-03-01T12:00:00.000Z");
const blaze = { pos_type: "Blaze" as const, pos_credentials: { Authorization: "key" } };
const now = "2026-03-01T12:00:00.000Z";

async function createCrbs(...records: Partial<ReturnType<typeof crbRecord>>[]) {
  const serviceProviderId = randomUUID();
  const ids: string[] = [];
  for (const record of records) {
    const id = randomUUID();
    ids.push(id);
    await createCrb(table(), { record: { ...crbRecord(id), ...record }, serviceProviderId, connection: null }, clock);
  }
  return ids;
}
const configsOf = async (id: string) => (await readCrb(table(), id))?.record.pos_configs;

describe("the configuration becomes Connected", () => {
  test.each([
    ["a new one", []],
    ["one that was removed", [{ name: "Blaze", updated_date: "2026-01-01T00:00:00.000Z", status: "Not Connected" }]],
    ["one not checked yet", [{ name: "Blaze", updated_date: "2026-01-01T00:00:00.000Z", status: "Pending" }]],
  ] as const)("for %s", async (_, before) => {
    const [id = ""] = await createCrbs({ pos_configs: [...before] });
    await connectPos(table(), id, blaze, { clock });
    expect(await configsOf(id)).toEqual([{ name: "Blaze", updated_date: now, status: "Connected" }]);
    const crb = (await readCrb(table(), id)) ?? expect.fail("no CRB");
    expect((await openConnection(table(), crb))?.credentials).toEqual(blaze.pos_credentials);
  });
});

describe("docs/spec.md#same-organization check 9", () => {
  const twice = { ein: "84-5550177" };

  test.each([
    ["EIN", { ...twice, name: "One" }, { ...twice, name: "Two" }],
    ["name and state", { name: "Sunrise Collective" }, { name: "sunrise COLLECTIVE" }],
    ["name and state, and not its EIN,", { ...twice, name: "One" }, { ein: "84-5550178", name: "O\u200bne" }],
  ])("an organization is rejected if another CRB has its %s, and the error names that CRB", async (_, one, two) => {
    const [first, second = ""] = await createCrbs(one, two);
    await expect(connectPos(table(), second, blaze, { clock })).rejects.toMatchObject({
      kind: "conflict",
      details: { data: { org_id: first, name: one.name } },
    });
    expect(await configsOf(second)).toEqual([]);
  });

  test.each([
    ["is not stored", (id: string) => table().delete(crbKey(id))],
    ["has no association", (id: string) => table().update(crbKey(id), { endedAt: now })],
  ])("a CRB that %s does not count, although a restore has left its mention", async (_, lose) => {
    const [lost = "", id = ""] = await createCrbs({ ...twice, name: "One" }, { ...twice, name: "Two" });
    await lose(lost);
    await connectPos(table(), id, blaze, { clock });
    expect(await configsOf(id)).toMatchObject([{ status: "Connected" }]);
  });

  test.each([
    ["EIN", twice],
    ["name", { name: " ONE" }],
  ])("a CRB is not connected if another CRB takes its %s at the same moment", async (_, taken) => {
    const [id = "", other = ""] = await createCrbs({ ...twice, name: "One" }, { name: "Two" });
    const take = (crb: Crb) => ({ ...crb, record: { ...crb.record, ...taken } });
    const raced = racedTable(table(), () =>
      changeCrb(table(), other, take, clock, { compareHolders: async () => ({}) }),
    );
    await expect(connectPos(raced, id, blaze, { clock })).rejects.toMatchObject({ kind: "conflict" });
    expect(await configsOf(id)).toEqual([]);
  });
});
