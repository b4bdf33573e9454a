import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from "aws-lambda";
import { expect } from "vitest";
import { handler as addDocument } from "../../../functions/onboarding/addRequirementDocument.ts";
import { handler as connectPos } from "../../../functions/onboarding/connectOnboardingPos.ts";
import { handler as removeDocument } from "../../../functions/onboarding/deleteOnboardingDocument.ts";
import { handler as getOnboarding } from "../../../functions/onboarding/getOnboarding.ts";
import { handler as giveConsent } from "../../../functions/onboarding/giveConsent.ts";
import { handler as submit } from "../../../functions/onboarding/submitOnboarding.ts";
import { handler as withdrawConsent } from "../../../functions/onboarding/withdrawConsent.ts";
import { newInvitationToken } from "../../../shared/auth/invitationTokens.ts";
import { invitationsOf, invitationWrites } from "../../../shared/domain/invitations/invitations.ts";
import { terms } from "../../../shared/domain/onboarding/terms.ts";
import type { Table } from "../../../shared/store/client.ts";
import type { Crb } from "../../../shared/store/crb.ts";
import { changeCrb, readCrb } from "../../../shared/store/crbs.ts";
import { invitationKey, unsentInvitationsKey } from "../../../shared/store/keys/invitations.ts";
import { systemClock } from "../../../shared/time/clock.ts";
import { requestEvent, type TestRequest, testContext } from "../../requestEvent.ts";
import { asking, givenOnboarding, note } from "./givenOnboarding.ts";

type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** The settings that determine the stage's terms. */
export const termsEnvironment = {
  OPERATOR_NAME: "Front Range Data, Inc.",
  PRIVACY_URL: "https://data.example.com/privacy",
  TERMS_FILE: "infra/stages/terms.md",
  RETENTION_DAYS: "30",
  REPLICATE_EVERY_SECONDS: JSON.stringify({ location: 60, product: 60, customer: 60, inventory: 60, sale: 60 }),
};

export const people = [
  { email: "robin@example.com", firstName: "Robin", lastName: "Reyes" },
  { email: "kim@example.com", firstName: "Kim", lastName: "Lee" },
];

/** Credentials that the sandbox accepts for Blaze. */
export const blaze = { pos_type: "Blaze", pos_credentials: { Authorization: "any key" } };

/** The calls of an invited user of a business (docs/spec.md#in-app-onboarding). */
function userOf(token: string) {
  const call = async (handler: Handler, request: TestRequest) => {
    const answer = await handler(requestEvent({ authorization: token, ...request }), testContext);
    return { status: answer.statusCode, json: JSON.parse(answer.body) };
  };
  const documents = "/onboarding/requirements/{requirement_id}/documents";
  return {
    token,
    call,
    read: () => call(getOnboarding, { resource: "/onboarding" }),
    consent: (terms_version = terms().version) =>
      call(giveConsent, { resource: "/onboarding/consent", method: "PUT", body: { terms_version } }),
    withdraw: () => call(withdrawConsent, { resource: "/onboarding/consent", method: "DELETE" }),
    connect: (body: object = blaze) =>
      call(connectPos, { resource: "/onboarding/pos-connection", method: "PUT", body }),
    add: (requirement_id: string, body: object = note) =>
      call(addDocument, { resource: documents, method: "PUT", path: { requirement_id }, body }),
    remove: (requirement_id: string, document_id: string) =>
      call(removeDocument, {
        resource: `${documents}/{document_id}`,
        method: "DELETE",
        path: { requirement_id, document_id },
      }),
    submit: () => call(submit, { resource: "/onboarding/submit", method: "POST" }),
  };
}

type User = ReturnType<typeof userOf>;

/** Stores that the invitations of a CRB were sent. */
export async function markInvitationsSent(
  table: Table,
  { crbId, invitations }: { crbId: string; invitations: readonly { id: string }[] },
): Promise<void> {
  const sent_at = new Date().toISOString();
  for (const { id } of invitations) {
    await table.put({ ...invitationKey(crbId, id), claimed_until: 0, attempts: 1, sent_at });
  }
}

/**
 * A CRB with two invited users and without POS credentials, and their calls.
 * @param requirements the CRB's document requirements
 */
export async function givenInvited(table: Table, requirements = [asking()]) {
  const given = await givenOnboarding(table, requirements, { business_type: "retail", status: "svc_pending" });
  const { crbId, spId } = given;
  const change = ({ record, ...crb }: Crb): Crb => ({
    ...crb,
    record: { ...record, name: `Business ${crbId}` },
    needsConsent: true,
  });
  await changeCrb(table, crbId, change, systemClock, { compareHolders: async () => ({}) });
  const invitations = invitationsOf(crbId, people);
  await table.transact(invitationWrites(table, crbId, invitations, new Date()));
  const users = await Promise.all(
    invitations.map(async ({ id }) => {
      const { token, write } = await newInvitationToken(table, { invitationId: id, crbId, spId }, new Date());
      await table.transact([write]);
      return { ...userOf(token), id };
    }),
  );
  const [robin, kim] = users as [User & { id: string }, User & { id: string }];
  const stored = async () => {
    const crb = await readCrb(table, crbId, { consistent: true });
    if (!crb) throw new Error("no CRB");
    return crb;
  };
  return { ...given, robin, kim, invitations, stored };
}

/** The same CRB, connected with the consent of one user, and with no mail to send. */
export async function givenConnectedCrb(table: Table) {
  const given = await givenInvited(table);
  await given.robin.consent();
  expect((await given.robin.connect()).status).toBe(200);
  await table.delete(unsentInvitationsKey(given.crbId));
  return given;
}
