import { expect, test } from "vitest";
import { jwtBearer } from "../../../shared/api/schemas/token.ts";
import { serviceBucket } from "../../../shared/domain/documents/bucket.ts";
import { setIdentityProvider } from "../../../shared/domain/identityProviders/setIdentityProvider.ts";
import { importRows, licenseIdOf } from "../../shared/domain/linkedLicenses/givenLicenses.ts";
import { useIdentityProvider } from "../../testIdentityProvider.ts";
import { useTestSealingKey } from "../../testServiceKey.ts";
import { useQueues } from "../../useQueues.ts";
import { useTestBucket } from "../../useTestBucket.ts";
import { useTestTable } from "../../useTestTable.ts";
import { callHandler, type OperationId, type OperationRequest } from "../callHandler.ts";
import { asking, givenOnboarding, note } from "../onboarding/givenOnboarding.ts";

// The person next to each client id of a record (docs/spec.md#persons).

const table = useTestTable();
useTestBucket();
useTestSealingKey();
useQueues();
const provider = useIdentityProvider();

const ana = { sub: "00u1", name: "Ana Ruiz" };

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
  const token: string = (await callHandler("exchangeToken", { body })).json.access_token;
  const as =
    (authorization: string) =>
    async (operationId: OperationId, request: OperationRequest = {}) => {
      const { status, json } = await bank.call(operationId, { ...request, authorization });
      expect(status).toBe(200);
      return json;
    };
  return { ...bank, second: String(second.requirement_id), person: as(token), program: as(bank.secret) };
}

test("documents, and the answers to the template", async () => {
  const bank = await givenBank();
  const added = await bank.person("addRequirementDocument", { body: note });
  const [document] = added.updated_requirement_response.documents;
  expect(document).toMatchObject({ uploaded_by_person: ana });
  const path = { document_id: added.document_id, doc_id: added.document_id };
  const reviewed = await bank.person("updateRequirementDocumentStatus", { body: { status: "approved" }, path });
  expect(reviewed.documents[0]).toMatchObject({ uploaded_by_person: ana, reviewed_by_person: ana });
  const again = await bank.program("updateRequirementDocumentStatus", { body: { status: "pending" }, path });
  expect(again.documents[0]).not.toHaveProperty("reviewed_by_person");
  const shown = await bank.program("getCrbDocumentDownload", { path });
  expect(shown.uploaded_by_person).toEqual(ana);
});

test("the answers: who submitted them, and who finished the review", async () => {
  const bank = await givenBank();
  const ofSecond = { requirement_id: bank.second };
  const one = (await bank.program("addRequirementDocument", { body: note })).document_id;
  const other = (await bank.person("addRequirementDocument", { body: note, path: ofSecond })).document_id;
  const template = () => bank.program("getCrbOnboardingTemplate");
  expect(await template()).toMatchObject({ submitted_by_person: ana });
  for (const path of [{ document_id: one }, { document_id: other, ...ofSecond }])
    await bank.person("updateRequirementDocumentStatus", { body: { status: "approved" }, path });
  expect(await template()).toMatchObject({ submitted_by_person: ana, reviewed_by_person: ana });
});

test("uploads by link", async () => {
  const bank = await givenBank();
  const pdf = Buffer.from("%PDF-1.7\nand more");
  const body = { file_name: "x.pdf", file_type: "application/pdf", size: pdf.length };
  const { document_id, upload_link } = await bank.person("createDocumentUpload", { body });
  const headers = { "Content-Type": "application/pdf", "If-None-Match": "*" };
  await fetch(upload_link, { method: "PUT", body: new Uint8Array(pdf), headers });
  const done = await bank.program("completeDocumentUpload", { path: { document_id } });
  expect(done.updated_requirement_response.documents[0]).toMatchObject({ uploaded_by_person: ana });
});

test("exports", async () => {
  const bank = await givenBank();
  const body = { kinds: ["products"], format: "ndjson" };
  expect((await bank.person("createExport", { body })).created_by_person).toEqual(ana);
  await bank.program("createExport", { body });
  const { data } = await bank.program("listExports");
  expect(data.map((each: { created_by_person: unknown }) => each.created_by_person).sort()).toEqual([ana, null]);
});

test("licenses", async () => {
  await importRows([{ number: "P-1", expires_in: 400 }]);
  const bank = await givenBank();
  const license_id = await licenseIdOf("P-1");
  const linked = await bank.person("linkCrbLicense", { path: { license_id } });
  expect(linked.linked_by_person).toEqual(ana);
  expect((await bank.program("listCrbLicenses")).data[0].linked_by_person).toEqual(ana);
});

test("pairs of CRBs", async () => {
  const bank = await givenBank();
  const pairs = [await bank.person("createCrbAccess"), await bank.program("createCrbAccess")];
  const { data } = await bank.program("listCredentials");
  const byId = new Map(data.map((each: { client_id: string }) => [each.client_id, each]));
  expect(pairs.map(({ client_id }) => byId.get(client_id))).toMatchObject([
    { created_by_person: ana },
    { created_by_person: null },
  ]);
});

test("webhook endpoints", async () => {
  const bank = await givenBank();
  const body = { url: "https://93.184.216.34/events" };
  const { id, ...made } = await bank.person("createWebhookEndpoint", { body });
  expect(made).toMatchObject({ created_by_person: ana, changed_by_person: null });
  const path = { endpoint_id: id };
  const described = await bank.program("updateWebhookEndpoint", { body: { description: "x" }, path });
  expect(described).toMatchObject({ created_by_person: ana, changed_by_person: null, changed_by: bank.clientId });
  const rotated = await bank.person("rotateWebhookSecret", { path });
  expect(rotated).toMatchObject({ created_by_person: ana, changed_by_person: ana });
});
