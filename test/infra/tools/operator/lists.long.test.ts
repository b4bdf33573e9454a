import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { replication } from "../../../../shared/api/schemas/replication.ts";
import { webhookDelivery } from "../../../../shared/api/schemas/webhookEndpoint.ts";
import { endAssociation } from "../../../../shared/domain/crbs/endAssociation.ts";
import { rejectedRecordsKey } from "../../../../shared/store/keys/replication.ts";
import { unusedBucket } from "../../../unusedBucket.ts";
import { promised } from "./promised.ts";
import { useOperator } from "./useOperator.ts";

const { stage, expectDone, expectRefused, call, provider, spId, storeCrb } = useOperator();
let ended: string;
beforeAll(async () => {
  ended = await storeCrb({ name: "Zz ended" });
  await endAssociation(stage().table, unusedBucket, ended);
});

const crbs = () => stage().description.crbs;
const json = async (...parameters: string[]) => JSON.parse(await expectDone(...parameters, "--json"));

test("crb list shows every business with its status, POS and service provider, including ended ones", async () => {
  const rows = (await json("crb", "list")) as Record<string, unknown>[];
  const { name: provider } = (await json("service-provider", "list")).find(
    ({ sp_id }: { sp_id: string }) => sp_id === spId(),
  );
  for (const { crb_id, name, pos_type } of crbs()) {
    expect(rows).toContainEqual({
      crb_id,
      name,
      status: expect.stringMatching(/^(svc|bank)_/),
      pos_type,
      pos_status: pos_type === null ? null : "Connected",
      sp_id: spId(),
      service_provider: provider,
      ended_date: null,
    });
  }
  expect(rows).toContainEqual(
    expect.objectContaining({ crb_id: ended, ended_date: expect.stringMatching(/^20/), sp_id: spId() }),
  );
  expect(rows.map(({ name }) => name)).toEqual(rows.map(({ name }) => String(name)).sort());
  const out = (await expectDone("crb", "list")).trimEnd().split("\n");
  expect(out).toHaveLength(rows.length + 1);
  for (const { crb_id, name, status } of rows) {
    expect(out.find((line) => line.startsWith(`${crb_id}  ${name} `))).toContain(` ${status} `);
  }
});

test("a command takes a business by the beginning of its id or by its name, and names all that fit", async () => {
  const [one] = crbs();
  if (!one) return expect.fail("no CRB");
  const whole = await expectDone("replication", "rejected", one.crb_id);
  for (const text of [one.crb_id.slice(0, 8).toUpperCase(), one.name.toLowerCase()]) {
    expect(await expectDone("replication", "rejected", text)).toBe(whole);
  }
  const twin = await storeCrb({ name: one.name });
  for (const id of [one.crb_id, twin]) await expectRefused(id, "replication", "rejected", one.name);
  await expectRefused("No CRB has this name", "replication", "rejected", one.crb_id.slice(0, 3));
});

test.each([
  ["service-provider list", () => []],
  ["credential list", () => [spId()]],
  ["crb list", () => []],
  ["crb due", () => ["--all"]],
  ["replication list", () => []],
  ["replication rejected", () => [crbs()[0]?.crb_id ?? ""]],
  ["webhooks list", () => [spId()]],
] as [string, () => string[]][])("%s --json has the fields that the runbook promises", async (command, more) => {
  const crbId = crbs()[0]?.crb_id ?? "";
  const records = [{ pos_id: "S-1", field: "total", reason: "invalid_type", at: "2026-03-01T12:00:00.000Z" }];
  await stage().table.put({ ...rejectedRecordsKey(crbId, "sale"), records, count: 1, parts: 0 });
  const rows = (await json(...command.split(" "), ...more())) as object[];
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) expect(Object.keys(row)).toEqual(promised(command));
});

test("so does --json of commands about one thing, with the field names of the API", async () => {
  const { crb_id } = crbs()[0] ?? expect.fail("no CRB");
  expect(Object.keys(await json("onboarding", "show", crb_id))).toEqual(promised("onboarding show"));
  const [first] = await json("replication", "state", crb_id);
  expect(promised("replication state")).toEqual(["Replication", "kind", "present_run", "failed_attempts"]);
  expect(Object.keys(first)).toEqual([...Object.keys(replication.shape), "present_run", "failed_attempts"]);

  const [{ endpoint_id }] = await json("webhooks", "list", spId());
  const path = `/service-providers/${spId()}/webhook-endpoints/${endpoint_id}/test`;
  await call(provider().client_secret, path, "POST");
  expect(promised("webhooks deliveries")).toEqual(["WebhookDelivery"]);
  const [delivery] = await json("webhooks", "deliveries", spId(), endpoint_id);
  expect(Object.keys(delivery).sort()).toEqual(Object.keys(webhookDelivery.shape).sort());
});

test("an empty list is an empty array", async () => {
  expect(await json("credential", "list", randomUUID())).toEqual([]);
});
