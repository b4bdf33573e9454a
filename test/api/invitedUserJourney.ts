import { demoMetrcAccess } from "../../infra/local/metrc/demoMetrcAccess.ts";
import { answerOf } from "../client/answerOf.ts";
import type { ApiClient } from "../client/apiClient.ts";

const requirement = "/onboarding/requirements/{requirement_id}" as const;
const base64 = Buffer.from("Doors have two locks.").toString("base64");

/** Calls the operations of an invited user, from the terms to a submitted onboarding, and then withdraws the consent. */
export async function beOnboarded(invited: ApiClient, anyone: ApiClient, email: string): Promise<void> {
  // Resets what earlier calls did.
  answerOf(await invited.DELETE("/onboarding/consent"));
  const { terms } = answerOf(await invited.GET("/onboarding"));
  const consent = { terms_version: terms.version };
  answerOf(await invited.PUT("/onboarding/consent", { body: consent }));
  const stale = await invited.PUT("/onboarding/consent", { body: { terms_version: "older" } });
  if (stale.response.status !== 409) fail("consent to older terms was accepted");
  const schema = answerOf(await invited.GET("/onboarding/pos-credentials-schema"));
  if (!schema.Flowhub?.location_required) fail("the response does not list the POS types");
  const pos_credentials = { key: "any", clientId: "any" };
  const unlocated = await invited.PUT("/onboarding/pos-connection", { body: { pos_type: "Flowhub", pos_credentials } });
  if (unlocated.response.status !== 422) fail("a connection without location was accepted");
  const body = { pos_type: "Flowhub", pos_credentials, location_id: "testing" } as const;
  const { missing, requirements } = answerOf(await invited.PUT("/onboarding/pos-connection", { body }));
  const required = missing.length > 0 ? missing : requirements.slice(0, 1);
  for (const { requirement_id = "" } of required) await deliver(invited, requirement_id);
  const numbers = { license_numbers: ["CO-R-10000", "CO-R-99999"] };
  const linked = answerOf(await invited.PUT("/onboarding/licenses", { body: numbers }));
  if (linked.unmatched_licenses.join() !== "CO-R-99999") fail("a license number is linked wrongly");
  const [license] = linked.licenses;
  if (license?.license_identifier !== "CO-R-10000") fail("the linked license is not shown");
  const unlinking = { params: { path: { license_id: license.id } } };
  const unlinked = answerOf(await invited.DELETE("/onboarding/licenses/{license_id}", unlinking));
  if (unlinked.licenses.some(({ id }) => id === license.id)) fail("the license is still linked");
  const asking = { ...numbers, confirmed_licenses: [] };
  const answer = answerOf(await invited.PUT("/onboarding/licenses", { body: asking }));
  if (answer.unconfirmed_licenses[0]?.id !== license.id) fail("the license is not shown for confirmation");
  if (answer.licenses.length > unlinked.licenses.length) fail("a license was linked without confirmation");
  await connectMetrc(invited);
  answerOf(await invited.POST("/onboarding/submit"));
  const { status } = answerOf(await invited.DELETE("/onboarding/consent"));
  if (status !== "svc_in_progress") fail(`the status after the withdrawal is ${status}`);
  answerOf(await anyone.POST("/onboarding/link", { body: { email } }));
}

/** Connects a license to Metrc, and disconnects it. The demo's license is that of another business, so it is unlinked again. */
async function connectMetrc(invited: ApiClient): Promise<void> {
  const { licenseNumber: license_number, userKey: user_key } = demoMetrcAccess;
  const { licenses } = answerOf(
    await invited.PUT("/onboarding/licenses", { body: { license_numbers: [license_number] } }),
  );
  const params = { path: { license_number } };
  const one = "/onboarding/state-connections/{license_number}" as const;
  answerOf(await invited.PUT(one, { params, body: { system: "Metrc", user_key } }));
  if (answerOf(await invited.GET(one, { params })).status !== "waiting") fail("the license was read already");
  const listed = answerOf(await invited.GET("/onboarding/state-connections"));
  if (listed.data.length !== 1) fail("the connection is not listed");
  answerOf(await invited.DELETE(one, { params }));
  const license_id = licenses.find(({ license_identifier }) => license_identifier === license_number)?.id ?? "";
  answerOf(await invited.DELETE("/onboarding/licenses/{license_id}", { params: { path: { license_id } } }));
}

/** Adds a document and deletes it, then adds another one through an upload link. */
async function deliver(invited: ApiClient, requirement_id: string): Promise<void> {
  const path = { requirement_id };
  const file = { file_name: "doors.txt", file_type: "text/plain" } as const;
  const added = answerOf(
    await invited.PUT(`${requirement}/documents`, { params: { path }, body: { ...file, base64 } }),
  );
  const one = { params: { path: { ...path, document_id: added.document_id } } };
  answerOf(await invited.DELETE(`${requirement}/documents/{document_id}`, one));
  const content = Buffer.from("Windows have bars.");
  const size = content.length;
  const begun = answerOf(
    await invited.POST(`${requirement}/document-uploads`, { params: { path }, body: { ...file, size } }),
  );
  const headers = { "Content-Type": file.file_type, "If-None-Match": "*" };
  const sent = await fetch(begun.upload_link, { method: "PUT", body: content, headers });
  if (!sent.ok) fail(`the store rejected the file with ${sent.status}`);
  const params = { path: { ...path, document_id: begun.document_id } };
  answerOf(await invited.POST(`${requirement}/document-uploads/{document_id}`, { params }));
}

function fail(message: string): never {
  throw new Error(message);
}
