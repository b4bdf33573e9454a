import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { operationRegistry } from "../../../shared/api/operationRegistry.ts";
import { createBusiness } from "../../../shared/domain/crbs/createBusiness.ts";
import { findCreated, findRetainedChanges } from "../../../shared/domain/crbs/createdByCredential.ts";
import { entriesToReplay, replayEntry } from "../../../shared/domain/crbs/replayJournal.ts";
import { revokeCredentialAndResources } from "../../../shared/domain/crbs/revokeCredentialAndResources.ts";
import { serviceBucket } from "../../../shared/domain/documents/bucket.ts";
import { planUpload, readUploads } from "../../../shared/domain/documents/uploads.ts";
import { addressDigest } from "../../../shared/domain/invitations/addressDigest.ts";
import { invitationWrites, readInvitations } from "../../../shared/domain/invitations/invitations.ts";
import { newLink } from "../../../shared/domain/invitations/newLink.ts";
import { sendInvitations } from "../../../shared/domain/invitations/sendInvitations.ts";
import { sendRequestedLinks } from "../../../shared/domain/invitations/sendRequestedLinks.ts";
import { publishedTemplate, putTemplate } from "../../../shared/domain/onboarding/templates.ts";
import { createEndpoint } from "../../../shared/domain/webhooks/createEndpoint.ts";
import { readEndpoint } from "../../../shared/domain/webhooks/endpoint.ts";
import { updateEndpoint } from "../../../shared/domain/webhooks/endpointChanges.ts";
import { signingSecrets } from "../../../shared/domain/webhooks/secrets.ts";
import { invitationsKey } from "../../../shared/store/keys/invitations.ts";
import { crbList } from "../../../shared/store/keys/orderedLists.ts";
import { systemClock } from "../../../shared/time/clock.ts";
import { dyingTable, wasKilled } from "../../dyingTable.ts";
import { crashStep } from "../../shared/store/crashInjection.ts";
import { interceptCalls } from "../../shared/store/orderedList/listUnderTest.ts";
import { scan } from "../../tableState.ts";
import { testTableOf } from "../../testTable.ts";
import type { OperationRequest } from "../callHandler.ts";
import { cash } from "../deposits/callDeposits.ts";
import { givenInvited, people } from "../onboarding/givenInvited.ts";
import { note } from "../onboarding/givenOnboarding.ts";
import { useInvitedUsers } from "../onboarding/useInvitedUsers.ts";

const { table, mails } = useInvitedUsers();

const url = "https://93.184.216.34/events";

/** A service provider with a CRB, its own credential, and a second one that a thief has. */
async function given() {
  const provider = await givenInvited(table());
  const { spId, crbId, call } = provider;
  const stolen = await provider.another();
  const as = (authorization: string) => ({
    create: async () => (await call("createWebhookEndpoint", { body: { url }, authorization })).json,
    update: (id: string, body: object) =>
      call("updateWebhookEndpoint", { path: { endpoint_id: id }, body, authorization }),
    rotate: (id: string) => call("rotateWebhookSecret", { path: { endpoint_id: id }, authorization }),
    upload: () =>
      call("createDocumentUpload", {
        body: { file_name: "license.pdf", file_type: "application/pdf", size: 10 },
        authorization,
      }),
  });
  const revoke = async (query: OperationRequest["query"] = {}) => {
    const answer = await call("revokeCredential", { path: { client_id: stolen.client_id }, query });
    expect([answer.status, answer.json.status]).toEqual([200, "revoked"]);
  };
  const read = async (id: string) => (await call("getWebhookEndpoint", { path: { endpoint_id: id } })).json;
  const secretsOf = async (id: string) => {
    const endpoint = (await readEndpoint(table(), spId, id)) ?? expect.fail("no endpoint");
    return signingSecrets(endpoint, new Date());
  };
  const disabledEvents = async () => {
    const { json } = await call("listEvents");
    return json.data
      .filter(({ type }: { type: string }) => type === "endpoint.disabled")
      .map(({ data }: { data: object }) => data);
  };
  /** Replaces the operator's invitations of the CRB with invitations that a credential made. */
  const invite = async (by: string) => {
    const invitations = await readInvitations(table(), crbId);
    await table().transact(invitationWrites(table(), crbId, invitations, new Date(), { clientId: by }));
    return invitations;
  };
  const bank = as(provider.secret);
  return { ...provider, stolen, bank, thief: as(stolen.secret), revoke, read, secretsOf, disabledEvents, invite };
}

describe("webhook endpoints", () => {
  test("show which credential created them and which one changed them last", async () => {
    const { bank, thief, clientId, stolen, read } = await given();
    const { id, created_by, changed_by } = await bank.create();
    expect([created_by, changed_by]).toEqual([clientId, null]);
    await thief.update(id, { description: "x" });
    expect(await read(id)).toMatchObject({ created_by: clientId, changed_by: stolen.client_id });
    await bank.rotate(id);
    expect(await read(id)).toMatchObject({ created_by: clientId, changed_by: clientId });
  });

  test("that a revoked credential created are disabled and lose their secret, and an event reports it", async () => {
    const { thief, bank, revoke, read, secretsOf, disabledEvents } = await given();
    const own = await bank.create();
    const made = await thief.create();
    await revoke();
    expect([(await read(made.id)).status, await secretsOf(made.id)]).toEqual(["disabled", []]);
    expect([(await read(own.id)).enabled, await secretsOf(own.id)]).toEqual([true, [own.secret]]);
    expect(await disabledEvents()).toEqual([{ endpoint_id: made.id, reason: "credential_revoked" }]);
  });

  test.each([
    ["url", { url: "https://93.184.216.34/other" }],
    ["event_types", { event_types: ["crb.created"] }],
    ["description", { description: "x" }],
    ["enabled", { enabled: false }],
  ])(
    "whose %s the revoked credential changed are disabled, also if the owner has changed another field since",
    async (_, change) => {
      const { bank, thief, revoke, read, secretsOf } = await given();
      const { id } = await bank.create();
      await thief.update(id, change);
      await bank.update(id, "description" in change ? { event_types: [] } : { description: "desk" });
      await revoke();
      expect([(await read(id)).enabled, await secretsOf(id)]).toEqual([false, []]);
    },
  );

  test("stay enabled if the owner has set the changed fields again", async () => {
    const { bank, thief, revoke, read, secretsOf } = await given();
    const { id, secret } = await bank.create();
    await thief.update(id, { url: "https://93.184.216.34/other" });
    await bank.update(id, { url });
    await revoke();
    expect([(await read(id)).enabled, await secretsOf(id)]).toEqual([true, [secret]]);
  });

  test("immediately lose a secret that the revoked credential has seen", async () => {
    const { bank, thief, revoke, read, secretsOf } = await given();
    const { id, secret } = await bank.create();
    const known = (await thief.rotate(id)).json.secret;
    const { json } = await bank.rotate(id);
    expect(await secretsOf(id)).toEqual([json.secret, known, secret]);
    await revoke();
    expect([(await read(id)).enabled, await secretsOf(id)]).toEqual([true, [json.secret, secret]]);
  });

  test("can be enabled again only with a new secret, and a later revocation leaves them alone", async () => {
    const { bank, thief, call, stolen, revoke, read, secretsOf } = await given();
    const { id } = await bank.create();
    await thief.rotate(id);
    await revoke();
    const tested = await call("testWebhookEndpoint", { path: { endpoint_id: id } });
    expect([(await bank.update(id, { enabled: true })).status, tested.status]).toEqual([409, 409]);
    const { secret } = (await bank.rotate(id)).json;
    expect((await bank.update(id, { url, enabled: true })).status).toBe(200);
    await revoke();
    await revokeCredentialAndResources({ table: table(), bucket: serviceBucket() }, stolen.client_id, {
      keepIssued: false,
      keepMade: false,
    });
    expect([(await read(id)).enabled, await secretsOf(id)]).toEqual([true, [secret]]);
  });

  test("whose url the revoked credential set can be enabled only after the owner has sent a url", async () => {
    const { bank, thief, revoke, read } = await given();
    const { id } = await bank.create();
    await thief.update(id, { url: "https://93.184.216.34/other" });
    await revoke();
    await bank.rotate(id);
    const rejected = await bank.update(id, { enabled: true });
    expect([rejected.status, rejected.json.message]).toEqual([409, expect.stringContaining("Send the right url")]);
    expect((await bank.update(id, { description: "desk" })).status).toBe(200);
    expect((await bank.update(id, { enabled: true })).status).toBe(409);
    // The owner may also confirm the same url.
    expect((await bank.update(id, { url: "https://93.184.216.34/other" })).status).toBe(200);
    expect((await bank.update(id, { enabled: true })).status).toBe(200);
    expect((await read(id)).enabled).toBe(true);
  });

  test("are disabled before all CRBs are read, since that may take longer than a function runs", async () => {
    const { spId, thief, stolen, read } = await given();
    const { id } = await thief.create();
    const failing = testTableOf(table());
    interceptCalls(failing).before = (_, input) => {
      if (JSON.stringify(input).includes(`"${crbList(spId).pk}"`)) throw new Error("timeout");
    };
    const options = { keepIssued: false, keepMade: false };
    const ended = revokeCredentialAndResources({ table: failing, bucket: serviceBucket() }, stolen.client_id, options);
    await expect(ended).rejects.toThrow("timeout");
    expect((await read(id)).enabled).toBe(false);
  });

  test("stay enabled with keep_made", async () => {
    const { thief, revoke, read, secretsOf } = await given();
    const { id, secret } = await thief.create();
    await revoke({ keep_made: "true" });
    expect([(await read(id)).enabled, await secretsOf(id)]).toEqual([true, [secret]]);
    await revoke();
    expect([(await read(id)).enabled, await secretsOf(id)]).toEqual([false, []]);
  });

  test("cannot be created or changed by a credential that is being revoked, which gets 401", async () => {
    const { bank, spId, stolen, revoke } = await given();
    const { id } = await bank.create();
    await revoke();
    const sent = { url, description: "", eventTypes: [] };
    const by = { clientId: stolen.client_id };
    const rejected = { kind: "unauthorized" };
    await expect(createEndpoint(table(), spId, sent, by)).rejects.toMatchObject(rejected);
    await expect(updateEndpoint(table(), spId, id, { url: `${url}/x` }, by)).rejects.toMatchObject(rejected);
  });
});

describe("invitations", () => {
  test("that a revoked credential made end: their tokens get 401, and no link or mail is sent any more", async () => {
    const { crbId, spId, robin, kim, stolen, revoke, invite } = await given();
    const [first, second] = await invite(stolen.client_id);
    if (!first || !second) throw new Error("the CRB has no two invitations");
    await newLink(table(), { crbId, spId, invitation: first }, { sent_at: new Date().toISOString() }, systemClock);
    expect([(await robin.read()).status, (await kim.read()).status]).toEqual([200, 200]);
    await revoke();
    expect([(await robin.read()).status, (await kim.read()).status]).toEqual([401, 401]);
    const request = { link_for: addressDigest(first.email), request: "r1" };
    expect(await sendRequestedLinks(table(), request)).toBe(0);
    // The second invitation was not sent yet.
    await sendInvitations(table(), crbId);
    const written = (await mails()).filter(({ destination }) => destination.to.some((to) => to === second.email));
    expect(written).toEqual([]);
  });

  test("of the owner stay valid, as do those of the revoked credential with keep_made", async () => {
    const { robin, clientId, stolen, revoke, invite } = await given();
    await invite(clientId);
    await revoke();
    expect((await robin.read()).status).toBe(200);
    await invite(stolen.client_id);
    await revoke({ keep_made: "true" });
    expect((await robin.read()).status).toBe(200);
    await revoke();
    expect((await robin.read()).status).toBe(401);
  });

  test("record the credential that created the CRB, and a revoked credential creates none", async () => {
    const { spId, call, clientId, stolen, revoke } = await given();
    const template = await publishedTemplate(table(), spId, undefined);
    if (template) await putTemplate(table(), spId, template);
    const body = {
      org: { name: "Juniper Hill", state: "CO", business_type: "retail" },
      users: [{ email: people[0]?.email, firstName: "Robin", lastName: "Reyes" }],
    };
    const { status, json } = await call("createCrb", { body });
    expect(status).toBe(200);
    expect(await table().get(invitationsKey(json.id))).toMatchObject({ created_by: clientId });
    await revoke();
    const other = { ...body, org: { ...body.org, name: "Aspen Hill" } } as never;
    const creation = { spId, body: other, idempotencyKey: undefined, createdBy: { clientId: stolen.client_id } };
    await expect(createBusiness(table(), creation)).rejects.toMatchObject({ kind: "unauthorized" });
  });
});

describe("uploads", () => {
  test("that a revoked credential began are canceled, and their links store nothing", async () => {
    const { bank, thief, crbId, call, revoke } = await given();
    const own = await bank.upload();
    const { json } = await thief.upload();
    await revoke();
    expect((await readUploads(table(), crbId)).map(({ document_id }) => document_id)).toEqual([own.json.document_id]);
    const headers = { "Content-Type": "application/pdf", "If-None-Match": "*" };
    const sent = await fetch(json.upload_link, { method: "PUT", body: "%PDF-1.7 x", headers });
    expect(sent.status).toBe(412);
    const completed = await call("completeDocumentUpload", { path: { document_id: json.document_id } });
    expect(completed.status).toBe(404);
  });

  test("of an invited user end with the invitation", async () => {
    const { robin, crbId, requirementId, stolen, revoke, invite } = await given();
    await invite(stolen.client_id);
    const body = { file_name: "license.pdf", file_type: "application/pdf", size: 10 };
    const begun = await robin.call("createOnboardingUpload", { path: { requirement_id: requirementId }, body });
    expect(begun.status).toBe(200);
    await revoke();
    expect(await readUploads(table(), crbId)).toEqual([]);
  });

  test("that a credential begins while it is being revoked get no link", async () => {
    const { own, stolen, revoke } = await given();
    await revoke();
    const file = { file_name: "a.pdf", file_type: "application/pdf" as const, size: 10, uploaded_by: stolen.client_id };
    const planned = planUpload(table(), own({}).path as never, file, { clientId: stolen.client_id });
    await expect(planned).rejects.toMatchObject({ kind: "unauthorized" });
  });
});

test("CRBs and documents of a revoked credential stay, and are listed with their changes", async () => {
  const { call, crbId, spId, stolen, revoke } = await given();
  const authorization = stolen.secret;
  const body = { dba: "Other", phone_number: "(303) 555-0199" };
  await call("updateCrbInfo", { body, authorization });
  const { document_id } = (await call("addRequirementDocument", { body: note, authorization })).json;
  await revoke();
  const kept = await findRetainedChanges(table(), spId, new Set([stolen.client_id]));
  expect(kept).toEqual([
    { kind: "crb", id: crbId, crbId, action: "changed dba, phone_number", date: expect.stringMatching(/Z$/) },
    { kind: "document", id: document_id, crbId, action: "added", date: expect.stringMatching(/Z$/) },
  ]);
});

test("deposits, cash counts and settings of a revoked credential stay", async () => {
  const { call, stolen, revoke } = await given();
  const by = { authorization: stolen.secret, path: { date: "2026-03-02" } };
  const no_sales = { enabled: false, threshold: 2, minimum_history: 8 };
  const answers = [
    await call("storeDeposits", { ...by, body: { deposits: [cash("d1", "2026-03-02", 100)] } }),
    await call("setCashCount", { ...by, body: { amount: 500 } }),
    await call("setReconciliationSettings", { ...by, body: { never_cash: ["other"] } }),
    await call("setInsightSettings", { ...by, body: { no_sales } }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  await revoke();
  expect((await call("listDeposits")).json.data).toMatchObject([{ id: "d1" }]);
  expect((await call("listCashCounts")).json.data).toMatchObject([{ amount: 500 }]);
  expect((await call("getReconciliationSettings")).json.never_cash).toEqual(["other"]);
  expect((await call("getInsightSettings")).json.no_sales).toEqual(no_sales);
});

test("the work of invited users stays, and is listed", async () => {
  const { crbId, spId, robin, stolen, requirementId, revoke, invite } = await given();
  await invite(stolen.client_id);
  expect((await robin.consent()).status).toBe(200);
  const { json } = await robin.add(requirementId);
  await revoke();
  expect(await findRetainedChanges(table(), spId, new Set([stolen.client_id]))).toEqual([
    { kind: "crb", id: crbId, crbId, action: "user consented", date: expect.stringMatching(/Z$/) },
    {
      kind: "document",
      id: json.document_id,
      crbId,
      action: "added by an invited user",
      date: expect.stringMatching(/Z$/),
    },
  ]);
});

test("the replay of the journal repeats a revocation in a restored table", async () => {
  const { thief, robin, stolen, revoke, read, invite } = await given();
  await invite(stolen.client_id);
  const { id } = await thief.create();
  const before = await scan(table());
  const since = new Date();
  await revoke();
  await table().batchDelete(await scan(table()));
  for (const item of before) await table().put(item);
  expect([(await read(id)).enabled, (await robin.read()).status]).toEqual([true, 200]);
  const stores = { table: table(), bucket: serviceBucket() };
  for (const place of await entriesToReplay(stores, since)) {
    const entry = String(await stores.bucket.readBytes(place.key));
    if (entry.includes(stolen.client_id)) expect((await replayEntry(stores, place)).outcome).toBe("done");
  }
  expect([(await read(id)).enabled, (await robin.read()).status]).toEqual([false, 401]);
});

test("a second revocation finishes one that was killed before or after any call", async () => {
  for (let victim = 0; victim < 120; victim += crashStep) {
    const { spId, crbId, robin, thief, stolen, read, invite } = await given();
    await invite(stolen.client_id);
    const { id } = await thief.create();
    await thief.upload();
    const options = { keepIssued: false, keepMade: false };
    const bucket = serviceBucket();
    const dying = dyingTable(table(), victim);
    await revokeCredentialAndResources({ table: dying, bucket }, stolen.client_id, options).catch(() => undefined);
    await revokeCredentialAndResources({ table: table(), bucket }, stolen.client_id, options);
    expect([(await read(id)).enabled, (await robin.read()).status]).toEqual([false, 401]);
    expect(await readUploads(table(), crbId)).toEqual([]);
    expect(await findCreated(table(), spId, new Set([stolen.client_id]))).toEqual({
      keys: [],
      endpoints: [],
      invitations: [],
      uploads: [],
      exports: [],
    });
    if (!wasKilled(dying)) return;
  }
  expect.fail("the revocation takes more calls than were tried");
});

test("docs/security.md has a row for every operation that changes something or signs links", () => {
  const text = readFileSync(new URL("../../../docs/security.md", import.meta.url), "utf8");
  const [, section = ""] = text.split("## What the revocation of a credential ends");
  const [table_ = ""] = section.split("\n## ");
  const rows = table_.split("\n").filter((line) => line.startsWith("| `"));
  const named = rows.flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`(\w+)`/g)].map(([, id]) => id));
  const changing = operationRegistry.flatMap(({ routes, permissionSets }) =>
    routes
      .filter(({ method }) => method !== "GET" || permissionSets.some((each) => each.endsWith(":sign")))
      .map(({ operationId }) => operationId),
  );
  expect(named.sort()).toEqual(changing.sort());
});
