import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { demoServiceProvider } from "../../../../infra/local/demoBusinesses.ts";
import { licenses } from "../../../../infra/tools/operator/licenses.ts";
import { operator } from "../../../../infra/tools/operator/operator.ts";
import type { PosTypeName } from "../../../../shared/api/enumerations.ts";
import { issueCredential } from "../../../../shared/auth/credentials.ts";
import { invitationsOf, invitationWrites } from "../../../../shared/domain/invitations/invitations.ts";
import { standardTemplate } from "../../../../shared/domain/onboarding/standardTemplate.ts";
import { putTemplate } from "../../../../shared/domain/onboarding/templates.ts";
import { createCrb, putServiceProvider } from "../../../../shared/store/crbs.ts";
import { credentialKey } from "../../../../shared/store/keys/credentials.ts";
import { recordKey, recordList } from "../../../../shared/store/keys/orderedLists.ts";
import { rejectedRecordsKey, replicationDueKey, replicationKey } from "../../../../shared/store/keys/replication.ts";
import { crbRecord } from "../../../crbRecord.ts";
import { useTestServiceKey } from "../../../testServiceKey.ts";
import { useQueues } from "../../../useQueues.ts";
import { runHere } from "../../local/runHere.ts";
import { temporaryDirectories } from "../../local/temporaryDirectories.ts";
import { useAwsOperator } from "./useAwsOperator.ts";

/** Characters that control a terminal, reverse a line, or are invisible. File names can have them, too. */
const steering = "\u001b[2J\u001b]0;x\u0007\u001b]8;;x\u001b\\\r\n\u009b31m\u007f\u202e\u2066\u200b\u2028\ufeff";
const hostile = (what: string) => `Owned ${what}${steering}!`;

useTestServiceKey();
useQueues();
const { table, run } = useAwsOperator();
const temporaryDirectory = temporaryDirectories();
beforeEach(() => void vi.stubEnv("KMS_KEY_ID", "none"));

const [spId, crbId, otherCrbId, templateId] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
const template = { ...standardTemplate, template_id: templateId };
const now = "2026-03-01T12:00:00.000Z";

beforeAll(async () => {
  await putServiceProvider(table(), { ...demoServiceProvider, id: spId, name: hostile("provider") });
  const record = { ...crbRecord(crbId), name: hostile("business") };
  const connection = { posType: hostile("POS") as PosTypeName, locationId: hostile("location"), connectedAt: now };
  await createCrb(table(), { record, serviceProviderId: spId, connection });
  await createCrb(table(), {
    record: { ...crbRecord(otherCrbId), name: hostile("invited"), status: "svc_awaiting_review" },
    serviceProviderId: spId,
    connection: null,
  });
  const { client_id } = await issueCredential(table(), { owner: { kind: "crb", id: crbId }, spId, scopes: [] });
  const item = await table().get(credentialKey(client_id));
  const revoked = {
    owner: { kind: "crb", id: hostile("owner") },
    revoked_at: hostile("instant"),
    scopes: [hostile("scope")],
  };
  await table().put({ ...credentialKey(client_id), ...item, ...revoked });
  await putTemplate(table(), spId, { ...template, name: hostile("template"), version: hostile("version") });
  const counts = { read: 1, created: 0, changed: 0, unchanged: 0, rejected: 1 };
  const state = { started_at: hostile("begin"), succeeded_at: null, held_until: 0, attempts: 1, counts };
  await table().put({ ...replicationKey(crbId, "sale"), ...state, error: hostile("error"), position: hostile("page") });
  const aside = { pos_id: hostile("id"), field: hostile("field"), reason: hostile("reason"), at: hostile("day") };
  await table().put({ ...rejectedRecordsKey(crbId, "sale"), records: [aside], count: 1, parts: 0 });
  await table().put({ ...replicationDueKey(crbId), rank: hostile("turn"), sale: hostile("turn") });
  const body = JSON.stringify({ id: crbId, name: hostile("product"), [hostile("key")]: [hostile("entry")] });
  await table().put({ ...recordKey(recordList(crbId, "product"), crbId), body });
  const invitations = invitationsOf(crbId, [{ email: hostile("mail"), firstName: "Kim", lastName: "Lee" }]);
  await table().transact(invitationWrites(table(), crbId, invitations, new Date(now)));
});

function givenFile(name: string, content: unknown): string {
  const file = join(temporaryDirectory(), hostile("file") + name);
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
}

/** Expects only visible characters, and no line breaks from the data. */
function expectHarmless(text: string): void {
  expect(text.match(/[^\P{C}\n]|\p{Default_Ignorable_Code_Point}|[\u2028\u2029]/gu)).toBeNull();
  expect(text).not.toMatch(/^(\[2J|!)/m);
}

const csv = (header: string) => givenFile(".csv", `${header}\nP1,${JSON.stringify(hostile("value"))}\n`);
const columns = "pos_product_id,name";

test.each<[what: string, program: typeof operator, parameters: () => string[], typed?: string]>([
  ["provider", operator, () => ["service-provider", "list"]],
  [
    "file",
    operator,
    () => ["service-provider", "create", givenFile(".json", { name: hostile("x"), [hostile("y")]: 1 })],
  ],
  ["file", operator, () => ["service-provider", "create", givenFile(".json", "{")]],
  ["file", operator, () => ["service-provider", "create", `${hostile("file")}.json`]],
  ["provider", operator, () => ["service-provider", "list", "--json"]],
  ["owner", operator, () => ["credential", "list", spId]],
  ["business", operator, () => ["crb", "list"]],
  ["business", operator, () => ["crb", "list", "--json"]],
  ["instant", operator, () => ["credential", "revoke", revokedId()]],
  ["template", operator, () => ["template", "publish", spId, givenFile(".json", template)]],
  ["template", operator, () => ["template", "publish", spId, givenFile(".json", template)], "n\n"],
  ["new", operator, () => ["template", "publish", spId, newTemplate()]],
  ["business", operator, () => ["association", "pause", crbId], "n\n"],
  ["business", operator, () => ["association", "pause", crbId]],
  ["business", operator, () => ["association", "resume", crbId]],
  ["business", operator, () => ["association", "end", crbId]],
  ["business", operator, () => ["onboarding", "approve", crbId]],
  ["invited", operator, () => ["onboarding", "send-back", otherCrbId]],
  ["invited", operator, () => ["invitation", "resend", otherCrbId]],
  [
    "business",
    operator,
    () => ["pos", "connect", crbId, givenFile(".json", { pos_type: "Blaze", pos_credentials: {} })],
  ],
  ["page", operator, () => ["replication", "state", crbId]],
  ["business", operator, () => ["replication", "list"]],
  ["reason", operator, () => ["replication", "rejected", crbId]],
  ["invited", operator, () => ["replication", "rejected", otherCrbId]],
  ["invited", operator, () => ["replication", "start", otherCrbId]],
  ["product", operator, () => ["record", "show", crbId, "product", crbId]],
  ["business", operator, () => ["customer", "erase", crbId, crbId], "n\n"],
  ["business", operator, () => ["upload", crbId, "product", csv(columns)]],
  ["invited", operator, () => ["upload", otherCrbId, "product", csv(columns)], "n\n"],
  ["file", operator, () => ["upload", otherCrbId, "product", csv(hostile("column")), "--yes"]],
  ["file", operator, () => ["upload", otherCrbId, "product", csv(columns), "--yes"]],
  ["file", operator, () => ["upload", otherCrbId, "product", ndjson(), "--yes"]],
  ["word", operator, () => [hostile("word")]],
  ["option", operator, () => ["credential", "list", spId, `--${hostile("option")}`]],
  ["file", licenses, () => ["import", csv("license_number,licensee"), "--state", "CO"]],
  ["file", licenses, () => ["import", register(), "--state", "CO", "--authority", hostile("authority")]],
])(
  "a hostile name of a %s is shown and does not control the terminal (%#)",
  async (what, program, parameters, typed) => {
    const { out, err } = await runHere(program, [...parameters(), "--stage", "sandbox"], typed);
    expect(out + err).toContain(`Owned ${what}`);
    expectHarmless(out);
    expectHarmless(err);
  },
);

test("a report of rejected rows has no control characters", async () => {
  const report = join(temporaryDirectory(), "report.csv");
  const { code } = await run("upload", otherCrbId, "product", ndjson(), "--report", report, "--yes");
  expect(code).toBe(1);
  const text = readFileSync(report, "utf8");
  expect(text.split("\n").length).toBeGreaterThan(3);
  expectHarmless(text);
});

let revoked = "";
beforeAll(async () => {
  const { client_id } = await issueCredential(table(), { owner: { kind: "crb", id: crbId }, spId, scopes: [] });
  const item = await table().get(credentialKey(client_id));
  await table().put({ ...credentialKey(client_id), ...item, revoked_at: hostile("instant") });
  revoked = client_id;
});
const revokedId = () => revoked;

const newTemplate = () => givenFile(".json", { ...standardTemplate, template_id: randomUUID(), name: hostile("new") });

const ndjson = () =>
  givenFile(
    ".ndjson",
    [
      { pos_product_id: "P1", name: hostile("name") },
      { pos_product_id: hostile("id"), [hostile("field")]: hostile("value") },
      { pos_product_id: "P2", name: [hostile("x")], images: [{ url: 7, [hostile("y")]: 1 }] },
      hostile("text"),
    ]
      .map((value) => JSON.stringify(value))
      .join("\n"),
  );

const register = () =>
  givenFile(
    ".csv",
    [
      "license_number,licensee,license_type,status,status_date",
      `L-1,${JSON.stringify(hostile("holder"))},Retail,Active,2024-01-31`,
      `L-2,x,Retail,${JSON.stringify(hostile("status"))},${JSON.stringify(hostile("day"))}`,
    ].join("\n"),
  );
