import { randomUUID } from "node:crypto";
import type { GetCommandInput, GetCommandOutput } from "@aws-sdk/lib-dynamodb";
import { describe, expect, test, vi } from "vitest";
import { demoServiceProvider } from "../../../../infra/local/demoBusinesses.ts";
import { addressDigest } from "../../../../shared/domain/invitations/addressDigest.ts";
import { invitationsOf, invitationWrites, readInvitations } from "../../../../shared/domain/invitations/invitations.ts";
import { requestUnsentInvitations } from "../../../../shared/domain/invitations/requestUnsentInvitations.ts";
import { resendInvitations } from "../../../../shared/domain/invitations/resendInvitations.ts";
import { sendInvitations } from "../../../../shared/domain/invitations/sendInvitations.ts";
import { sendRequestedLinks } from "../../../../shared/domain/invitations/sendRequestedLinks.ts";
import { log } from "../../../../shared/platform/aws/log.ts";
import { createCrb, putServiceProvider } from "../../../../shared/store/crbs.ts";
import { readEvents } from "../../../../shared/store/eventLog/readEvents.ts";
import { crbKey } from "../../../../shared/store/keys/crbs.ts";
import { invitationKey, invitationMailsKey, unsentInvitationsKey } from "../../../../shared/store/keys/invitations.ts";
import { crbRecord } from "../../../crbRecord.ts";
import { useTestAddressKey } from "../../../testServiceKey.ts";
import { testTableOf } from "../../../testTable.ts";
import { type Outage, useMailbox } from "../../../useMailbox.ts";
import { useQueues } from "../../../useQueues.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { interceptCalls, TestClock } from "../../store/orderedList/listUnderTest.ts";

useTestAddressKey();
const queued = useQueues();
const table = useTestTable();
const { mails, refused, outage } = useMailbox();

const person = (name: string) => ({ email: `${name}@example.com`, firstName: name, lastName: "Reyes" });
const start = "2026-03-01T12:00:00.000Z";

async function given(names: string[], record: { name?: string } = {}) {
  const [crbId, serviceProviderId] = [randomUUID(), randomUUID()];
  await putServiceProvider(table(), { ...demoServiceProvider, id: serviceProviderId, name: "Bank & <Sons>" });
  await createCrb(table(), { record: { ...crbRecord(crbId), ...record }, serviceProviderId, connection: null });
  await table().transact(invitationWrites(table(), crbId, invitationsOf(crbId, names.map(person)), new Date(start)));
  const unsent = async () => Boolean(await table().get(unsentInvitationsKey(crbId), { consistent: true }));
  /** As if every address had been refused so often. */
  const refuse = async (attempts: number) => {
    for (const { id } of await readInvitations(table(), crbId))
      await table().put({ ...invitationKey(crbId, id), attempts });
  };
  /** How many mails of its service provider were asked for on the first day, where that is set or counted. */
  const mailsKey = invitationMailsKey(serviceProviderId, start.slice(0, 10));
  const setMails = (mails: number) => table().put({ ...mailsKey, mails, expires: 0 });
  const countedMails = async () => (await table().get(mailsKey, { consistent: true }))?.mails;
  const told = async (clock: TestClock) => {
    const { events } = await readEvents(testTableOf(table(), clock), serviceProviderId, { limit: 1_000 });
    return events.map((event) => JSON.parse(event).type).filter((type) => type.startsWith("invitation."));
  };
  return { crbId, unsent, refuse, setMails, countedMails, told };
}

/** The table as it may answer just after a CRB was created: not yet with that, where a read is not consistent. */
function lagging(crbId: string) {
  const behind = testTableOf(table());
  behind.client.middlewareStack.add(
    (next, { commandName }) =>
      async (request) => {
        const answer = await next(request);
        const { Key, ConsistentRead } = request.input as GetCommandInput;
        const isOld = commandName?.startsWith("Get") && Key?.pk === crbKey(crbId).pk && !ConsistentRead;
        if (isOld) delete (answer.output as GetCommandOutput).Item;
        return answer;
      },
    { step: "initialize", name: "lagging", priority: "high" },
  );
  return behind;
}

const addresses = async () => (await mails()).flatMap(({ destination }) => destination.to).sort();

test("each is invited once, with who invites, to which business, and a link of one's own", async () => {
  const { crbId, unsent } = await given(["robin", "<i>kim</i>", "ROBIN"], { name: 'Smith "&" Co' });
  expect(await unsent()).toBe(true);
  expect(await sendInvitations(table(), crbId)).toEqual({ sent: 2, unsent: 0, abandoned: 0 });
  expect(await unsent()).toBe(false);
  expect(await addresses()).toEqual(["<i>kim</i>@example.com", "robin@example.com"]);
  const [robin, kim] = await mails();
  expect(robin).toMatchObject({
    from: "no-reply@example.com",
    subject: "Bank & <Sons> invites you to connect your business",
    body: { text: expect.stringContaining('Bank & <Sons> invites you to set up “Smith "&" Co”:') },
  });
  expect(kim?.body.html).toContain("Bank &amp; &lt;Sons&gt; invites you to set up “Smith &quot;&amp;&quot; Co”:");
  expect(kim?.body.html).not.toMatch(/<i>|<Sons>|kim/);
  const links = [robin, kim].map((mail) =>
    /https:\/\/app\.example\.com\/connect#(iv_[\w-]{65})\n/.exec(mail?.body.text ?? ""),
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

test("what keeps a link from being made uses up no attempt", async () => {
  const { crbId } = await given(["robin"]);
  const [{ id } = expect.fail("nobody")] = await readInvitations(table(), crbId);
  vi.stubEnv("APP_URL", "no address");
  await expect(sendInvitations(table(), crbId)).rejects.toThrow();
  vi.unstubAllEnvs();
  expect(await table().get(invitationKey(crbId, id), { consistent: true })).toMatchObject({ attempts: 0 });
  expect(await sendInvitations(table(), crbId)).toMatchObject({ sent: 1 });
});

test("of a CRB that was created just now it is told that its invitations were sent, or were not; its mails count", async () => {
  const { crbId, told, refuse, setMails, countedMails } = await given(["a"]);
  await setMails(7);
  const clock = new TestClock(start);
  await refuse(10);
  expect(await sendInvitations(lagging(crbId), crbId, clock)).toMatchObject({ abandoned: 1 });
  expect(await told(clock)).toEqual(["invitation.failed"]);
  await resendInvitations(lagging(crbId), crbId, clock);
  expect(await countedMails()).toBe(8);
  expect(await sendInvitations(lagging(crbId), crbId, clock)).toMatchObject({ sent: 1 });
  expect(await told(clock)).toEqual(["invitation.failed", "invitation.sent"]);
  const request = { link_for: addressDigest("a@example.com"), request: randomUUID(), crb_id: crbId };
  expect(await sendRequestedLinks(lagging(crbId), request, clock)).toBe(1);
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
  ["has no time", { status: 429, type: "TooManyRequestsException", message: "Maximum sending rate exceeded." }],
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

test("what fails for the account's sake is tried with one mail, not with each", async () => {
  const { crbId } = await given(["a", "b", "c"]);
  outage.current = { status: 400, type: "SendingPausedException", message: paused };
  const error = vi.spyOn(log, "error");
  expect(await sendInvitations(table(), crbId)).toEqual({ sent: 0, unsent: 3, abandoned: 0 });
  expect(error).toHaveBeenCalledTimes(1);
  error.mockRestore();
});

test.each<[string, Outage]>([
  ["hangs up", { sent: true }],
  ["fails", { status: 500, type: "InternalServiceErrorException", sent: true }],
])("where SES %s when it has taken the mail, nobody gets more than ten", async (_, answer) => {
  const { crbId, unsent } = await given(["a"]);
  outage.current = answer;
  for (let attempt = 1; attempt < 10; attempt++) {
    expect(await sendInvitations(table(), crbId)).toEqual({ sent: 0, unsent: 1, abandoned: 0 });
    expect(await mails()).toHaveLength(attempt);
  }
  for (let again = 0; again < 3; again++)
    expect(await sendInvitations(table(), crbId)).toEqual({ sent: 0, unsent: 0, abandoned: 1 });
  expect(await unsent()).toBe(false);
  expect(await mails()).toHaveLength(10);
});

test("who is never marked as sent to gets no more than ten either, which is logged as an error", async () => {
  const { crbId, unsent } = await given(["a"]);
  const clock = new TestClock(start);
  const forgetful = testTableOf(table());
  interceptCalls(forgetful).before = (_, input) => {
    if (JSON.stringify(input).includes('"#set0":"sent_at"')) throw new Error("not written");
  };
  const error = vi.spyOn(log, "error");
  for (let attempt = 1; attempt <= 10; attempt++) {
    await expect(sendInvitations(forgetful, crbId, clock)).rejects.toThrow("not written");
    // The tenth may still be under way.
    expect(await sendInvitations(table(), crbId, clock)).toEqual({ sent: 0, unsent: 1, abandoned: 0 });
    clock.advance(6 * 60_000);
  }
  expect(error).not.toHaveBeenCalled();
  expect(await sendInvitations(forgetful, crbId, clock)).toEqual({ sent: 0, unsent: 0, abandoned: 1 });
  expect(error).toHaveBeenCalledWith("invitation abandoned", expect.objectContaining({ crb_id: crbId }));
  error.mockRestore();
  expect(await mails()).toHaveLength(10);
  expect(await unsent()).toBe(false);
});

test("what another has tried meanwhile for the last time is not tried again", async () => {
  const { crbId, refuse } = await given(["a"]);
  await refuse(9);
  outage.current = { sent: true };
  const overtaken = testTableOf(table());
  let first = true;
  interceptCalls(overtaken).before = async (command) => {
    if (command !== "UpdateItemCommand" || !first) return;
    first = false;
    expect(await sendInvitations(table(), crbId)).toMatchObject({ abandoned: 1 });
  };
  expect(await sendInvitations(overtaken, crbId)).toEqual({ sent: 0, unsent: 1, abandoned: 0 });
  expect(await mails()).toHaveLength(1);
});

test("a sender that waits long for every answer leaves the rest for the next time", async () => {
  const { crbId } = await given(["a", "b", "c"]);
  const clock = new TestClock(start);
  const slow = testTableOf(table());
  interceptCalls(slow).after = (command) => {
    // Each is claimed so.
    if (command === "UpdateItemCommand") clock.advance(20_000);
  };
  expect(await sendInvitations(slow, crbId, clock)).toEqual({ sent: 2, unsent: 1, abandoned: 0 });
  expect(await sendInvitations(slow, crbId, clock)).toEqual({ sent: 3, unsent: 0, abandoned: 0 });
});

test("without a sender of our own they wait too", async () => {
  const { crbId } = await given(["a"]);
  const from = process.env.MAIL_FROM;
  delete process.env.MAIL_FROM;
  for (let attempt = 0; attempt < 12; attempt++) await sendInvitations(table(), crbId);
  process.env.MAIL_FROM = from;
  expect(await sendInvitations(table(), crbId)).toMatchObject({ sent: 1 });
});

test("what the operator asks for while the last attempts end stays listed", async () => {
  const { crbId, unsent, refuse } = await given(["a"]);
  await refuse(10);
  const overtaken = testTableOf(table());
  interceptCalls(overtaken).before = async (command) => {
    if (command === "DeleteItemCommand") await resendInvitations(table(), crbId);
  };
  expect(await sendInvitations(overtaken, crbId)).toEqual({ sent: 0, unsent: 0, abandoned: 1 });
  expect(await unsent()).toBe(true);
  expect(await sendInvitations(table(), crbId)).toEqual({ sent: 1, unsent: 0, abandoned: 0 });
  expect(await unsent()).toBe(false);
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

describe("what the operator has sent again counts among the 500 mails of the day", () => {
  test("each once for each time it is asked for, however many transactions that takes", async () => {
    const names = Array.from({ length: 100 }, (_, i) => `n${i}`);
    const { crbId, refuse, countedMails } = await given(names);
    await refuse(10);
    const clock = new TestClock(start);
    const crashing = testTableOf(table());
    let transactions = 0;
    interceptCalls(crashing).before = (command) => {
      if (command === "TransactWriteItemsCommand" && ++transactions === 2) throw new Error("killed");
    };
    await expect(resendInvitations(crashing, crbId, clock)).rejects.toThrow("killed");
    expect(await countedMails()).toBe(100);
    await resendInvitations(table(), crbId, clock);
    expect(await countedMails()).toBe(200);
  });

  test("and is refused as a whole, and nothing changes, when they are more than are left, until the next day", async () => {
    const { crbId, unsent, refuse, setMails, countedMails } = await given(["a", "b"]);
    await refuse(10);
    await sendInvitations(table(), crbId);
    await setMails(499);
    const clock = new TestClock(start);
    const rejection = { kind: "throttled", details: { retryAfter: 12 * 60 * 60 } };
    await expect(resendInvitations(table(), crbId, clock)).rejects.toMatchObject(rejection);
    expect([await unsent(), await countedMails()]).toEqual([false, 499]);
    expect(await sendInvitations(table(), crbId)).toMatchObject({ abandoned: 2 });
    clock.advance(12 * 60 * 60_000);
    expect(await resendInvitations(table(), crbId, clock)).toEqual({ all: 2, unsent: 2 });
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
    const crashing = testTableOf(table());
    const calls = interceptCalls(crashing);
    let call = 0;
    const kill = () => {
      if (call++ === Math.floor(victim / 2)) throw new Error("killed");
    };
    if (victim % 2) calls.after = kill;
    else calls.before = kill;
    killed = await sendInvitations(crashing, crbId, clock).then(
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

describe("the schedule", () => {
  const minute = 60_000;
  const requests = (crbId: string) =>
    queued.invitations.filter((message) => (message as { crb_id: string }).crb_id === crbId).length;

  /** Sweeps every five minutes, and tells at which of them a CRB was asked for. */
  async function sweep(crbId: string, { minutes, clock }: { minutes: number; clock: TestClock }) {
    const asked: number[] = [];
    for (const end = clock.time + minutes * minute; clock.time < end; ) {
      clock.advance(5 * minute);
      const before = requests(crbId);
      await requestUnsentInvitations(table(), clock);
      if (requests(crbId) > before) asked.push((clock.time - Date.parse(start)) / minute);
    }
    return asked;
  }

  test("asks for what nobody sent once the queue has no message, then seldomer, but for ever", async () => {
    const { crbId } = await given(["a"]);
    const clock = new TestClock(start);
    expect(await sweep(crbId, { minutes: 12 * 60, clock })).toEqual([30, 60, 120, 240, 360, 480, 600, 720]);
    await sendInvitations(table(), crbId, clock);
    expect(await sweep(crbId, { minutes: 3 * 60, clock })).toEqual([]);
  });

  test("tells of what has been unsent for long", async () => {
    const clock = new TestClock(start);
    clock.advance(59 * minute);
    const lateBefore = (await requestUnsentInvitations(table(), clock)).late;
    const { crbId } = await given(["a"]);
    expect((await requestUnsentInvitations(table(), clock)).late).toBe(lateBefore);
    clock.advance(minute);
    expect((await requestUnsentInvitations(table(), clock)).late).toBeGreaterThan(lateBefore);
    await sendInvitations(table(), crbId, clock);
  });

  test("does not bring back what was sent meanwhile, nor puts off what the operator asks for", async () => {
    const [sent, resent] = [await given(["a"]), await given(["a"])];
    const clock = new TestClock(start);
    clock.advance(30 * minute);
    const overtaken = testTableOf(table());
    let first = true;
    interceptCalls(overtaken).before = async (command) => {
      if (command !== "UpdateItemCommand" || !first) return;
      first = false;
      await sendInvitations(table(), sent.crbId, clock);
      await resendInvitations(table(), resent.crbId, clock);
    };
    await requestUnsentInvitations(overtaken, clock);
    expect(await sent.unsent()).toBe(false);
    expect(await table().get(unsentInvitationsKey(resent.crbId), { consistent: true })).not.toHaveProperty("ask_at");
  });
});
