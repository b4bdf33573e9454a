import { expect, test, vi } from "vitest";
import { sendInvitations } from "../../../shared/domain/invitations/sendInvitations.ts";
import { terms } from "../../../shared/domain/onboarding/terms.ts";
import { unsentInvitationsKey } from "../../../shared/store/keys/invitations.ts";
import { TestClock } from "../../shared/store/orderedList/listUnderTest.ts";
import { givenInvited, markInvitationsSent, termsEnvironment } from "./givenInvited.ts";
import { useInvitedUsers } from "./useInvitedUsers.ts";

const { table, queued, mails } = useInvitedUsers();

const subject = "What your business has agreed to";
const consentMails = async () => (await mails()).filter((mail) => mail.subject === subject);
const inSevenHours = () => new TestClock(new Date(Date.now() + 7 * 60 * 60_000).toISOString());

async function given() {
  const invited = await givenInvited(table());
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
  expect(sent.flatMap(({ destination }) => destination.to).sort()).toEqual(["kim@example.com", "robin@example.com"]);
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
