import { expect } from "vitest";
import { newInvitationToken } from "../../../shared/auth/invitationTokens.ts";
import { invitationsOf, invitationWrites } from "../../../shared/domain/invitations/invitations.ts";
import { terms } from "../../../shared/domain/onboarding/terms.ts";
import type { Table } from "../../../shared/store/client.ts";
import type { Crb } from "../../../shared/store/crb.ts";
import { changeCrb, readCrb } from "../../../shared/store/crbs.ts";
import { invitationKey, unsentInvitationsKey } from "../../../shared/store/keys/invitations.ts";
import { systemClock } from "../../../shared/time/clock.ts";
import { callHandler, type OperationId, type OperationRequest } from "../callHandler.ts";
import { asking, givenOnboarding, note } from "./givenOnboarding.ts";

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

/** Stores an invitation of a CRB that is not sent yet. @returns its id */
export async function storeInvitation(table: Table, crbId: string, since = new Date()): Promise<string> {
  const [invitation = expect.fail()] = invitationsOf(crbId, people.slice(0, 1));
  await table.transact(invitationWrites(table, crbId, [invitation], since));
  return invitation.id;
}

/** The calls of an invited user of a business (docs/spec.md#in-app-onboarding). */
function userOf(token: string) {
  const call = (operationId: OperationId, request: OperationRequest = {}) =>
    callHandler(operationId, { authorization: token, ...request });
  return {
    token,
    call,
    read: () => call("getOnboarding"),
    consent: (terms_version = terms().version) => call("giveConsent", { body: { terms_version } }),
    withdraw: () => call("withdrawConsent"),
    connect: (body: object = blaze) => call("connectOnboardingPos", { body }),
    add: (requirement_id: string, body: object = note) =>
      call("addOnboardingDocument", { path: { requirement_id }, body }),
    remove: (requirement_id: string, document_id: string) =>
      call("deleteOnboardingDocument", { path: { requirement_id, document_id } }),
    submit: () => call("submitOnboarding"),
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
