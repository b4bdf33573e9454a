import { expect, test, vi } from "vitest";
import { handler } from "../../../functions/invitations/feedback.ts";
import { sqsEvent } from "../../../infra/local/sqsEvent.ts";
import { endInvitation } from "../../../shared/domain/invitations/endInvitation.ts";
import { resendInvitations } from "../../../shared/domain/invitations/resendInvitations.ts";
import { sendInvitations } from "../../../shared/domain/invitations/sendInvitations.ts";
import { invitationKey } from "../../../shared/store/keys/invitations.ts";
import { useTestAddressKey } from "../../testServiceKey.ts";
import { useMailbox } from "../../useMailbox.ts";
import { useTestTable } from "../../useTestTable.ts";
import { givenServiceProvider } from "../callHandler.ts";
import { storeInvitation } from "../onboarding/givenInvited.ts";

useTestAddressKey();
const table = useTestTable();
const { mails, outage } = useMailbox();

/** Messages as SES writes them, with other fields that it sends; `tags` are those of the mail. */
const bounce = (tags: object, bounceType = "Permanent") => ({
  eventType: "Bounce",
  bounce: { bounceType, bounceSubType: "General", bouncedRecipients: [{ emailAddress: "robin@example.com" }] },
  mail: { messageId: "1", destination: ["robin@example.com"], tags: { "ses:from-domain": ["example.com"], ...tags } },
});
const complaint = (tags: object) => ({ eventType: "Complaint", complaint: {}, mail: bounce(tags).mail });

const failures = async (body: string) => (await handler(sqsEvent("mail-events", body, "m"))).batchItemFailures;
const send = (report: object) => failures(JSON.stringify(report));

async function given() {
  const { crbId } = await givenServiceProvider(table());
  const id = await storeInvitation(table(), crbId);
  const key = invitationKey(crbId, id);
  const sending = () => table().get(key, { consistent: true });
  return { crbId, id, key, sending };
}

/** The tags of the only mail that was sent, in the form in which SES returns them: each with a list of values. */
async function sentTags(): Promise<object> {
  const [mail = expect.fail(), ...others] = await mails();
  expect(others).toEqual([]);
  return Object.fromEntries(Object.entries(mail.tags).map(([name, value]) => [name, [value]]));
}

test("a mail is sent with the configuration set, and with tags that name its invitation", async () => {
  vi.stubEnv("MAIL_CONFIGURATION_SET", "mail-set");
  const { crbId, id } = await given();
  await sendInvitations(table(), crbId);
  expect(await mails()).toMatchObject([{ configurationSet: "mail-set", tags: { crb_id: crbId, invitation_id: id } }]);
  vi.unstubAllEnvs();
});

test("a permanent bounce or a complaint ends the invitation, and the complaint wins in any order and however often they come", async () => {
  const { crbId, sending } = await given();
  await sendInvitations(table(), crbId);
  const tags = await sentTags();
  for (const [report, ended] of [
    [bounce(tags, "Transient"), undefined],
    [bounce(tags), "bounced"],
    [complaint(tags), "complained"],
    [bounce(tags), "complained"],
    [complaint(tags), "complained"],
  ] as const) {
    expect(await send(report)).toEqual([]);
    expect((await sending())?.ended).toBe(ended);
  }
  expect((await sending())?.sent_at).toBeDefined();
});

test("an ended invitation is not sent again, even if its sending was not recorded, and not by the operator either", async () => {
  const { crbId, key } = await given();
  // SES sends the mail, and its response is lost.
  outage.current = { sent: true };
  await sendInvitations(table(), crbId);
  outage.current = undefined;
  expect(await send(bounce(await sentTags()))).toEqual([]);
  await table().update(key, { claimed_until: 0 });
  expect(await sendInvitations(table(), crbId)).toEqual({ sent: 0, unsent: 0, abandoned: 1 });
  expect(await resendInvitations(table(), crbId)).toEqual({ all: 1, unsent: 0 });
  expect(await mails()).toHaveLength(1);
});

test("feedback on an invitation without any sending attempt changes nothing", async () => {
  const { crbId, id, sending } = await given();
  await endInvitation(table(), crbId, id, "complained", "2026-03-01T12:00:00.000Z");
  expect(await sending()).toBeUndefined();
});

test("the message with which SES validates the topic is accepted", async () => {
  expect(await failures("Successfully validated SNS topic for Amazon SES event publishing.")).toEqual([]);
});

test.each([
  "{",
  "{}",
  '{"eventType":"Bounce","mail":{"tags":{}}}',
  JSON.stringify(complaint({ crb_id: ["../x"], invitation_id: ["y"] })),
])("the message %s is no event and is returned to the queue", async (body) => {
  expect(await failures(body)).toEqual([{ itemIdentifier: "m" }]);
});
