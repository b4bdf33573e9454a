import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { CrbStatus } from "../../../shared/api/enumerations.ts";
import { crbStatuses } from "../../../shared/api/enumerations.ts";
import { connectPos } from "../../../shared/domain/crbs/connectPos.ts";
import { endAssociation } from "../../../shared/domain/crbs/endAssociation.ts";
import { serviceBucket } from "../../../shared/domain/documents/bucket.ts";
import { documentItem } from "../../../shared/domain/documents/storedDocument.ts";
import { moveOnboarding } from "../../../shared/domain/onboarding/statusChange.ts";
import { changeCrb, createCrb } from "../../../shared/store/crbs.ts";
import { posCredentialsKey } from "../../../shared/store/keys/crbs.ts";
import { invitationTokenKey } from "../../../shared/store/keys/invitations.ts";
import { crbRecord } from "../../crbRecord.ts";
import { scan } from "../../tableState.ts";
import { useTestSealingKey, useTestServiceKey } from "../../testServiceKey.ts";
import { sampleCases } from "../../thorough.ts";
import { useQueues } from "../../useQueues.ts";
import { useTestBucket } from "../../useTestBucket.ts";
import { useTestTable } from "../../useTestTable.ts";
import { blaze, givenInvited, termsEnvironment } from "./givenInvited.ts";
import { asking } from "./givenOnboarding.ts";

useTestServiceKey();
useTestSealingKey();
const table = useTestTable();
useTestBucket();
const queued = useQueues();
beforeAll(() => {
  vi.stubEnv("POS_CONNECTORS", "sandbox");
  for (const [name, value] of Object.entries(termsEnvironment)) vi.stubEnv(name, value);
});
afterAll(() => void vi.unstubAllEnvs());

type Given = Awaited<ReturnType<typeof givenInvited>>;

/** A CRB with the given status and everything that a submission needs. */
async function complete(status: CrbStatus): Promise<Given> {
  const given = await givenInvited(table());
  expect((await given.robin.consent()).status).toBe(200);
  expect((await given.robin.connect()).status).toBe(200);
  expect((await given.robin.add(given.requirementId)).status).toBe(200);
  await given.setStatus(status);
  return given;
}

describe("an invited user", () => {
  test("can go from the terms to a submitted onboarding, step by step", async () => {
    const { crbId, requirementId, robin, stored } = await givenInvited(table());
    const first = await robin.read();
    expect(first).toMatchObject({
      status: 200,
      json: {
        crb_id: crbId,
        business: { name: `Business ${crbId}`, state: "CO", business_type: "retail" },
        service_provider: { name: "Front Range Community Bank" },
        user: { first_name: "Robin", last_name: "Reyes", email: "robin@example.com" },
        status: "svc_pending",
        consent: null,
        pos: null,
        requirements: [{ requirement_id: requirementId, status: "not_started", documents: [] }],
        missing: [{ step: "consent" }, { step: "pos_connection" }, { step: "document", requirement_id: requirementId }],
      },
    });
    const { version } = first.json.terms;
    expect((await robin.consent(version)).json).toMatchObject({
      status: "svc_in_progress",
      consent: { terms_version: version, given_by: "Robin Reyes" },
      missing: [{ step: "pos_connection" }, { step: "document" }],
    });
    expect((await robin.connect()).json).toMatchObject({
      pos: { name: "Blaze", status: "Connected" },
      missing: [{ step: "document" }],
    });
    expect(queued.replication).toHaveLength(5);
    expect((await robin.add(requirementId)).status).toBe(200);
    expect((await robin.submit()).json).toMatchObject({
      status: "svc_awaiting_review",
      under_review_since: expect.stringMatching(/^\d{4}-.*Z$/),
      missing: [],
    });
    expect((await stored()).record.status).toBe("svc_awaiting_review");
  });

  test("sees only the POS types that serve the business", async () => {
    const { robin } = await givenInvited(table());
    const { json } = await robin.call("getOnboardingPosCredentialsSchema");
    expect(json).toHaveProperty("Blaze");
    expect(json).not.toHaveProperty("Canix");
  });

  test("can share all steps with a second user, in any order and in parallel", async () => {
    const { requirementId, robin, kim } = await givenInvited(table(), [asking(), asking()]);
    const consents = await Promise.all([robin.consent(), kim.consent()]);
    expect(consents.map(({ status }) => status)).toEqual([200, 200]);
    const { consent } = (await robin.read()).json;
    expect((await kim.consent()).json.consent).toEqual(consent);
    const both = await Promise.all([robin.connect(), kim.connect(), kim.add(requirementId), robin.add(requirementId)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { missing } = (await robin.read()).json;
    expect(missing).toEqual([{ step: "document", requirement_id: expect.not.stringContaining(requirementId) }]);
    await kim.add(missing[0].requirement_id);
    const submitted = await Promise.all([robin.submit(), kim.submit()]);
    expect(submitted.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

test("a mail scanner that opens the link changes nothing, since a GET writes nothing", async () => {
  const { robin } = await givenInvited(table());
  const before = await scan(table());
  expect((await robin.read()).status).toBe(200);
  expect((await robin.call("getOnboardingPosCredentialsSchema")).status).toBe(200);
  expect(await scan(table())).toEqual(before);
});

describe("at the status", () => {
  test.each(sampleCases(crbStatuses, 3))("%s, consent changes only svc_pending", async (status) => {
    const { robin, setStatus } = await givenInvited(table());
    await setStatus(status);
    const { json } = await robin.consent();
    expect(json.status).toBe(status === "svc_pending" ? "svc_in_progress" : status);
    expect(json.consent).not.toBeNull();
  });

  test.each(sampleCases(crbStatuses, 3))("%s, only svc_in_progress can be submitted", async (status) => {
    const { robin } = await complete(status);
    const isOpen = status === "svc_in_progress";
    const answer = await robin.submit();
    expect(answer.status).toBe(isOpen ? 200 : 409);
    const { json } = await robin.read();
    expect(json.status).toBe(isOpen ? "svc_awaiting_review" : status);
    if (isOpen || !/review/.test(status)) expect(typeof json.under_review_since).toBe(isOpen ? "string" : "object");
  });

  test.each(sampleCases(crbStatuses, 3))(
    "%s, a withdrawal changes only svc_awaiting_review, and always ends the connection",
    async (status) => {
      const { robin, stored, crbId } = await complete(status);
      const { json } = await robin.withdraw();
      expect(json).toMatchObject({
        status: status === "svc_awaiting_review" ? "svc_in_progress" : status,
        consent: null,
        pos: { name: "Blaze", status: "Not Connected" },
      });
      expect((await stored()).connection).toBeNull();
      expect(await table().get(posCredentialsKey(crbId), { consistent: true })).toBeUndefined();
    },
  );
});

describe("an onboarding cannot be submitted", () => {
  test.each<[string, (given: Given) => Promise<unknown>, object[]]>([
    ["consent", ({ crbId }) => changeCrb(table(), crbId, ({ consent, ...crb }) => crb), [{ step: "consent" }]],
    [
      "a connected POS",
      ({ crbId }) =>
        changeCrb(table(), crbId, ({ record, ...crb }) => ({
          ...crb,
          record: {
            ...record,
            pos_configs: record.pos_configs.map((config) => ({ ...config, status: "Needs Attention" as const })),
          },
        })),
      [{ step: "pos_connection" }],
    ],
    [
      "an active document",
      async ({ robin, requirementId, review }) => {
        const { documents } = (await robin.read()).json.requirements[0];
        expect((await review(documents[0].id, "archived")).status).toBe(200);
        return requirementId;
      },
      [{ step: "document" }],
    ],
  ])("without %s", async (_, take, missing) => {
    const given = await complete("svc_in_progress");
    await take(given);
    const answer = await given.robin.submit();
    expect(answer.status).toBe(409);
    expect(answer.json.data.missing).toMatchObject(missing);
    expect((await given.stored()).record.status).toBe("svc_in_progress");
  });

  test("without a POS, unless the operator has allowed files", async () => {
    const { crbId, requirementId, robin } = await givenInvited(table());
    await robin.consent();
    await robin.add(requirementId);
    expect((await robin.submit()).json.data.missing).toEqual([{ step: "pos_connection" }]);
    await changeCrb(table(), crbId, (crb) => ({ ...crb, usesFiles: true }));
    expect((await robin.submit()).status).toBe(200);
  });

  test("without its documents, except for optional and archived ones", async () => {
    const givenRequirements = [asking(), asking({ required: false }), asking({ archived: true })];
    const { requirementId, robin } = await givenInvited(table(), givenRequirements);
    await robin.consent();
    await robin.connect();
    await robin.add(requirementId);
    expect((await robin.submit()).status).toBe(200);
  });
});

describe("consent", () => {
  test("to outdated terms gets 409 with the current version and is not stored", async () => {
    const { robin, stored } = await givenInvited(table());
    const { version } = (await robin.read()).json.terms;
    const answer = await robin.consent("0123456789abcdef");
    expect(answer).toMatchObject({ status: 409, json: { data: { terms_version: version } } });
    expect((await stored()).consent).toBeUndefined();
  });

  test("stays valid when the terms change, and can be given to the new ones", async () => {
    const { robin } = await givenInvited(table());
    await robin.consent();
    const { consent } = (await robin.read()).json;
    vi.stubEnv("RETENTION_DAYS", "31");
    const { json } = await robin.read();
    expect(json.consent).toEqual(consent);
    expect(json.terms.version).not.toBe(consent.terms_version);
    expect((await robin.connect()).status).toBe(200);
    expect((await robin.consent(consent.terms_version)).status).toBe(409);
    expect((await robin.consent()).json.consent.terms_version).toBe(json.terms.version);
    vi.stubEnv("RETENTION_DAYS", "30");
  });

  test("to a version of an earlier release stays valid, and the terms of today can be accepted", async () => {
    const { crbId, robin } = await givenInvited(table());
    await robin.consent();
    await changeCrb(table(), crbId, ({ consent, ...crb }) => ({
      ...crb,
      ...(consent && { consent: { ...consent, termsVersion: "0123456789abcdef" } }),
    }));
    const { json } = await robin.read();
    expect(json.consent.terms_version).toBe("0123456789abcdef");
    expect(json.missing.map(({ step }: { step: string }) => step)).not.toContain("consent");
    expect((await robin.connect()).status).toBe(200);
    expect((await robin.consent()).json.consent.terms_version).toBe(json.terms.version);
  });

  test("is needed to connect a POS, also if it is withdrawn while the service tests the credentials", async () => {
    const { robin, kim, stored, requirementId } = await givenInvited(table());
    expect((await robin.connect()).status).toBe(409);
    // Documents may be added before consent.
    expect((await robin.add(requirementId)).status).toBe(200);
    await robin.consent();
    const [connected, withdrawn] = await Promise.all([robin.connect(), kim.withdraw()]);
    expect([200, 409]).toContain(connected.status);
    expect(withdrawn.status).toBe(200);
    expect((await stored()).connection).toBeNull();
  });

  test("is needed for the operator's approval if the CRB waits for it", async () => {
    const { crbId, robin, setStatus } = await complete("svc_awaiting_review");
    await robin.withdraw();
    await setStatus("svc_awaiting_review");
    await expect(moveOnboarding(table(), crbId, "approve")).rejects.toMatchObject({ kind: "conflict" });
    await robin.consent();
    expect(await moveOnboarding(table(), crbId, "approve")).toMatchObject({ to: "svc_approved" });
  });

  test("is needed before the operator connects a CRB whose consent was withdrawn", async () => {
    const { crbId, robin } = await complete("svc_in_progress");
    await robin.withdraw();
    const info = { pos_type: "Blaze" as const, pos_credentials: { Authorization: "x" } };
    await expect(connectPos(table(), crbId, info)).rejects.toMatchObject({ kind: "conflict" });
    await robin.consent();
    await connectPos(table(), crbId, info);
  });
});

test("a CRB from before consent was introduced that came without a POS needs consent before its approval", async () => {
  const { crbId, robin, setStatus } = await givenInvited(table());
  await changeCrb(table(), crbId, ({ needsConsent, ...crb }) => crb);
  await setStatus("svc_awaiting_review");
  await expect(moveOnboarding(table(), crbId, "approve")).rejects.toMatchObject({ kind: "conflict" });
  await robin.consent();
  expect(await moveOnboarding(table(), crbId, "approve")).toMatchObject({ to: "svc_approved" });
});

test("a connection that the service provider created without consent can be withdrawn by users, and approved by the operator", async () => {
  const { crbId, robin, stored, setStatus } = await givenInvited(table());
  await changeCrb(table(), crbId, ({ needsConsent, ...crb }) => crb);
  await connectPos(table(), crbId, { pos_type: "Blaze", pos_credentials: { Authorization: "brought" } });
  expect((await robin.read()).json).toMatchObject({ consent: null, pos: { status: "Connected" } });
  await setStatus("svc_awaiting_review");
  expect(await moveOnboarding(table(), crbId, "approve")).toMatchObject({ to: "svc_approved" });
  expect((await robin.withdraw()).json).toMatchObject({ pos: { status: "Not Connected" }, status: "svc_approved" });
  expect((await stored()).withdrawal).toMatchObject({ by: robin.id });
  const before = await stored();
  expect((await robin.withdraw()).status).toBe(200);
  expect(await stored()).toEqual(before);
});

describe("a POS connection", () => {
  test.each<[string, object, string]>([
    [
      "credentials that the POS rejects",
      { ...blaze, pos_credentials: { Authorization: "invalid-password" } },
      "body.pos_credentials",
    ],
    ["credentials that do not fit", { ...blaze, pos_credentials: { key: "x" } }, "body.pos_credentials.Authorization"],
    ["a location that it does not have", { ...blaze, location_id: "elsewhere" }, "body.location_id"],
    [
      "no location where one is needed",
      { pos_type: "Flowhub", pos_credentials: { key: "a", clientId: "b" } },
      "body.location_id",
    ],
    [
      "a POS for wholesale",
      { pos_type: "Canix", pos_credentials: { key: "a" }, location_id: "testing" },
      "body.pos_type",
    ],
    ["an unknown field", { ...blaze, crb_id: randomUUID() }, "body.crb_id"],
  ])("with %s gets 422 for that field and is not stored", async (_, body, field) => {
    const { robin, stored } = await givenInvited(table());
    await robin.consent();
    const { status, json } = await robin.connect(body);
    expect([status, Object.keys(json.fields)]).toEqual([422, expect.arrayContaining([field])]);
    expect(JSON.stringify(json)).not.toMatch(/pos_info|invalid-password/);
    if (field === "body.location_id") expect(json.data.locations).toHaveLength(1);
    expect((await stored()).connection).toBeNull();
  });

  test("can get new credentials, and another POS replaces it", async () => {
    const { crbId, robin, stored } = await givenInvited(table());
    await robin.consent();
    await robin.connect();
    const { connection } = await stored();
    expect((await robin.connect()).status).toBe(200);
    expect((await stored()).connection).toEqual(connection);
    const flowhub = { pos_type: "Flowhub", pos_credentials: { key: "a", clientId: "b" }, location_id: "testing" };
    expect((await robin.connect(flowhub)).json.pos).toMatchObject({ name: "Flowhub", status: "Connected" });
    expect((await stored()).record.pos_configs).toMatchObject([
      { name: "Blaze", status: "Not Connected" },
      { name: "Flowhub", status: "Connected" },
    ]);
    expect(crbId).toBe((await stored()).record.id);
  });

  test("of an organization that another CRB has already connected gets 409 without any detail of that CRB", async () => {
    const { spId, robin, stored } = await givenInvited(table());
    const other = randomUUID();
    const record = { ...crbRecord(other), name: (await stored()).record.name };
    await createCrb(table(), { record, serviceProviderId: spId, connection: null });
    await robin.consent();
    const answer = await robin.connect();
    expect(answer).toMatchObject({
      status: 409,
      json: { message: "The service provider already has a CRB of this organization." },
    });
    expect(JSON.stringify(answer.json)).not.toContain(other);
    expect((await stored()).connection).toBeNull();
  });
});

describe("documents", () => {
  test("of a user can be deleted by any user while they are pending", async () => {
    const { requirementId, robin, kim, review } = await givenInvited(table());
    const [one, other] = [await robin.add(requirementId), await robin.add(requirementId)];
    expect((await kim.remove(requirementId, one.json.document_id)).json.documents).toHaveLength(1);
    expect((await kim.remove(requirementId, one.json.document_id)).status).toBe(404);
    await review(other.json.document_id, "approved");
    expect((await robin.remove(requirementId, other.json.document_id)).status).toBe(409);
    await review(other.json.document_id, "archived");
    expect((await robin.remove(requirementId, other.json.document_id)).status).toBe(409);
  });

  test("of a user that are deleted return the CRB to its status, but name no reviewer of it", async () => {
    const { crbId, requirementId, robin, review, stored, template } = await givenInvited(table());
    await changeCrb(table(), crbId, (crb) => ({ ...crb, record: { ...crb.record, status: "svc_approved" } }));
    await review((await robin.add(requirementId)).json.document_id, "approved");
    expect((await stored()).record.status).toBe("bank_approved");
    expect((await template()).json).toHaveProperty("reviewed_by");
    const { document_id } = (await robin.add(requirementId)).json;
    expect((await stored()).record.status).not.toBe("bank_approved");
    await robin.remove(requirementId, document_id);
    expect((await stored()).record.status).toBe("bank_approved");
    expect((await template()).json).not.toHaveProperty("reviewed_by");
    expect((await template()).json).not.toHaveProperty("review_date");
  });

  test("of users are limited to 200, including deleted ones and unfinished uploads; the service provider may add more", async () => {
    const { crbId, requirementId, robin, kim, add } = await givenInvited(table());
    const file = { storage_key: "x", file_name: "x.txt", upload_date: new Date().toISOString() };
    const record = { org_id: crbId, ...file, uploaded_by_person: null };
    for (let i = 0; i < 198; i++) {
      const uploaded_by = i % 2 ? robin.id : kim.id;
      const stored = { ...record, id: randomUUID(), uploaded_by, deleted: i % 3 === 0 };
      const review = { status: "pending" as const };
      await table().put(documentItem({ record: stored, requirementId, review, rank: `0${i}`, version: 0 }));
    }
    const begin = () =>
      robin.call("createOnboardingUpload", {
        path: { requirement_id: requirementId },
        body: { file_name: "x.pdf", file_type: "application/pdf", size: 5 },
      });
    expect((await robin.add(requirementId)).status).toBe(200);
    expect((await begin()).status).toBe(200);
    const refused = await begin();
    expect([refused.status, refused.json.message]).toEqual([
      409,
      "Invited users have added 200 documents, including deleted ones, which is the maximum. Contact the service provider.",
    ]);
    // An unfinished upload does not count for a document that is sent in a body.
    const last = await kim.add(requirementId);
    expect(last.status).toBe(200);
    expect((await kim.remove(requirementId, last.json.document_id)).status).toBe(200);
    expect((await kim.add(requirementId)).status).toBe(409);
    expect((await add()).status).toBe(200);
  });

  test("of the service provider cannot be deleted by users", async () => {
    const { requirementId, robin, add } = await givenInvited(table());
    const { document_id } = (await add()).json;
    expect((await robin.remove(requirementId, document_id)).status).toBe(409);
    expect((await robin.read()).json.requirements[0].documents).toHaveLength(1);
  });

  test("and requirements of another business get 404", async () => {
    const [one, other] = [await givenInvited(table()), await givenInvited(table())];
    const { document_id } = (await other.robin.add(other.requirementId)).json;
    expect((await one.robin.add(other.requirementId)).status).toBe(404);
    expect((await one.robin.remove(one.requirementId, document_id)).status).toBe(404);
    expect((await one.robin.remove(other.requirementId, document_id)).status).toBe(404);
    expect((await one.robin.remove("x", document_id)).status).toBe(422);
  });
});

describe("an invitation token", () => {
  test("is valid for 30 days, and ends when another one replaces it", async () => {
    const { robin } = await givenInvited(table());
    const key = invitationTokenKey(robin.id);
    const item = (await table().get(key, { consistent: true })) ?? expect.fail("no token");
    expect(Number(item.expires) - Date.now() / 1000).toBeGreaterThan(30 * 86_400 - 60);
    expect(Number(item.expires) - Date.now() / 1000).toBeLessThanOrEqual(30 * 86_400);
    expect(JSON.stringify(item)).not.toContain(robin.token);
    const [stored] = item.tokens as object[];
    await table().put({ ...item, tokens: [{ ...stored, expires: Math.floor(Date.now() / 1000) - 1 }] });
    expect((await robin.read()).status).toBe(401);
    await table().put({ ...item, tokens: [{ ...stored, digest: "0".repeat(64) }] });
    expect((await robin.read()).status).toBe(401);
    await table().put(item);
    expect((await robin.read()).status).toBe(200);
  });

  test("of every user ends with the association", async () => {
    const { crbId, robin, kim, requirementId } = await complete("svc_in_progress");
    await endAssociation(table(), serviceBucket(), crbId);
    for (const user of [robin, kim]) {
      const answers = await Promise.all([
        user.read(),
        user.consent(),
        user.withdraw(),
        user.connect(),
        user.add(requirementId),
        user.submit(),
      ]);
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 401));
    }
  });

  test("that was not deleted with the association grants no access", async () => {
    const { crbId, robin, requirementId } = await complete("svc_in_progress");
    const key = invitationTokenKey(robin.id);
    const item = (await table().get(key, { consistent: true })) ?? expect.fail("no token");
    await endAssociation(table(), serviceBucket(), crbId);
    await table().put(item);
    expect((await robin.read()).status).toBe(401);
    const answers = await Promise.all([
      robin.consent(),
      robin.withdraw(),
      robin.connect(),
      robin.add(requirementId),
      robin.remove(requirementId, randomUUID()),
      robin.submit(),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 401));
  });
});
