import { randomUUID } from "node:crypto";
import type { GetItemCommandInput, GetItemCommandOutput } from "@aws-sdk/client-dynamodb";
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
import { dyingTable } from "../../../dyingTable.ts";
import { racedTable } from "../../../racedTable.ts";
import { useTestAddressKey } from "../../../testServiceKey.ts";
import { testTableOf } from "../../../testTable.ts";
import { type Outage, useMailbox } from "../../../useMailbox.ts";
import { useQueues } from "../../../useQueues.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { crashStep } from "../../store/crashInjection.ts";
import { interceptCalls, TestClock } from "../../store/orderedList/listUnderTest.ts";

useTestAddressKey();
const queued = useQueues();
const table = useTestTable();
const { mails, refused, outage } = useMailbox();

const person = (name: string) => ({ email: `${name}@example.com`, firstName: name, lastName: "Reyes" });
const start = "2026-03-01T12:00:00.000Z";

async function createInvited(names: string[], record: { name?: string } = {}) {
  const [crbId, serviceProviderId] = [randomUUID(), randomUUID()];
  await putServiceProvider(table(), { ...demoServiceProvider, id: serviceProviderId, name: "Bank & <Sons>" });
  await createCrb(table(), { record: { ...crbRecord(crbId), ...record }, serviceProviderId, connection: null });
  await table().transact(invitationWrites(table(), crbId, invitationsOf(crbId, names.map(person)), new Date(start)));
  const unsent = async () => Boolean(await table().get(unsentInvitationsKey(crbId), { consistent: true }));
  /** Sets the attempts of every invitation, as if SES had rejected its address that often. */
  const setAttempts = async (attempts: number) => {
    for (const { id } of await readInvitations(table(), crbId))
      await table().put({ ...invitationKey(crbId, id), attempts });
  };
  /** The number of mails of the service provider that were requested on the first day. */
  const mailsKey = invitationMailsKey(serviceProviderId, start.slice(0, 10));
  const setMails = (mails: number) => table().put({ ...mailsKey, mails, expires: 0 });
  const countedMails = async () => (await table().get(mailsKey, { consistent: true }))?.mails;
  const readEventTypes = async (clock: TestClock) => {
    const { events } = await readEvents(testTableOf(table(), clock), serviceProviderId, { limit: 1_000 });
    return events.map((event) => JSON.parse(event).type).filter((type) => type.startsWith("invitation."));
  };
  return { crbId, unsent, setAttempts, setMails, countedMails, readEventTypes };
}

/** The table just after the creation of a CRB: eventually consistent reads do not return the CRB yet. */
function createLaggingTable(crbId: string) {
  const behind = testTableOf(table());
  behind.client.middlewareStack.add(
    (next, { commandName }) =>
      async (request) => {
        const response = await next(request);
        const { Key, ConsistentRead } = request.input as GetItemCommandInput;
        const isOld = commandName?.startsWith("Get") && Key?.pk?.S === crbKey(crbId).pk && !ConsistentRead;
        if (isOld) delete (response.output as GetItemCommandOutput).Item;
        return response;
      },
    { step: "initialize", name: "lagging", priority: "high" },
  );
  return behind;
}

const addresses = async () => (await mails()).flatMap(({ destination }) => destination.to).sort();

test("each user gets one mail that names the inviter and the business, with a personal link", async () => {
  const { crbId, unsent } = await createInvited(["robin", "<i>kim</i>", "ROBIN"], { name: 'Smith "&" Co' });
  expect(await unsent()).toBe(true);
  expect(await sendInvitations(table(), crbId)).toEqual({ sent: 2, unsent: 0, abandoned: 0 });
  expect(await unsent()).toBe(false);
  expect(await addresses()).toEqual(["<i>kim</i>@example.com", "robin@example.com"]);
  const [robin, kim] = await mails();
  expect(robin).toMatchObject({
    from: "no-reply@example.com",
    subject: "Bank & <Sons> invites you to connect your business",
    body: { text: expect.stringContaining('Bank & <Sons> invites you to set up “Smith "&" Co”. You connect') },
  });
  expect(kim?.body.html).toContain(
    "Bank &amp; &lt;Sons&gt; invites you to set up “Smith &quot;&amp;&quot; Co”. You connect",
  );
  expect(kim?.body.html).not.toMatch(/<i>|<Sons>|kim/);
  const links = [robin, kim].map((mail) =>
    /https:\/\/app\.example\.com\/connect#(iv_[\w-]{65})\n/.exec(mail?.body.text ?? ""),
  );
  expect(new Set(links.map((link) => link?.[1])).size).toBe(2);
  for (const [index, link] of links.entries())
    expect((await mails())[index]?.body.html).toContain(`href="${link?.[0].trim()}"`);
});

test("no user gets two mails if the invitations are requested twice, even at once", async () => {
  const { crbId } = await createInvited(["a", "b", "c"]);
  await Promise.all([sendInvitations(table(), crbId), sendInvitations(table(), crbId)]);
  await sendInvitations(table(), crbId);
  expect(await addresses()).toEqual(["a@example.com", "b@example.com", "c@example.com"]);
});

test("a link that cannot be created does not use up an attempt", async () => {
  const { crbId } = await createInvited(["robin"]);
  const [{ id } = expect.fail("no invitation")] = await readInvitations(table(), crbId);
  vi.stubEnv("APP_URL", "no address");
  await expect(sendInvitations(table(), crbId)).rejects.toThrow();
  vi.unstubAllEnvs();
  expect(await table().get(invitationKey(crbId, id), { consistent: true })).toMatchObject({ attempts: 0 });
  expect(await sendInvitations(table(), crbId)).toMatchObject({ sent: 1 });
});

test("events and the count of mails are right for a CRB that eventually consistent reads do not return yet", async () => {
  const { crbId, readEventTypes, setAttempts, setMails, countedMails } = await createInvited(["a"]);
  await setMails(7);
  const clock = new TestClock(start);
  await setAttempts(10);
  expect(await sendInvitations(createLaggingTable(crbId), crbId, clock)).toMatchObject({ abandoned: 1 });
  expect(await readEventTypes(clock)).toEqual(["invitation.failed"]);
  await resendInvitations(createLaggingTable(crbId), crbId, clock);
  expect(await countedMails()).toBe(8);
  expect(await sendInvitations(createLaggingTable(crbId), crbId, clock)).toMatchObject({ sent: 1 });
  expect(await readEventTypes(clock)).toEqual(["invitation.failed", "invitation.sent"]);
  const request = { link_for: addressDigest("a@example.com"), request: randomUUID(), crb_id: crbId };
  expect(await sendRequestedLinks(createLaggingTable(crbId), request, clock)).toBe(1);
});

const unverified = "Email address is not verified. The following identities failed the check: a@example.com";
const paused = "Sending paused for this account.";

test.each<[string, Outage]>([
  ["is in its sandbox", { status: 400, type: "MessageRejected", message: unverified }],
  ["has paused sending", { status: 400, type: "SendingPausedException", message: paused }],
  ["rejects all mails of a paused account", { status: 400, type: "MessageRejected", message: paused }],
  ["does not know the sender", { status: 400, type: "MailFromDomainNotVerifiedException", message: "MAIL FROM" }],
  ["has suspended the account", { status: 400, type: "AccountSuspendedException", message: "Suspended" }],
  ["limits the account", { status: 400, type: "LimitExceededException", message: "Daily message quota exceeded" }],
  ["denies access", { status: 403, type: "AccessDeniedException", message: "not authorized" }],
  ["throttles requests", { status: 429, type: "TooManyRequestsException", message: "Maximum sending rate exceeded." }],
])("while SES %s, invitations wait as long as necessary", async (_, response) => {
  const { crbId, unsent, setAttempts } = await createInvited(["a", "b"]);
  await setAttempts(9);
  outage.current = response;
  for (let attempt = 0; attempt < 2; attempt++) {
    expect(await sendInvitations(table(), crbId)).toEqual({ sent: 0, unsent: 2, abandoned: 0 });
    expect(await unsent()).toBe(true);
  }
  outage.current = undefined;
  expect(await sendInvitations(table(), crbId)).toEqual({ sent: 2, unsent: 0, abandoned: 0 });
  expect(await addresses()).toEqual(["a@example.com", "b@example.com"]);
});

test("a failure that concerns the whole account is tried with one mail, not with each", async () => {
  const { crbId } = await createInvited(["a", "b", "c"]);
  outage.current = { status: 400, type: "SendingPausedException", message: paused };
  const error = vi.spyOn(log, "error");
  expect(await sendInvitations(table(), crbId)).toEqual({ sent: 0, unsent: 3, abandoned: 0 });
  expect(error).toHaveBeenCalledTimes(1);
  error.mockRestore();
});

test.each<[string, Outage]>([
  ["hangs up", { sent: true }],
  ["fails", { status: 500, type: "InternalServiceErrorException", sent: true }],
])("if SES %s after it has accepted the mail, a user gets at most ten mails", async (_, response) => {
  const { crbId, unsent } = await createInvited(["a"]);
  outage.current = response;
  for (let attempt = 1; attempt < 10; attempt++) {
    expect(await sendInvitations(table(), crbId)).toEqual({ sent: 0, unsent: 1, abandoned: 0 });
    expect(await mails()).toHaveLength(attempt);
  }
  for (let again = 0; again < 3; again++)
    expect(await sendInvitations(table(), crbId)).toEqual({ sent: 0, unsent: 0, abandoned: 1 });
  expect(await unsent()).toBe(false);
  expect(await mails()).toHaveLength(10);
});

test("a user whose mail is never recorded as sent gets at most ten mails too, and that is logged as an error", async () => {
  const { crbId, unsent } = await createInvited(["a"]);
  const clock = new TestClock(start);
  const forgetful = testTableOf(table());
  interceptCalls(forgetful).before = (_, input) => {
    if (JSON.stringify(input).includes('"#set0":"sent_at"')) throw new Error("not written");
  };
  const error = vi.spyOn(log, "error");
  for (let attempt = 1; attempt <= 10; attempt++) {
    await expect(sendInvitations(forgetful, crbId, clock)).rejects.toThrow("not written");
    // The tenth attempt may still be running.
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

test("an invitation is not tried again if another sender has meanwhile made the last attempt", async () => {
  const { crbId, setAttempts } = await createInvited(["a"]);
  await setAttempts(9);
  outage.current = { sent: true };
  const overtake = async () => expect(await sendInvitations(table(), crbId)).toMatchObject({ abandoned: 1 });
  const overtaken = racedTable(table(), overtake, "UpdateItemCommand");
  expect(await sendInvitations(overtaken, crbId)).toEqual({ sent: 0, unsent: 1, abandoned: 0 });
  expect(await mails()).toHaveLength(1);
});

test("a sender whose calls are slow leaves the other invitations for the next time", async () => {
  const { crbId } = await createInvited(["a", "b", "c"]);
  const clock = new TestClock(start);
  const slow = testTableOf(table());
  interceptCalls(slow).after = (command) => {
    // Each invitation is claimed with this command.
    if (command === "UpdateItemCommand") clock.advance(20_000);
  };
  expect(await sendInvitations(slow, crbId, clock)).toEqual({ sent: 2, unsent: 1, abandoned: 0 });
  expect(await sendInvitations(slow, crbId, clock)).toEqual({ sent: 3, unsent: 0, abandoned: 0 });
});

test("invitations also wait while the service has no sender address", async () => {
  const { crbId } = await createInvited(["a"]);
  const from = process.env.MAIL_FROM;
  delete process.env.MAIL_FROM;
  for (let attempt = 0; attempt < 12; attempt++) await sendInvitations(table(), crbId);
  process.env.MAIL_FROM = from;
  expect(await sendInvitations(table(), crbId)).toMatchObject({ sent: 1 });
});

test("an invitation that the operator requests again while its last attempt ends stays unsent", async () => {
  const { crbId, unsent, setAttempts } = await createInvited(["a"]);
  await setAttempts(10);
  const overtaken = racedTable(table(), () => resendInvitations(table(), crbId), "DeleteItemCommand");
  expect(await sendInvitations(overtaken, crbId)).toEqual({ sent: 0, unsent: 0, abandoned: 1 });
  expect(await unsent()).toBe(true);
  expect(await sendInvitations(table(), crbId)).toEqual({ sent: 1, unsent: 0, abandoned: 0 });
  expect(await unsent()).toBe(false);
});

describe("an address that SES rejects", () => {
  async function createBouncing() {
    const one = await createInvited(["a", "bounces", "c"]);
    refused.add("bounces@example.com");
    for (let attempt = 0; attempt < 9; attempt++) {
      expect(await sendInvitations(table(), one.crbId)).toEqual({ sent: 2, unsent: 1, abandoned: 0 });
      expect(await addresses()).toEqual(["a@example.com", "c@example.com"]);
    }
    return one;
  }
  const again = { sent: 2, unsent: 0, abandoned: 1 };

  test("does not delay the CRB's other invitations, and is abandoned after ten attempts, which is logged as an error", async () => {
    const { crbId, unsent } = await createBouncing();
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

  test("is tried again if the operator requests it, and sent invitations are not sent again", async () => {
    const { crbId, unsent } = await createBouncing();
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

  test("is tried again if the CRB has as many invitations as allowed", async () => {
    const names = Array.from({ length: 100 }, (_, i) => `n${i}`);
    const { crbId, setAttempts } = await createInvited(names);
    await setAttempts(10);
    expect(await sendInvitations(table(), crbId)).toEqual({ sent: 0, unsent: 0, abandoned: 100 });
    expect(await resendInvitations(table(), crbId)).toEqual({ all: 100, unsent: 100 });
    expect(await sendInvitations(table(), crbId)).toMatchObject({ sent: 100 });
  });
});

describe("the operator's requests to send again count toward the 500 mails of a day", () => {
  test("once per invitation and request, however many transactions a request takes", async () => {
    const names = Array.from({ length: 100 }, (_, i) => `n${i}`);
    const { crbId, setAttempts, countedMails } = await createInvited(names);
    await setAttempts(10);
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

  test("and a request that exceeds the limit is rejected as a whole until the next day", async () => {
    const { crbId, unsent, setAttempts, setMails, countedMails } = await createInvited(["a", "b"]);
    await setAttempts(10);
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

test("a CRB without invitations has nothing to send again", async () => {
  expect(await resendInvitations(table(), randomUUID())).toEqual({ all: 0, unsent: 0 });
});

test("after a crash at any call of the table, all users are invited, and at most one of them twice", async () => {
  let killed = true;
  for (let halfCall = 0; killed; halfCall += crashStep) {
    const before = (await addresses()).length;
    const { crbId, unsent } = await createInvited(["a", "b"]);
    const clock = new TestClock(start);
    const crashing = dyingTable(table(), halfCall);
    killed = await sendInvitations(crashing, crbId, clock).then(
      () => false,
      () => true,
    );
    // While the claim of the killed sender is valid, the other invitations are sent.
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

  /** Runs the schedule every five minutes. Returns the minutes after which it requested the CRB's invitations. */
  async function sweep(crbId: string, { minutes, clock }: { minutes: number; clock: TestClock }) {
    const requestedMinutes: number[] = [];
    for (const end = clock.time + minutes * minute; clock.time < end; ) {
      clock.advance(5 * minute);
      const before = requests(crbId);
      await requestUnsentInvitations(table(), clock);
      if (requests(crbId) > before) requestedMinutes.push((clock.time - Date.parse(start)) / minute);
    }
    return requestedMinutes;
  }

  test("requests unsent invitations again when the queue has no message any more, less and less often, without end", async () => {
    const { crbId } = await createInvited(["a"]);
    const clock = new TestClock(start);
    expect(await sweep(crbId, { minutes: 12 * 60, clock })).toEqual([30, 60, 120, 240, 360, 480, 600, 720]);
    await sendInvitations(table(), crbId, clock);
    expect(await sweep(crbId, { minutes: 3 * 60, clock })).toEqual([]);
  });

  test("counts invitations that have been unsent for an hour", async () => {
    const clock = new TestClock(start);
    clock.advance(59 * minute);
    const lateBefore = (await requestUnsentInvitations(table(), clock)).late;
    const { crbId } = await createInvited(["a"]);
    expect((await requestUnsentInvitations(table(), clock)).late).toBe(lateBefore);
    clock.advance(minute);
    expect((await requestUnsentInvitations(table(), clock)).late).toBeGreaterThan(lateBefore);
    await sendInvitations(table(), crbId, clock);
  });

  test("does not bring back invitations that are sent meanwhile, nor delay those that the operator requests", async () => {
    const [sent, resent] = [await createInvited(["a"]), await createInvited(["a"])];
    const clock = new TestClock(start);
    clock.advance(30 * minute);
    const overtake = async () => {
      await sendInvitations(table(), sent.crbId, clock);
      await resendInvitations(table(), resent.crbId, clock);
    };
    await requestUnsentInvitations(racedTable(table(), overtake, "UpdateItemCommand"), clock);
    expect(await sent.unsent()).toBe(false);
    expect(await table().get(unsentInvitationsKey(resent.crbId), { consistent: true })).not.toHaveProperty("ask_at");
  });
});
