import { expect, test } from "vitest";
import { handler as exchangeToken } from "../../../functions/authentication/exchangeToken.ts";
import { handler as createCrbAccess } from "../../../functions/crbs/createCrbAccess.ts";
import { handler as listCredentials } from "../../../functions/credentials/listCredentials.ts";
import { handler as getDownload } from "../../../functions/documents/getCrbDocumentDownload.ts";
import { handler as createExport } from "../../../functions/exports/createExport.ts";
import { handler as listExports } from "../../../functions/exports/listExports.ts";
import { handler as linkLicense } from "../../../functions/linkedLicenses/linkCrbLicense.ts";
import { handler as listLicenses } from "../../../functions/linkedLicenses/listCrbLicenses.ts";
import { handler as addDocument } from "../../../functions/onboarding/addRequirementDocument.ts";
import { handler as completeUpload } from "../../../functions/onboarding/completeDocumentUpload.ts";
import { handler as beginUpload } from "../../../functions/onboarding/createDocumentUpload.ts";
import { handler as getTemplate } from "../../../functions/onboarding/getCrbOnboardingTemplate.ts";
import { handler as reviewDocument } from "../../../functions/onboarding/updateRequirementDocumentStatus.ts";
import { handler as createEndpoint } from "../../../functions/webhooks/createWebhookEndpoint.ts";
import { handler as rotateSecret } from "../../../functions/webhooks/rotateWebhookSecret.ts";
import { handler as updateEndpoint } from "../../../functions/webhooks/updateWebhookEndpoint.ts";
import { jwtBearer } from "../../../shared/api/schemas/token.ts";
import { serviceBucket } from "../../../shared/domain/documents/bucket.ts";
import { setIdentityProvider } from "../../../shared/domain/identityProviders/setIdentityProvider.ts";
import { requestEvent, testContext } from "../../requestEvent.ts";
import { importRows, licenseIdOf } from "../../shared/domain/linkedLicenses/givenLicenses.ts";
import { useIdentityProvider } from "../../testIdentityProvider.ts";
import { useTestSealingKey } from "../../testServiceKey.ts";
import { useQueues } from "../../useQueues.ts";
import { useTestBucket } from "../../useTestBucket.ts";
import { useTestTable } from "../../useTestTable.ts";
import { asking, givenOnboarding, note } from "../onboarding/givenOnboarding.ts";

// The person next to each client id of a record (docs/spec.md#persons).

const table = useTestTable();
useTestBucket();
useTestSealingKey();
useQueues();
const provider = useIdentityProvider();

const ana = { sub: "00u1", name: "Ana Ruiz" };
const crb = "/service-providers/{sp_id}/crbs/{crb_id}";
const requirement = `${crb}/onboarding-template/requirements/{requirement_id}`;
const endpoints = "/service-providers/{sp_id}/webhook-endpoints";

/** A bank with two requirements, and calls of it with the token of a person or the secret of a program. */
async function givenBank() {
  const [first, second] = [asking(), asking()];
  const bank = await givenOnboarding(table(), [first, second], { state: "CO" });
  const roles = [{ claim: "groups", value: "Leads", role: "administrator" as const }];
  const settings = { short_name: `bank-${bank.spId.slice(0, 8)}`, issuer: provider.issuer, client_id: bank.spId };
  const stores = { table: table(), bucket: serviceBucket() };
  await setIdentityProvider(stores, bank.spId, { ...settings, customers: true, roles }, undefined);
  const assertion = await provider.sign({ aud: bank.spId, groups: ["Leads"] });
  const body = { grant_type: jwtBearer, assertion, sp_id: bank.spId };
  const answer = await exchangeToken(requestEvent({ resource: "/auth/token", method: "POST", body }), testContext);
  const token: string = JSON.parse(answer.body).access_token;
  const as =
    (authorization: string) =>
    async (
      handler: Parameters<typeof bank.call>[0],
      method: string,
      resource: string,
      body?: object,
      path: Record<string, string> = {},
    ) => {
      const ids = { crb_id: bank.crbId, requirement_id: String(first.requirement_id), ...path };
      const { status, json } = await bank.call(handler, { resource, method, path: ids, body, authorization });
      expect(status).toBe(200);
      return json;
    };
  return { ...bank, second: String(second.requirement_id), person: as(token), program: as(bank.secret) };
}

test("documents, and the answers to the template", async () => {
  const bank = await givenBank();
  const added = await bank.person(addDocument, "PUT", `${requirement}/documents`, note);
  const [document] = added.updated_requirement_response.documents;
  expect(document).toMatchObject({ uploaded_by_person: ana });
  const path = { document_id: added.document_id, doc_id: added.document_id };
  const reviewed = await bank.person(
    reviewDocument,
    "PUT",
    `${requirement}/documents/{document_id}`,
    { status: "approved" },
    path,
  );
  expect(reviewed.documents[0]).toMatchObject({ uploaded_by_person: ana, reviewed_by_person: ana });
  const again = await bank.program(
    reviewDocument,
    "PUT",
    `${requirement}/documents/{document_id}`,
    { status: "pending" },
    path,
  );
  expect(again.documents[0]).not.toHaveProperty("reviewed_by_person");
  const shown = await bank.program(getDownload, "GET", `${crb}/documents/{doc_id}/download`, undefined, path);
  expect(shown.uploaded_by_person).toEqual(ana);
});

test("the answers: who submitted them, and who finished the review", async () => {
  const bank = await givenBank();
  const ids: string[] = [];
  for (const [call, requirement_id] of [
    [bank.program, undefined],
    [bank.person, bank.second],
  ] as const) {
    const path = requirement_id === undefined ? {} : { requirement_id };
    ids.push((await call(addDocument, "PUT", `${requirement}/documents`, note, path)).document_id);
  }
  const template = () => bank.program(getTemplate, "GET", `${crb}/onboarding-template`);
  expect(await template()).toMatchObject({ submitted_by_person: ana });
  const approve = (document_id: string, more: Record<string, string> = {}) =>
    bank.person(
      reviewDocument,
      "PUT",
      `${requirement}/documents/{document_id}`,
      { status: "approved" },
      { document_id, ...more },
    );
  await approve(ids[0] as string);
  await approve(ids[1] as string, { requirement_id: bank.second });
  expect(await template()).toMatchObject({ submitted_by_person: ana, reviewed_by_person: ana });
});

test("uploads by link", async () => {
  const bank = await givenBank();
  const pdf = Buffer.from("%PDF-1.7\nand more");
  const uploads = `${requirement}/document-uploads`;
  const sent = { file_name: "x.pdf", file_type: "application/pdf", size: pdf.length };
  const { document_id, upload_link } = await bank.person(beginUpload, "POST", uploads, sent);
  const headers = { "Content-Type": "application/pdf", "If-None-Match": "*" };
  await fetch(upload_link, { method: "PUT", body: new Uint8Array(pdf), headers });
  const done = await bank.program(completeUpload, "POST", `${uploads}/{document_id}`, undefined, { document_id });
  expect(done.updated_requirement_response.documents[0]).toMatchObject({ uploaded_by_person: ana });
});

test("exports", async () => {
  const bank = await givenBank();
  const body = { kinds: ["products"], format: "ndjson" };
  expect((await bank.person(createExport, "POST", `${crb}/exports`, body)).created_by_person).toEqual(ana);
  await bank.program(createExport, "POST", `${crb}/exports`, body);
  const { data } = await bank.program(listExports, "GET", `${crb}/exports`);
  expect(data.map((each: { created_by_person: unknown }) => each.created_by_person).sort()).toEqual([ana, null]);
});

test("licenses", async () => {
  await importRows([{ number: "P-1", expires_in: 400 }]);
  const bank = await givenBank();
  const license_id = await licenseIdOf("P-1");
  const linked = await bank.person(linkLicense, "PUT", `${crb}/licenses/{license_id}`, undefined, { license_id });
  expect(linked.linked_by_person).toEqual(ana);
  expect((await bank.program(listLicenses, "GET", `${crb}/licenses`)).data[0].linked_by_person).toEqual(ana);
});

test("pairs of CRBs", async () => {
  const bank = await givenBank();
  const pairs = [
    await bank.person(createCrbAccess, "POST", `${crb}/access`),
    await bank.program(createCrbAccess, "POST", `${crb}/access`),
  ];
  const { data } = await bank.program(listCredentials, "GET", "/service-providers/{sp_id}/credentials");
  const byId = new Map(data.map((each: { client_id: string }) => [each.client_id, each]));
  expect(pairs.map(({ client_id }) => byId.get(client_id))).toMatchObject([
    { created_by_person: ana },
    { created_by_person: null },
  ]);
});

test("webhook endpoints", async () => {
  const bank = await givenBank();
  const at = (id: string) => ({ endpoint_id: id });
  const body = { url: "https://93.184.216.34/events" };
  const { id, ...made } = await bank.person(createEndpoint, "POST", endpoints, body);
  expect(made).toMatchObject({ created_by_person: ana, changed_by_person: null });
  const one = `${endpoints}/{endpoint_id}`;
  const described = await bank.program(updateEndpoint, "PUT", one, { description: "x" }, at(id));
  expect(described).toMatchObject({ created_by_person: ana, changed_by_person: null, changed_by: bank.clientId });
  const rotated = await bank.person(rotateSecret, "POST", `${one}/secret`, undefined, at(id));
  expect(rotated).toMatchObject({ created_by_person: ana, changed_by_person: ana });
});
