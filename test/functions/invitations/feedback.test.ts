import { expect, test, vi } from "vitest";
import { handler } from "../../../functions/invitations/feedback.ts";
import { sqsEvent } from "../../../infra/local/sqsEvent.ts";
import { endInvitation } from "../../../shared/domain/invitations/endInvitation.ts";
import { invitationsOf, invitationWrites } from "../../../shared/domain/invitations/invitations.ts";
import { resendInvitations } from "../../../shared/domain/invitations/resendInvitations.ts";
import { sendInvitations } from "../../../shared/domain/invitations/sendInvitations.ts";
import { invitationKey } from "../../../shared/store/keys/invitations.ts";
import { useTestAddressKey } from "../../testServiceKey.ts";
import { useMailbox } from "../../useMailbox.ts";
import { useTestTable } from "../../useTestTable.ts";
import { givenServiceProvider } from "../callHandler.ts";

useTestAddressKey();
const table = useTestTable();
const { mails, outage } = useMailbox();

/** As SES writes them, with what it tells besides; `tags` are those of the mail. */
const bounce = (tags: object, bounceType = "Permanent") => ({
  eventType: "Bounce",
  bounce: { bounceType, bounceSubType: "General", bouncedRecipients: [{ emailAddress: "robin@example.com" }] },
  mail: { messageId: "1", destination: ["robin@example.com"], tags: { "ses:from-domain": ["example.com"], ...tags } },
});
const complaint = (tags: object) => ({ eventType: "Complaint", complaint: {}, mail: bounce(tags).mail });

const failures = async (body: string) => (await handler(sqsEvent("mail-events", body, "m"))).batchItemFailures;
const tell = (told: object) => failures(JSON.stringify(told));

async function given() {
  const { crbId } = await givenServiceProvider(table());
  const [invitation = expect.fail()] = invitationsOf(crbId, [
    { email: "robin@example.com", firstName: "Robin", lastName: "Reyes" },
  ]);
  await table().transact(invitationWrites(table(), crbId, [invitation], new Date()));
  const key = invitationKey(crbId, invitation.id);
  const sending = () => table().get(key, { consistent: true });
  return { crbId, id: invitation.id, key, sending };
}

/** The tags of the one mail that was sent, as SES gives them back: each with all its values. */
async function sentTags(): Promise<object> {
  const [mail = expect.fail(), ...others] = await mails();
  expect(others).toEqual([]);
  return Object.fromEntries(Object.entries(mail.tags).map(([name, value]) => [name, [value]]));
}

test("a mail is sent by the configuration set, with what names its invitation", async () => {
  vi.stubEnv("MAIL_CONFIGURATION_SET", "mail-set");
  const { crbId, id } = await given();
  await sendInvitations(table(), crbId);
  expect(await mails()).toMatchObject([{ configurationSet: "mail-set", tags: { crb_id: crbId, invitation_id: id } }]);
  vi.unstubAllEnvs();
});

test("a bounce for good ends the invitation, and a complaint outlasts it, in any order and however often", async () => {
  const { crbId, sending } = await given();
  await sendInvitations(table(), crbId);
  const tags = await sentTags();
  for (const [told, ended] of [
    [bounce(tags, "Transient"), undefined],
    [bounce(tags), "bounced"],
    [complaint(tags), "complained"],
    [bounce(tags), "complained"],
    [complaint(tags), "complained"],
  ] as const) {
    expect(await tell(told)).toEqual([]);
    expect((await sending())?.ended).toBe(ended);
  }
  expect((await sending())?.sent_at).toBeDefined();
});

test("what has ended is not sent again, though nobody noted that it went out, and not by the operator either", async () => {
  const { crbId, key } = await given();
  // It goes out, and the answer is lost.
  outage.current = { sent: true };
  await sendInvitations(table(), crbId);
  outage.current = undefined;
  expect(await tell(bounce(await sentTags()))).toEqual([]);
  await table().update(key, { claimed_until: 0 });
  expect(await sendInvitations(table(), crbId)).toEqual({ sent: 0, unsent: 0, abandoned: 1 });
  expect(await resendInvitations(table(), crbId)).toEqual({ all: 1, unsent: 0 });
  expect(await mails()).toHaveLength(1);
});

test("nothing is noted of an invitation that there is not, or of which no mail was tried", async () => {
  const { crbId, id, sending } = await given();
  await endInvitation(table(), crbId, id, "complained", "2026-03-01T12:00:00.000Z");
  expect(await sending()).toBeUndefined();
});

test("SES's own trial of the topic is done", async () => {
  expect(await failures("Successfully validated SNS topic for Amazon SES event publishing.")).toEqual([]);
});

test.each([
  "{",
  "{}",
  '{"eventType":"Bounce","mail":{"tags":{}}}',
  JSON.stringify(complaint({ crb_id: ["../x"], invitation_id: ["y"] })),
])("no event: %s", async (body) => {
  expect(await failures(body)).toEqual([{ itemIdentifier: "m" }]);
});
