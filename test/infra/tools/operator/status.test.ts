import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { demoServiceProvider } from "../../../../infra/local/demoBusinesses.ts";
import { statusLines } from "../../../../infra/tools/operator/commands/status.ts";
import type { StatusSection } from "../../../../infra/tools/operator/statusSections.ts";
import { recordKinds } from "../../../../shared/api/kinds.ts";
import { createCrb, putServiceProvider } from "../../../../shared/store/crbs.ts";
import { endedCrbKey } from "../../../../shared/store/keys/crbs.ts";
import { unsentInvitationsKey } from "../../../../shared/store/keys/invitations.ts";
import { replicationKey } from "../../../../shared/store/keys/replication.ts";
import { crbRecord } from "../../../crbRecord.ts";
import { promised } from "./promised.ts";
import { useAwsOperator } from "./useAwsOperator.ts";

const { table, expectDone } = useAwsOperator();

const spId = randomUUID();
const ids = { failing: randomUUID(), late: randomUUID(), current: randomUUID(), review: randomUUID() };
const [postponed, ended, endedNow] = [randomUUID(), randomUUID(), randomUUID()];
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

async function addConnected(id: string, name: string, run: { succeeded_at: string; error?: string }): Promise<void> {
  const connection = { posType: "Dutchie" as const, locationId: null, connectedAt: "2026-03-01T12:00:00.000Z" };
  const pos_configs = [
    { name: "Dutchie" as const, updated_date: connection.connectedAt, status: "Connected" as const },
  ];
  await createCrb(table(), { record: { ...crbRecord(id), name, pos_configs }, serviceProviderId: spId, connection });
  for (const kind of recordKinds) {
    const began = { started_at: run.succeeded_at, first_succeeded_at: "2026-03-01T12:05:00.000Z" };
    await table().put({ ...replicationKey(id, kind), held_until: 0, position: null, error: null, ...began, ...run });
  }
}

beforeAll(async () => {
  await putServiceProvider(table(), { ...demoServiceProvider, id: spId });
  await addConnected(ids.current, "Current", { succeeded_at: minutesAgo(0) });
  // The late one is older, but a failing one is worse.
  await addConnected(ids.late, "Late", { succeeded_at: "2026-03-02T12:00:00.000Z" });
  await addConnected(ids.failing, "Failing\u001b[2J", { succeeded_at: minutesAgo(2), error: "unreachable" });
  const waiting = { ...crbRecord(ids.review), name: "Reviewed", status: "svc_awaiting_review" as const };
  await createCrb(table(), { record: waiting, serviceProviderId: spId, connection: null });
  await table().put({ ...unsentInvitationsKey(ids.review), since: "2026-03-01T12:00:00.000Z" });
  await table().put({ ...unsentInvitationsKey(postponed), since: minutesAgo(-60) });
  await table().put({ ...endedCrbKey("2025-01-01T00:00:00.000Z", ended) });
  await table().put({ ...endedCrbKey(minutesAgo(5), endedNow) });
});

test("the status counts what fails, is late or waits, the worst first", async () => {
  const sections: StatusSection[] = JSON.parse(await expectDone("status", "--json"));
  const found = sections.filter(({ count }) => count > 0);
  expect(found.map(({ subject, count, total, worst }) => [subject, count, total, worst.map(({ id }) => id)])).toEqual([
    ["CRBs with failing or late replications", 2, 3, [ids.failing, ids.late]],
    ["CRBs to review by the operator", 1, 4, [ids.review]],
    ["CRBs with unsent invitations or notices", 1, 4, [ids.review]],
    ["CRBs due for a purge", 1, null, [ended]],
  ]);
  for (const section of sections) expect(promised("status")).toEqual(expect.arrayContaining(Object.keys(section)));
});

test("a pipe gets whole ids, the commands that show more, and the subjects without records", async () => {
  const lines = (await expectDone("status")).split("\n");
  expect(lines[0]).toBe("CRBs with failing or late replications: 2 of 3 (replication list)");
  expect(lines[1]).toMatch(new RegExp(`^  ${ids.failing}  Failing\\\\u001b\\[2J  failing +.*sale \\(unreachable\\)`));
  expect(lines[2]).toMatch(new RegExp(`^  ${ids.late}  Late +late +-$`));
  expect(lines.slice(lines.indexOf("None of these:") + 1)).toEqual([
    "  Failing webhook endpoints",
    "  Licenses that lapse or are not active",
    "  Documents to review by service providers",
    "",
  ]);
});

test("at 80 columns the status fits one screen, also if every subject has many records", () => {
  const worst = [1, 2, 3].map(() => ({
    id: randomUUID(),
    name: "A business with a rather long name",
    states: ["failing", "late"] as const,
    detail: "location (unreachable), product (unreachable), sale (unreachable)",
  }));
  const section = { subject: "CRBs", count: 12, total: 340, more: "crb list", worst };
  const linesOf = (found: number) =>
    statusLines(
      Array.from({ length: 7 }, (_, i) => (i < found ? section : { ...section, count: 0, worst: [] })),
      { isTTY: true, columns: 80 },
    ).map((line) =>
      [line]
        .flat()
        .map((part) => (typeof part === "string" ? part : part.text))
        .join(""),
    );
  for (let found = 0; found <= 7; found++) expect(linesOf(found).length).toBeLessThan(24);
  const lines = linesOf(7);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  expect(lines[0]).toBe("CRBs: 12 of 340 (crb list)");
  expect(lines[1]).toMatch(/^ {2}[\da-f]{8} {2}A business .*failing, late {2}location/);
});
