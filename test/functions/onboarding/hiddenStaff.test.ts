import { beforeAll, expect, test, vi } from "vitest";
import { jwtBearer } from "../../../shared/api/schemas/token.ts";
import { serviceBucket } from "../../../shared/domain/documents/bucket.ts";
import { setIdentityProvider } from "../../../shared/domain/identityProviders/setIdentityProvider.ts";
import { licenseIdOf } from "../../shared/domain/linkedLicenses/givenLicenses.ts";
import { useIdentityProvider } from "../../testIdentityProvider.ts";
import { callHandler, type OperationId, type OperationRequest, routes } from "../callHandler.ts";
import { licenseNumber, useStateBusinesses } from "../stateSystems/useStateBusinesses.ts";
import { blaze } from "./givenInvited.ts";
import { note } from "./givenOnboarding.ts";

const { table, given } = useStateBusinesses();
const provider = useIdentityProvider();

beforeAll(() => void vi.stubEnv("POS_CONNECTORS", "sandbox"));

const otherNumber = "402R-00002";

const ana = { sub: "00u1-of-ana", name: "Ana Ruiz" };

/** A business whose records a person of the service provider has added, reviewed, linked and connected. */
async function givenStaff() {
  const business = await given([]);
  const { spId, call, robin, requirementId } = business;
  const roles = [{ claim: "groups", value: "Leads", role: "administrator" as const }];
  const settings = { short_name: `bank-${spId.slice(0, 8)}`, issuer: provider.issuer, client_id: spId };
  const stores = { table: table(), bucket: serviceBucket() };
  const { credential_id } = await setIdentityProvider(stores, spId, { ...settings, customers: true, roles }, undefined);
  const assertion = await provider.sign({ aud: spId, groups: ["Leads"], ...ana });
  const body = { grant_type: jwtBearer, assertion, sp_id: spId };
  const authorization: string = (await callHandler("exchangeToken", { body })).json.access_token;
  const asAna = async (operationId: OperationId, request: OperationRequest = {}) => {
    const { status, json } = await call(operationId, { ...request, authorization });
    expect([operationId, status]).toEqual([operationId, 200]);
    return json;
  };
  await robin.consent();
  const own: string = (await robin.add(requirementId)).json.document_id;
  const { document_id } = await asAna("addRequirementDocument", { body: note });
  for (const reviewed of [own, document_id])
    await asAna("updateRequirementDocumentStatus", { path: { document_id: reviewed }, body: { status: "approved" } });
  const license_id = await licenseIdOf(licenseNumber);
  await asAna("linkCrbLicense", { path: { license_id } });
  const key = { system: "Metrc", user_key: "user/key" };
  const path = { license_number: licenseNumber };
  await asAna("setCrbStateConnection", { path, body: key });
  return { ...business, credentialId: credential_id, own, document_id, key };
}

test("no operation shows an invited user the persons and credentials of the service provider", async () => {
  // The register has the licenses from now on.
  await given([licenseNumber, otherNumber]);
  const { robin, requirementId, credentialId, clientId, own, document_id, key } = await givenStaff();
  const seen = new Map<string, string>();
  const call = async (operationId: OperationId, path: Record<string, string> = {}, body?: object) => {
    const { status, text, json } = await robin.call(operationId, {
      path: { requirement_id: requirementId, ...path },
      body,
    });
    expect([operationId, status]).toEqual([operationId, 200]);
    seen.set(operationId, text);
    return json;
  };
  const { requirements, terms } = await call("getOnboarding");
  const documents: { id: string; uploaded_by: string | null }[] = requirements[0].documents;
  expect(documents.map(({ id, uploaded_by }) => [id, uploaded_by])).toEqual([
    [document_id, null],
    [own, robin.id],
  ]);
  await call("giveConsent", {}, { terms_version: terms.version });
  await call("getOnboardingPosCredentialsSchema");
  await call("connectOnboardingPos", {}, blaze);
  await call("linkOnboardingLicenses", {}, { license_numbers: [licenseNumber, otherNumber] });
  const license = { license_number: licenseNumber };
  await call("listOnboardingStateConnections");
  await call("getOnboardingStateConnection", license);
  await call("deleteOnboardingStateConnection", license);
  await call("setOnboardingStateConnection", license, key);
  const added = await call("addOnboardingDocument", {}, note);
  await call("deleteOnboardingDocument", { document_id: added.document_id });
  const pdf = "%PDF-1.7\nand more";
  const file = { file_name: "x.pdf", file_type: "application/pdf", size: pdf.length };
  const upload = await call("createOnboardingUpload", {}, file);
  const headers = { "Content-Type": "application/pdf", "If-None-Match": "*" };
  await fetch(upload.upload_link, { method: "PUT", body: pdf, headers });
  await call("completeOnboardingUpload", { document_id: upload.document_id });
  await call("unlinkOnboardingLicense", { license_id: await licenseIdOf(otherNumber) });
  await call("submitOnboarding");
  await call("withdrawConsent");

  const ofUsers = routes.filter(({ caller }) => caller === "invitedUser").map(({ operationId }) => operationId);
  expect([...seen.keys()].sort()).toEqual(ofUsers.sort());
  for (const [operationId, text] of seen)
    for (const hidden of [ana.sub, ana.name, credentialId, clientId])
      expect([operationId, text.includes(hidden)]).toEqual([operationId, false]);
});
