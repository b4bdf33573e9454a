import { expect, test } from "vitest";
import { sendInvitations } from "../../../shared/domain/invitations/sendInvitations.ts";
import { moveOnboarding } from "../../../shared/domain/onboarding/statusChange.ts";
import { unsentInvitationsKey } from "../../../shared/store/keys/invitations.ts";
import { TestClock } from "../../shared/store/orderedList/listUnderTest.ts";
import { givenInvited, markInvitationsSent } from "./givenInvited.ts";
import { asking } from "./givenOnboarding.ts";
import { useInvitedUsers } from "./useInvitedUsers.ts";

const { table, queued, mails } = useInvitedUsers();

const everybody = ["kim@example.com", "robin@example.com"];
const subject = "The setup of your business needs a correction";
/** The mails about documents. Others report the consent. */
const corrections = async () => (await mails()).filter((mail) => mail.subject === subject);
const recipients = async () => (await corrections()).flatMap(({ destination }) => destination.to).sort();

/** A CRB whose invitations were sent, with a document of each of these requirements. */
async function givenDocuments(requirements = [asking()]) {
  const given = await givenInvited(table(), requirements);
  await markInvitationsSent(table(), given);
  await given.robin.consent();
  const add = async ({ requirement_id }: { requirement_id: string }) =>
    (await given.add(undefined, { requirement_id })).json.document_id as string;
  return { ...given, documents: await Promise.all(requirements.map(add)) };
}

test("users get one mail when a required document is archived, without the note and without names", async () => {
  const { crbId, documents, review } = await givenDocuments();
  const [document = ""] = documents;
  await review(document, "archived", {}, { review_note: "Page two is missing: see http://evil.example" });
  expect(queued.invitations, "for the consent and the document").toEqual([{ crb_id: crbId }, { crb_id: crbId }]);
  await Promise.all([sendInvitations(table(), crbId), sendInvitations(table(), crbId)]);
  await sendInvitations(table(), crbId);
  const sent = await corrections();
  expect(await recipients()).toEqual(everybody);
  for (const mail of sent) {
    expect(mail.subject).toBe(subject);
    expect(mail.body.text).toContain(`“Business ${crbId}”`);
    expect(mail.body.text + mail.body.html).not.toMatch(/evil|Page two|Robin|Kim/);
  }
  expect(await table().get(unsentInvitationsKey(crbId), { consistent: true })).toBeUndefined();
});

test("another rejection within six hours is reported when they are over", async () => {
  const requirements = [asking(), asking()];
  const { crbId, documents, review } = await givenDocuments(requirements);
  const ids = requirements.map(({ requirement_id }) => ({ requirement_id }));
  await review(documents[0] ?? "", "archived", ids[0]);
  await sendInvitations(table(), crbId);
  await review(documents[1] ?? "", "archived", ids[1]);
  await sendInvitations(table(), crbId);
  expect(await recipients()).toEqual(everybody);
  await sendInvitations(table(), crbId, new TestClock(new Date(Date.now() + 7 * 60 * 60_000).toISOString()));
  expect(await recipients()).toEqual([...everybody, ...everybody].sort());
});

test("users get a mail when the operator sends the setup back", async () => {
  const { crbId, setStatus } = await givenDocuments();
  await setStatus("svc_awaiting_review");
  await moveOnboarding(table(), crbId, "sendBack");
  await sendInvitations(table(), crbId);
  expect((await corrections()).map((mail) => mail.subject)).toEqual([subject, subject]);
});

test("users get no mail for an optional document, an approval, or a return to pending", async () => {
  const optional = asking({ required: false });
  const { crbId, documents, review } = await givenDocuments([optional]);
  const ids = { requirement_id: optional.requirement_id };
  for (const status of ["approved", "archived", "pending"] as const) {
    expect((await review(documents[0] ?? "", status, ids)).status).toBe(200);
  }
  await sendInvitations(table(), crbId);
  expect(await corrections()).toEqual([]);
});
