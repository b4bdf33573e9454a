import { randomUUID } from "node:crypto";
import { beforeEach, expect, test, vi } from "vitest";
import { operator } from "../../../../infra/tools/operator/operator.ts";
import { createCrb } from "../../../../shared/store/crbs.ts";
import { crbRecord } from "../../../crbRecord.ts";
import { useTestBucket } from "../../../useTestBucket.ts";
import { useTestIdentity } from "../../../useTestIdentity.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { runHere } from "../../local/runHere.ts";

const table = useTestTable();
useTestBucket();
useTestIdentity();
beforeEach(() => {
  vi.stubEnv("STAGE", "prod");
  vi.stubEnv("POS_CONNECTORS", "real");
  vi.stubEnv("KMS_KEY_ID", "none");
});

test.each([
  ["Alleaves", "is connected to Alleaves, which this stage does not offer; see experimentalConnectors in "],
  ["Manual Upload Retail", "is not connected to a POS."],
] as const)("pos check says why the POS of a business on %s cannot be read", async (posType, reason) => {
  const record = crbRecord(randomUUID());
  const connection = { posType, locationId: null, connectedAt: "2026-03-01T12:00:00.000Z" };
  await createCrb(table(), { record, serviceProviderId: randomUUID(), connection });
  const { code, out, err } = await runHere(operator, ["--stage", "prod", "pos", "check", record.id]);
  expect([code, out]).toEqual([1, ""]);
  expect(err.slice(0, record.name.length + 1 + reason.length)).toBe(`${record.name} ${reason}`);
});

test.each(["replication start", "replication recheck-sales --since 2026-03-01"])(
  "%s promises no run for records that come by upload",
  async (command) => {
    const record = crbRecord(randomUUID());
    const connection = { posType: "Manual Upload Retail", locationId: null, connectedAt: "2026-03-01T12:00:00.000Z" };
    await createCrb(table(), { record, serviceProviderId: randomUUID(), connection } as Parameters<
      typeof createCrb
    >[1]);
    const { code, out, err } = await runHere(operator, ["--stage", "prod", ...command.split(" "), record.id]);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain(`The records of ${record.name} come by upload: use upload instead.`);
  },
);
