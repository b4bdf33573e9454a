import { expect, test, vi } from "vitest";
import { sendInvitations } from "../../../shared/domain/invitations/sendInvitations.ts";
import { moveOnboarding } from "../../../shared/domain/onboarding/statusChange.ts";
import { terms } from "../../../shared/domain/onboarding/terms.ts";
import { unsentInvitationsKey } from "../../../shared/store/keys/invitations.ts";
import { TestClock } from "../../shared/store/orderedList/listUnderTest.ts";
import { givenInvited, markInvitationsSent, termsEnvironment } from "./givenInvited.ts";
import { asking } from "./givenOnboarding.ts";
import { useInvitedUsers } from "./useInvitedUsers.ts";

const { table, queued, mails } = useInvitedUsers();

const everybody = ["kim@example.com", "robin@example.com"];
const mailsOf = async (subject: string) => (await mails()).filter((mail) => mail.subject === subject);
const corrections = () => mailsOf("The setup of your business needs a correction");
const consentMails = () => mailsOf("What your business has agreed to");
const inSevenHours = () => new TestClock(new Date(Date.now() + 7 * 60 * 60_000).toISOString());

/** A CRB whose invitations were sent. */
async function given(requirements = [asking()]) {
  const invited = await givenInvited(table(), requirements);
  await markInvitationsSent(table(), invited);
  return invited;
}

test("after consent every user gets one mail that keeps the version and the text, even if the terms change before", async () => {
  const { crbId, robin } = await given();
  const agreed = terms();
  expect((await robin.consent()).status).toBe(200);
  expect((await robin.consent()).status, "a repetition").toBe(200);
  expect(queued.invitations).toContainEqual({ crb_id: crbId });
  vi.stubEnv("RETENTION_DAYS", "31");
  await Promise.all([sendInvitations(table(), crbId), sendInvitations(table(), crbId)]);
  await sendInvitations(table(), crbId);
  vi.stubEnv("RETENTION_DAYS", termsEnvironment.RETENTION_DAYS);
  const sent = await consentMails();
  expect(sent.flatMap(({ destination }) => destination.to).sort()).toEqual(everybody);
  for (const { body } of sent) {
    expect(body.text).toContain(`version ${agreed.version}`);
    for (const { title, text } of agreed.sections) expect(body.text).toContain(`${title}\n\n${text}`);
    expect(body.text).toContain("30 days");
    expect(body.html).toContain("<br>- ");
    expect(body.text + body.html).not.toMatch(/iv_|Robin|Kim/);
  }
  expect(await table().get(unsentInvitationsKey(crbId), { consistent: true })).toBeUndefined();
});

test("a consent that was withdrawn before the mail gets none, and a new one gets one", async () => {
  const { crbId, robin } = await given();
  const before = (await consentMails()).length;
  await robin.consent();
  await robin.withdraw();
  await sendInvitations(table(), crbId);
  expect(await consentMails()).toHaveLength(before);
  await robin.consent();
  await sendInvitations(table(), crbId);
  expect(await consentMails()).toHaveLength(before + 2);
  await robin.withdraw();
  await robin.consent();
  await sendInvitations(table(), crbId);
  expect(await consentMails(), "a second one within six hours waits").toHaveLength(before + 2);
  await sendInvitations(table(), crbId, inSevenHours());
  expect(await consentMails()).toHaveLength(before + 4);
});

const recipients = async () => (await corrections()).flatMap(({ destination }) => destination.to).sort();

/** A CRB whose invitations were sent, with a document of each of these requirements. */
async function givenDocuments(requirements = [asking()]) {
  const crb = await given(requirements);
  await crb.robin.consent();
  const add = async ({ requirement_id }: { requirement_id: string }) =>
    (await crb.add(undefined, { requirement_id })).json.document_id as string;
  return { ...crb, documents: await Promise.all(requirements.map(add)) };
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
  await sendInvitations(table(), crbId, inSevenHours());
  expect(await recipients()).toEqual([...everybody, ...everybody].sort());
});

test("users get a mail when the operator sends the setup back", async () => {
  const { crbId, setStatus } = await givenDocuments();
  await setStatus("svc_awaiting_review");
  await moveOnboarding(table(), crbId, "sendBack");
  await sendInvitations(table(), crbId);
  expect(await corrections()).toHaveLength(2);
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
