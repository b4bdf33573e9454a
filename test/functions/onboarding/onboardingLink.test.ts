import { randomUUID } from "node:crypto";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { ClientRequest } from "node:http";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { sqsEvent } from "../../../infra/local/sqsEvent.ts";
import { endAssociation } from "../../../shared/domain/crbs/endAssociation.ts";
import { serviceBucket } from "../../../shared/domain/documents/bucket.ts";
import { addressDigest } from "../../../shared/domain/invitations/addressDigest.ts";
import { endInvitation } from "../../../shared/domain/invitations/endInvitation.ts";
import type { LinkRequest } from "../../../shared/domain/invitations/invitationQueue.ts";
import { sendInvitations } from "../../../shared/domain/invitations/sendInvitations.ts";
import { sendRequestedLinks } from "../../../shared/domain/invitations/sendRequestedLinks.ts";
import { terms } from "../../../shared/domain/onboarding/terms.ts";
import { invitedAddressKey, linkRequestsKey } from "../../../shared/store/keys/invitations.ts";
import { systemClock, utcDay } from "../../../shared/time/clock.ts";
import { useTestAddressKey } from "../../testServiceKey.ts";
import { useMailbox } from "../../useMailbox.ts";
import { duringOutage, useQueues } from "../../useQueues.ts";
import { useTestBucket } from "../../useTestBucket.ts";
import { useTestTable } from "../../useTestTable.ts";
import { callHandler } from "../callHandler.ts";
import { givenInvited, people, termsEnvironment } from "./givenInvited.ts";

useTestAddressKey();
const table = useTestTable();
useTestBucket();
const queued = useQueues();
const { mails, outage } = useMailbox();
// Imported after the key exists, since loading the function reads it.
const { handler: sender } = await import("../../../functions/invitations/sender.ts");
beforeAll(() => {
  for (const [name, value] of Object.entries(termsEnvironment)) vi.stubEnv(name, value);
});
// The limit per address and day would include requests of other tests.
beforeEach(() =>
  table().batchDelete(people.map(({ email }) => linkRequestsKey(addressDigest(email), utcDay(new Date())))),
);

async function ask(body: object) {
  const { status, text } = await callHandler("sendOnboardingLink", { body });
  return { status, text };
}

/** Has the sender process the queued messages. */
async function deliver(times = 1) {
  const messages = queued.invitations.splice(0);
  for (const message of messages) {
    for (let time = 0; time < times; time++) await sender(sqsEvent("invitations", JSON.stringify(message)));
  }
  return messages;
}

const linkIn = (text = "") => /^https:\/\/app\.example\.com\/connect#(iv_[\w-]{65})$/m.exec(text)?.[1] ?? "";

const statusWith = async (authorization: string) => (await callHandler("getOnboarding", { authorization })).status;

/** Tries to make a change with a link: gives consent. */
const changeWith = async (authorization: string, terms_version = terms().version) =>
  (await callHandler("giveConsent", { authorization, body: { terms_version } })).status;

const mailOf = async (email: string) => (await mails()).filter(({ destination }) => destination.to[0] === email);
const linksOf = async (email: string) => (await mailOf(email)).map(({ body }) => linkIn(body.text));

/** Two users who received their mails, and the tokens in them. */
async function givenMailed() {
  const given = await givenInvited(table());
  await sendInvitations(table(), given.crbId);
  const tokens = await Promise.all(people.map(async ({ email }) => (await linksOf(email)).at(-1) ?? ""));
  return { ...given, tokens };
}

/** Two businesses that invited the same further person. */
async function givenTwice(name: string) {
  const email = `${name}-${Date.now()}@example.com`;
  people.push({ email, firstName: name, lastName: "Reyes" });
  const both = [await givenMailed(), await givenMailed()] as const;
  people.pop();
  return { email, both };
}

test("a request during an outage of the queue gets 503 with Retry-After", async () => {
  const request = () => callHandler("sendOnboardingLink", { body: { email: "ann@example.com" } });
  const { status, headers } = await duringOutage("invitations", request);
  expect([status, Number(headers?.["Retry-After"])]).toEqual([503, expect.any(Number)]);
});

describe("a new link", () => {
  test("is sent to the invited address, and the earlier one ends with the first change that is made with it", async () => {
    const { crbId, tokens } = await givenMailed();
    const [robin = "", kim = ""] = tokens;
    expect([await statusWith(robin), await statusWith(kim)]).toEqual([200, 200]);
    expect(await ask({ email: "ROBIN@example.com", crb_id: crbId })).toEqual({ status: 200, text: "{}" });
    const [message] = await deliver(3);
    expect(JSON.stringify(message)).not.toMatch(/robin/i);
    const got = await mailOf("robin@example.com");
    expect(got).toHaveLength(2);
    expect(got[1]?.subject).toBe("Your new link from Front Range Community Bank");
    const replacement = linkIn(got[1]?.body.text);
    expect(replacement).not.toBe(robin);
    // The links in a mail may be opened by a program, which must end nothing.
    const opened = async () => Promise.all([robin, replacement, kim].map(statusWith));
    for (const _ of ["first", "second"]) expect(await opened()).toEqual([200, 200, 200]);
    expect(await changeWith(robin)).toBe(200);
    // A rejected request changes nothing.
    expect(await changeWith(replacement, "unknown")).toBe(409);
    expect(await changeWith(replacement, "")).toBe(422);
    expect(await opened()).toEqual([200, 200, 200]);
    expect(await changeWith(replacement)).toBe(200);
    expect(await opened()).toEqual([401, 200, 200]);
    expect(await mailOf("kim@example.com")).toHaveLength(1);
  });

  test("comes with a mail that says where it leads, how long it is valid, and what the page will request", async () => {
    await givenMailed();
    const [mail] = await mailOf("robin@example.com");
    for (const words of [
      /a page at app\.example\.com\./,
      /works for 30 days/,
      /credentials of the point-of-sale system/,
      /withdraw your consent at any time/,
    ]) {
      expect(mail?.body.text).toMatch(words);
      expect(mail?.body.html).toMatch(words);
    }
  });

  test("is sent for each business of the address, or for the requested one", async () => {
    const { email, both } = await givenTwice("both");
    expect(await mailOf(email)).toHaveLength(2);
    await ask({ email });
    await deliver();
    expect(await mailOf(email)).toHaveLength(4);
    await ask({ email, crb_id: both[0].crbId });
    await deliver();
    expect(await mailOf(email)).toHaveLength(5);
  });

  test("is sent for a business after any number of others, once even if a message is delivered again", async () => {
    const { email, both } = await givenTwice("many");
    // The items of purged businesses, with the lowest ids.
    for (let i = 100; i < 220; i++)
      await table().put({
        ...invitedAddressKey(addressDigest(email), `00000000-0000-4000-8000-000000000${i}`),
        invitation_id: randomUUID(),
      });
    await ask({ email });
    for (const repetitions of [2, 1, 1]) await deliver(repetitions);
    expect(await mailOf(email)).toHaveLength(2 * both.length);
  });

  test("is not sent to an address that complained, or whose association has ended", async () => {
    const email = `gone-${Date.now()}@example.com`;
    people.push({ email, firstName: "Gone", lastName: "Reyes" });
    const { crbId, invitations } = await givenMailed();
    people.pop();
    const gone = invitations.find((each) => each.email === email)?.id ?? "";
    await endInvitation(table(), crbId, gone, "complained", new Date().toISOString());
    await ask({ email });
    await deliver();
    expect(await mailOf(email)).toHaveLength(1);
    await endAssociation(table(), serviceBucket(), crbId);
    await ask({ email: "kim@example.com", crb_id: crbId });
    await deliver();
    expect(await mailOf("kim@example.com")).toHaveLength(1);
  });

  test("is sent later if no mail can be sent now; until then, the earlier link stays valid", async () => {
    const { crbId, tokens } = await givenMailed();
    const [, before = ""] = tokens;
    await ask({ email: "kim@example.com", crb_id: crbId });
    outage.current = { status: 400, type: "SendingPausedException", message: "Sending paused for this account." };
    const [message] = queued.invitations;
    for (let time = 0; time < 5; time++) {
      const failed = await sender(sqsEvent("invitations", JSON.stringify(message)));
      expect(failed.batchItemFailures).toHaveLength(1);
      expect(await statusWith(before)).toBe(200);
    }
    outage.current = undefined;
    await deliver();
    const got = await mailOf("kim@example.com");
    expect(got).toHaveLength(2);
    expect([await statusWith(before), await statusWith(linkIn(got[1]?.body.text))]).toEqual([200, 200]);
  });

  test("stays valid like the earlier one if the delivery of its mail is uncertain", async () => {
    const { crbId, tokens } = await givenMailed();
    const [, before = ""] = tokens;
    await ask({ email: "kim@example.com", crb_id: crbId });
    outage.current = { status: 500, type: "InternalFailure", message: "An error.", sent: true };
    const [message] = queued.invitations;
    const failed = await sender(sqsEvent("invitations", JSON.stringify(message)));
    expect(failed.batchItemFailures).toHaveLength(1);
    const links = async () => [before, ...(await linksOf("kim@example.com")).slice(1)];
    const opened = async () => Promise.all((await links()).map(statusWith));
    expect(await opened()).toEqual([200, 200]);
    outage.current = undefined;
    await deliver();
    expect(await opened()).toEqual([200, 200, 200]);
  });

  test("that a stranger requests ends no link of the invited person, however often", async () => {
    const { crbId, tokens } = await givenMailed();
    const [, before = ""] = tokens;
    for (let day = 0; day < 4; day++) {
      await table().delete(linkRequestsKey(addressDigest("kim@example.com"), utcDay(new Date())));
      for (let time = 0; time < 5; time++) await ask({ email: "kim@example.com", crb_id: crbId });
      await deliver();
    }
    const got = (await linksOf("kim@example.com")).slice(1);
    expect(got).toHaveLength(20);
    const statuses = await Promise.all([before, ...got].map(statusWith));
    expect(statuses).toEqual(Array(21).fill(200));
  });

  test("that is requested twice in parallel is sent twice, and both are valid", async () => {
    const { crbId } = await givenMailed();
    await Promise.all([1, 2].map(() => ask({ email: "kim@example.com", crb_id: crbId })));
    const messages = queued.invitations.splice(0);
    await Promise.all(messages.map((message) => sender(sqsEvent("invitations", JSON.stringify(message)))));
    const got = await linksOf("kim@example.com");
    expect(got).toHaveLength(3);
    expect(await Promise.all(got.map(statusWith))).toEqual([200, 200, 200]);
  });

  test("in an invitation that is sent again after an uncertain delivery ends the earlier ones", async () => {
    const { crbId } = await givenInvited(table());
    const opened = async () => Promise.all((await linksOf("kim@example.com")).map(statusWith));
    outage.current = { sent: true };
    for (let time = 0; time < 2; time++) await sendInvitations(table(), crbId);
    expect(await opened()).toEqual([200, 200]);
    outage.current = { status: 400, type: "SendingPausedException", message: "Sending paused for this account." };
    await sendInvitations(table(), crbId);
    expect(await opened()).toEqual([200, 200]);
    outage.current = undefined;
    await sendInvitations(table(), crbId);
    expect(await opened()).toEqual([401, 401, 200]);
  });

  test("is still sent after requests for businesses that did not invite the address", async () => {
    const { crbId } = await givenMailed();
    for (let time = 0; time < 6; time++) await ask({ email: "kim@example.com", crb_id: randomUUID() });
    await ask({ email: "kim@example.com", crb_id: crbId });
    await deliver();
    expect(await mailOf("kim@example.com")).toHaveLength(2);
  });

  test("is sent for at most five requests a day and address, whichever business they name, and once per message", async () => {
    const { email, both } = await givenTwice("often");
    const [one, other] = both;
    const before = (await mailOf(email)).length;
    for (let time = 0; time < 3; time++) await ask({ email, crb_id: one.crbId });
    await deliver(3);
    expect(await mailOf(email)).toHaveLength(before + 3);
    for (let time = 0; time < 3; time++) await ask({ email, crb_id: other.crbId });
    const messages = await deliver(3);
    expect(messages).toHaveLength(3);
    expect(await mailOf(email)).toHaveLength(before + 5);
    await ask({ email });
    await deliver();
    expect(await mailOf(email)).toHaveLength(before + 5);
    const tomorrow = { ...systemClock, now: () => new Date(Date.now() + 24 * 60 * 60_000) };
    await sendRequestedLinks(table(), messages.at(-1) as LinkRequest, tomorrow);
    expect(await mailOf(email)).toHaveLength(before + 6);
  });

  test("that is requested nine times in parallel is sent five times", async () => {
    const { crbId } = await givenMailed();
    await Promise.all(Array.from({ length: 9 }, () => ask({ email: "robin@example.com", crb_id: crbId })));
    const messages = queued.invitations.splice(0);
    expect(messages).toHaveLength(9);
    await Promise.all(messages.map((message) => sender(sqsEvent("invitations", JSON.stringify(message)))));
    expect(await mailOf("robin@example.com")).toHaveLength(6);
  });
});

/** Sends a request for a link, and returns the response and the AWS requests of the call, each by its action and size. */
async function traceRequest(email: string) {
  const requests: unknown[] = [];
  const record = (message: unknown) => {
    const { request } = message as { request: ClientRequest };
    requests.push([request.getHeader("x-amz-target") ?? request.path, request.getHeader("content-length")]);
  };
  subscribe("http.client.request.start", record);
  const answer = await ask({ email });
  unsubscribe("http.client.request.start", record);
  return JSON.stringify([answer, requests]);
}

// Equal work takes equal time. The function cannot read the table: its policy in test/infra/cdk/snapshots has no permission.
describe("a request for a link does the same work and gets the same response", () => {
  test("for a known and an unknown address: it queues one message of the same size", async () => {
    await givenMailed();
    const known = await traceRequest("kim@example.com");
    expect(known).toMatch(/^\[\{"status":200,"text":"\{\}"\},\[\["AmazonSQS\.SendMessageBatch","?\d+"?\]\]\]$/);
    expect(await traceRequest(`stranger-${Date.now()}@example.com`)).toBe(known);
    expect(queued.invitations).toHaveLength(2);
  });

  test("however many links were requested before", async () => {
    await givenMailed();
    const stranger = `often-${Date.now()}@example.com`;
    const traces = new Set<string>();
    for (const address of [...Array(7).fill(stranger), ...Array(7).fill("robin@example.com")]) {
      traces.add(await traceRequest(address));
      await deliver();
    }
    expect(traces.size).toBe(1);
    expect((await mailOf("robin@example.com")).length).toBeGreaterThan(1);
  });
});

test("a rejected request for a link does not repeat the invalid address", async () => {
  for (const body of [{ email: "kim@" }, { email: 5 }, {}, { email: "kim@example.com", crb_id: "x" }]) {
    const { status, text } = await ask(body);
    expect(status).toBe(422);
    expect(text).not.toContain("kim@");
  }
});
