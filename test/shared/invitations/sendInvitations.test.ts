import { randomUUID } from "node:crypto";
import { describe, expect, test, vi } from "vitest";
import { demoServiceProvider } from "../../../infra/local/demoBusinesses.ts";
import { log } from "../../../shared/api/log.ts";
import { invitationWrites, readInvitations } from "../../../shared/invitations/invitations.ts";
import { requestUnsentInvitations } from "../../../shared/invitations/requestUnsentInvitations.ts";
import { resendInvitations } from "../../../shared/invitations/resendInvitations.ts";
import { sendInvitations } from "../../../shared/invitations/sendInvitations.ts";
import { createCrb, putServiceProvider } from "../../../shared/table/crbs.ts";
import { invitationKey, unsentInvitationsKey } from "../../../shared/table/keys.ts";
import { crbRecord } from "../../crbRecord.ts";
import { useTestServiceKey } from "../../testServiceKey.ts";
import { testTableOf } from "../../testTable.ts";
import { type Outage, useMailbox } from "../../useMailbox.ts";
import { useQueues } from "../../useQueues.ts";
import { useTestTable } from "../../useTestTable.ts";
import { interceptCalls, TestClock } from "../table/rankedList/listUnderTest.ts";

useTestServiceKey();
const queued = useQueues();
const table = useTestTable();
const { mails, refused, outage } = useMailbox();

const person = (name: string) => ({ email: `${name}@example.com`, firstName: name, lastName: "Reyes" });
const start = "2026-03-01T12:00:00.000Z";

async function given(names: string[], record: { name?: string } = {}) {
  const [crbId, serviceProviderId] = [randomUUID(), randomUUID()];
  await putServiceProvider(table(), { ...demoServiceProvider, id: serviceProviderId, name: "Bank & <Sons>" });
  await createCrb(table(), { record: { ...crbRecord(crbId), ...record }, serviceProviderId, connection: null });
  await table().transact(invitationWrites(table(), crbId, names.map(person), new Date(start)));
  const unsent = async () => Boolean(await table().get(unsentInvitationsKey(crbId), { consistent: true }));
  /** As if every address had been refused so often. */
  const refuse = async (attempts: number) => {
    for (const { id } of await readInvitations(table(), crbId))
      await table().put({ ...invitationKey(crbId, id), attempts });
  };
  return { crbId, unsent, refuse };
}

const addresses = async () => (await mails()).flatMap(({ destination }) => destination.to).sort();

test("each is invited once, by name, with who invites, to which business, and a link of one's own", async () => {
  const { crbId, unsent } = await given(["robin", "<i>kim</i>", "ROBIN"], { name: 'Smith "&" Co' });
  expect(await unsent()).toBe(true);
  expect(await sendInvitations(table(), crbId)).toEqual({ sent: 2, unsent: 0, abandoned: 0 });
  expect(await unsent()).toBe(false);
  expect(await addresses()).toEqual(["<i>kim</i>@example.com", "robin@example.com"]);
  const [robin, kim] = await mails();
  expect(robin).toMatchObject({
    from: "no-reply@example.com",
    subject: 'Bank & <Sons> invites you to set up Smith "&" Co',
    body: { text: expect.stringContaining('Bank & <Sons> invites you to set up Smith "&" Co:') },
  });
  expect(kim?.body.html).toContain("Hello &lt;i&gt;kim&lt;/i&gt;,");
  expect(kim?.body.html).toContain("Bank &amp; &lt;Sons&gt; invites you to set up Smith &quot;&amp;&quot; Co:");
  expect(kim?.body.html).not.toMatch(/<i>|<Sons>/);
  const links = [robin, kim].map((mail) =>
    /https:\/\/app\.example\.com\/invitations\/([\w-]{65})\n/.exec(mail?.body.text ?? ""),
  );
  expect(new Set(links.map((link) => link?.[1])).size).toBe(2);
  for (const [index, link] of links.entries())
    expect((await mails())[index]?.body.html).toContain(`href="${link?.[0].trim()}"`);
});

test("asked for again, or twice at once, nobody gets two", async () => {
  const { crbId } = await given(["a", "b", "c"]);
  await Promise.all([sendInvitations(table(), crbId), sendInvitations(table(), crbId)]);
  await sendInvitations(table(), crbId);
  expect(await addresses()).toEqual(["a@example.com", "b@example.com", "c@example.com"]);
});

const unverified = "Email address is not verified. The following identities failed the check: a@example.com";
const paused = "Sending paused for this account.";

test.each<[string, Outage]>([
  ["is in its sandbox", { status: 400, type: "MessageRejected", message: unverified }],
  ["has paused sending", { status: 400, type: "SendingPausedException", message: paused }],
  ["rejects all that a paused account sends", { status: 400, type: "MessageRejected", message: paused }],
  ["does not know the sender", { status: 400, type: "MailFromDomainNotVerifiedException", message: "MAIL FROM" }],
  ["has suspended the account", { status: 400, type: "AccountSuspendedException", message: "Suspended" }],
  ["limits the account", { status: 400, type: "LimitExceededException", message: "Daily message quota exceeded" }],
  ["lets nobody in", { status: 403, type: "AccessDeniedException", message: "not authorized" }],
  ["answers nobody", {}],
])("while SES %s, invitations wait as long as it takes", async (_, answer) => {
  const { crbId, unsent, refuse } = await given(["a", "b"]);
  await refuse(9);
  outage.current = answer;
  for (let attempt = 0; attempt < 2; attempt++) {
    expect(await sendInvitations(table(), crbId)).toEqual({ sent: 0, unsent: 2, abandoned: 0 });
    expect(await unsent()).toBe(true);
  }
  outage.current = undefined;
  expect(await sendInvitations(table(), crbId)).toEqual({ sent: 2, unsent: 0, abandoned: 0 });
  expect(await addresses()).toEqual(["a@example.com", "b@example.com"]);
});

test("without a sender of our own they wait too", async () => {
  const { crbId } = await given(["a"]);
  const from = process.env.MAIL_FROM;
  delete process.env.MAIL_FROM;
  for (let attempt = 0; attempt < 12; attempt++) await sendInvitations(table(), crbId);
  process.env.MAIL_FROM = from;
  expect(await sendInvitations(table(), crbId)).toMatchObject({ sent: 1 });
});

describe("an address that SES refuses", () => {
  async function abandoned() {
    const one = await given(["a", "bounces", "c"]);
    refused.add("bounces@example.com");
    for (let attempt = 0; attempt < 9; attempt++) {
      expect(await sendInvitations(table(), one.crbId)).toEqual({ sent: 2, unsent: 1, abandoned: 0 });
      expect(await addresses()).toEqual(["a@example.com", "c@example.com"]);
    }
    return one;
  }
  const again = { sent: 2, unsent: 0, abandoned: 1 };

  test("holds up no other of the same CRB, and is abandoned after ten times, which is logged as an error", async () => {
    const { crbId, unsent } = await abandoned();
    const error = vi.spyOn(log, "error");
    expect(await sendInvitations(table(), crbId)).toEqual(again);
    expect(error).toHaveBeenCalledWith("invitation abandoned", {
      crb_id: crbId,
      invitation_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(JSON.stringify(error.mock.calls)).not.toContain("bounces");
    error.mockRestore();
    expect(await unsent()).toBe(false);
    refused.clear();
    expect(await sendInvitations(table(), crbId)).toEqual(again);
    expect(await addresses()).toEqual(["a@example.com", "c@example.com"]);
  });

  test("is tried again when the operator asks for it; what was sent is left alone", async () => {
    const { crbId, unsent } = await abandoned();
    await sendInvitations(table(), crbId);
    expect(await resendInvitations(table(), crbId)).toEqual({ all: 3, unsent: 1 });
    expect(await unsent()).toBe(true);
    expect(await sendInvitations(table(), crbId)).toEqual({ sent: 2, unsent: 1, abandoned: 0 });
    refused.clear();
    expect(await sendInvitations(table(), crbId)).toEqual({ sent: 3, unsent: 0, abandoned: 0 });
    expect(await addresses()).toEqual(["a@example.com", "bounces@example.com", "c@example.com"]);
    expect(await resendInvitations(table(), crbId)).toEqual({ all: 3, unsent: 0 });
    expect(await unsent()).toBe(false);
  });

  test("is tried again among as many as a CRB may invite", async () => {
    const names = Array.from({ length: 100 }, (_, i) => `n${i}`);
    const { crbId, refuse } = await given(names);
    await refuse(10);
    expect(await sendInvitations(table(), crbId)).toEqual({ sent: 0, unsent: 0, abandoned: 100 });
    expect(await resendInvitations(table(), crbId)).toEqual({ all: 100, unsent: 100 });
    expect(await sendInvitations(table(), crbId)).toMatchObject({ sent: 100 });
  });
});

test("nobody invited, nothing to send again", async () => {
  expect(await resendInvitations(table(), randomUUID())).toEqual({ all: 0, unsent: 0 });
});

test("killed before or after any call of the table, everybody is invited in the end, and only the one at hand twice", async () => {
  let killed = true;
  for (let victim = 0; killed; victim++) {
    const before = (await addresses()).length;
    const { crbId, unsent } = await given(["a", "b"]);
    const clock = new TestClock(start);
    const mortal = testTableOf(table());
    const calls = interceptCalls(mortal);
    let call = 0;
    const kill = () => {
      if (call++ === Math.floor(victim / 2)) throw new Error("killed");
    };
    if (victim % 2) calls.after = kill;
    else calls.before = kill;
    killed = await sendInvitations(mortal, crbId, clock).then(
      () => false,
      () => true,
    );
    // While the dead one's claim stands, the others are served.
    await sendInvitations(table(), crbId, clock);
    clock.advance(6 * 60_000);
    await sendInvitations(table(), crbId, clock);
    const sent = (await addresses()).length - before;
    expect(sent).toBeGreaterThanOrEqual(2);
    expect(sent).toBeLessThanOrEqual(3);
    expect(await unsent()).toBe(false);
  }
});

test("invitations that nobody sent are asked for by the schedule, once they are late", async () => {
  const { crbId } = await given(["a"]);
  const clock = new TestClock(start);
  clock.advance(60_000);
  await requestUnsentInvitations(table(), clock);
  expect(queued.invitations).not.toContainEqual({ crb_id: crbId });
  clock.advance(20 * 60_000);
  await requestUnsentInvitations(table(), clock);
  expect(queued.invitations).toContainEqual({ crb_id: crbId });
});
