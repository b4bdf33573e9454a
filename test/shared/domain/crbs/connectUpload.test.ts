import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { connectUpload, uploadConnectionOf } from "../../../../shared/domain/crbs/connectUpload.ts";
import { openConnection } from "../../../../shared/pos/openConnection.ts";
import type { CrbConnection } from "../../../../shared/store/crb.ts";
import { createCrb, readCrb } from "../../../../shared/store/crbs.ts";
import { readAllDue } from "../../../../shared/store/replicationDue.ts";
import { crbRecord } from "../../../crbRecord.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { TestClock } from "../../store/orderedList/listUnderTest.ts";

const table = useTestTable();
const clock = new TestClock("2026-03-01T12:00:00.000Z");
const now = "2026-03-01T12:00:00.000Z";

async function createTestCrb(
  record: Partial<ReturnType<typeof crbRecord>> = {},
  connection: CrbConnection | null = null,
  serviceProviderId: string = randomUUID(),
): Promise<string> {
  const id = randomUUID();
  await createCrb(table(), { record: { ...crbRecord(id), ...record }, serviceProviderId, connection }, clock);
  return id;
}

describe("docs/spec.md#pos-status: the configuration is Pending until an upload succeeds", () => {
  test.each([
    ["retail", "Manual Upload Retail", []],
    ["wholesale", "Manual Upload Wholesale", []],
    [null, "Manual Upload Retail", []],
    ["retail", "Manual Upload Retail", ["Not Connected"]],
    ["retail", "Manual Upload Retail", ["Pending"]],
  ] as const)("for a %s business, as %s, with earlier configurations %j", async (business_type, name, before) => {
    const pos_configs = before.map((status) => ({ name, updated_date: "2026-01-01T00:00:00.000Z", status }));
    const id = await createTestCrb({ business_type, pos_configs });
    await connectUpload(table(), id, clock);
    const crb = (await readCrb(table(), id)) ?? expect.fail("no CRB");
    expect(crb.record.pos_configs).toMatchObject([{ name, status: "Pending" }]);
    expect(crb.connection).toEqual({ posType: name, locationId: null, connectedAt: now });
    expect(await openConnection(table(), crb)).toMatchObject({
      posType: name,
      credentials: {},
      timezone: crb.record.timezone,
    });
    expect((await readAllDue(table())).filter(({ crbId }) => crbId === id)).toEqual([]);
  });
});

test("a future connection is returned as it will be", async () => {
  const id = await createTestCrb({ business_type: "wholesale" });
  const before = uploadConnectionOf((await readCrb(table(), id)) ?? expect.fail("no CRB"));
  await connectUpload(table(), id, clock);
  const after = uploadConnectionOf((await readCrb(table(), id)) ?? expect.fail("no CRB"));
  expect(after).toEqual({ ...before, connectedAt: now });
  expect(after).toMatchObject({ posType: "Manual Upload Wholesale", businessType: "wholesale" });
});

describe("connecting uploads is rejected for", () => {
  test("a CRB that is connected", async () => {
    const id = await createTestCrb({}, { posType: "Treez", locationId: null, connectedAt: now });
    await expect(connectUpload(table(), id, clock)).rejects.toMatchObject({ kind: "conflict" });
  });

  test("a CRB whose organization is that of another CRB of the service provider", async () => {
    const [spId, ein] = [randomUUID(), "84-5550178"];
    await createTestCrb({ ein, name: "One" }, { posType: "Treez", locationId: null, connectedAt: now }, spId);
    const second = await createTestCrb({ ein, name: "Two" }, null, spId);
    await expect(connectUpload(table(), second, clock)).rejects.toMatchObject({ kind: "conflict" });
    expect((await readCrb(table(), second))?.connection).toBeNull();
  });

  test("a CRB that does not exist", async () => {
    await expect(connectUpload(table(), randomUUID(), clock)).rejects.toMatchObject({ kind: "notFound" });
  });
});
