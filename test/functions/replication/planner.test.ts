import { randomUUID } from "node:crypto";
import type { Context } from "aws-lambda";
import { beforeEach, expect, test, vi } from "vitest";
import { handler } from "../../../functions/replication/planner.ts";
import { recordKinds } from "../../../shared/api/kinds.ts";
import { acquireLease } from "../../../shared/domain/replication/acquireLease.ts";
import { ReplicationLease } from "../../../shared/domain/replication/replicationLease.ts";
import { noCounts } from "../../../shared/domain/replication/replicationState.ts";
import { replicationDueKey, replicationKey } from "../../../shared/store/keys/replication.ts";
import { readAllDue } from "../../../shared/store/replicationDue.ts";
import { storeCrb } from "../../crbRecord.ts";
import { useOutput } from "../../useOutput.ts";
import { useQueues } from "../../useQueues.ts";
import { useTestTable } from "../../useTestTable.ts";

// Set before the function is imported, which creates its metrics.
vi.hoisted(() => {
  process.env.POWERTOOLS_METRICS_DISABLED = "false";
});
const table = useTestTable();
const sent = useQueues();
const output = useOutput("INFO");

beforeEach(async () => {
  vi.stubEnv("REPLICATE_EVERY_SECONDS", JSON.stringify(Object.fromEntries(recordKinds.map((kind) => [kind, 600]))));
  for (const { crbId } of await readAllDue(table())) await table().delete(replicationDueKey(crbId));
});
const plan = (remaining = 60_000) => handler({}, { getRemainingTimeInMillis: () => remaining } as Context);
const lines = () =>
  output.text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** A CRB that was connected ten minutes ago. */
const minutes = (seconds: number) => Math.round(seconds / 60);

async function givenCrb(): Promise<string> {
  const id = randomUUID();
  const then = new Date(Date.now() - 600_000);
  const connection = { crbId: id, posType: "Treez", locationId: null, connectedAt: then.toISOString() } as const;
  await storeCrb(table(), connection, { clock: { now: () => then, sleep: async () => undefined } });
  return id;
}

test("queues due replications, and reports the age of the records of each kind", async () => {
  const crbId = await givenCrb();
  const lease = await acquireLease(table(), crbId, "sale");
  if (!(lease instanceof ReplicationLease)) throw new Error("held");
  await lease.finish({ watermark: "watermark" }, noCounts);
  await plan();
  await expect.poll(() => sent.replication).toMatchObject([{ crb_id: crbId, kinds: recordKinds }]);
  const [metrics, line] = [lines().find((one) => "_aws" in one), lines().find((one) => !("_aws" in one))];
  expect(line).toMatchObject({ message: "replications", ask: 5, wait: 0, drop: 0 });
  expect(metrics).toMatchObject({ service: "replication", ReplicationsRequested: 5 });
  expect(metrics.ReplicationAge.map(minutes).toSorted()).toEqual([0, 10, 10, 10, 10]);
  expect(await table().get(replicationKey(crbId, "sale"))).toMatchObject({ fence: 1 });
});

test("reports no age of records if the POS rejects the credentials or the location", async () => {
  const crbId = await givenCrb();
  for (const [kind, code] of [
    ["sale", "credentialsRefused"],
    ["customer", "locationGone"],
    ["product", "unreachable"],
  ] as const) {
    const lease = await acquireLease(table(), crbId, kind);
    if (!(lease instanceof ReplicationLease)) throw new Error("held");
    await lease.fail(code, undefined, () => null);
  }
  await plan();
  const metrics = lines().find((one) => "_aws" in one);
  expect(metrics.ReplicationAge.map(minutes)).toEqual([10, 10, 10]);
});

test("reports its run even if nothing is due", async () => {
  await plan();
  expect(lines().find((one) => "_aws" in one)).toMatchObject({ ReplicationsRequested: 0 });
});

test("ends in time, and leaves the rest due", async () => {
  await givenCrb();
  await plan(10_000);
  expect(sent.replication).toEqual([]);
  expect(await readAllDue(table())).toHaveLength(1);
});

test.each([
  undefined,
  "",
  "60",
  '{"sale":60}',
  JSON.stringify(Object.fromEntries(recordKinds.map((kind) => [kind, 0]))),
])("fails and queues nothing with the intervals %j", async (intervals) => {
  vi.stubEnv("REPLICATE_EVERY_SECONDS", intervals);
  await givenCrb();
  await expect(plan()).rejects.toThrow();
  expect(sent.replication).toEqual([]);
});
