import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { requestUnsentInvitations } from "../../../shared/domain/invitations/requestUnsentInvitations.ts";
import { sendInvitations } from "../../../shared/domain/invitations/sendInvitations.ts";
import { giveConsent, withdrawConsent } from "../../../shared/domain/onboarding/consent.ts";
import { terms } from "../../../shared/domain/onboarding/terms.ts";
import { serviceTable } from "../../../shared/store/client.ts";
import { readEvents } from "../../../shared/store/eventLog/readEvents.ts";
import { invitationKey, unsentInvitationsKey } from "../../../shared/store/keys/invitations.ts";
import { systemClock } from "../../../shared/time/clock.ts";
import { crashAt, crashPoints, letCallsPass, sides, writesOf } from "../../shared/store/crashInjection.ts";
import { type Calls, interceptCalls, TestClock } from "../../shared/store/orderedList/listUnderTest.ts";
import { givenConnectedCrb, markInvitationsSent } from "./givenInvited.ts";
import { useInvitedUsers } from "./useInvitedUsers.ts";

const { table, queued, mails, outage, clear } = useInvitedUsers();
let calls: Calls;
beforeAll(() => {
  calls = interceptCalls(serviceTable());
  vi.stubEnv("POS_CONNECTORS", "sandbox");
});
afterEach(() => letCallsPass(calls));

describe("all users are notified of a withdrawal by mail", () => {
  const sentTo = async () => (await mails()).flatMap(({ destination }) => destination.to).sort();

  /** A CRB whose invitations were sent. */
  async function givenMailed() {
    const given = await givenConnectedCrb(table());
    await markInvitationsSent(table(), given);
    return given;
  }

  test("once each, with the reason and only the link to the privacy notice", async () => {
    const { crbId, kim } = await givenMailed();
    await kim.withdraw();
    expect(queued.invitations).toEqual([{ crb_id: crbId }, { crb_id: crbId }]);
    await Promise.all([sendInvitations(table(), crbId), sendInvitations(table(), crbId)]);
    await sendInvitations(table(), crbId);
    const notices = (await mails()).filter(({ subject }) => !subject.includes("agreed"));
    expect(notices.map(({ destination }) => destination.to[0]).sort()).toEqual([
      "kim@example.com",
      "robin@example.com",
    ]);
    for (const { subject, body } of notices) {
      expect(subject).toBe("The point-of-sale system of your business is disconnected");
      expect(body.text).toContain(`invited for “Business ${crbId}”`);
      const privacyUrl = "https://data.example.com/privacy";
      expect(body.text).toContain(privacyUrl);
      expect((body.text + body.html).replaceAll(privacyUrl, "")).not.toMatch(/http|Kim|Lee/);
    }
    expect(await table().get(unsentInvitationsKey(crbId), { consistent: true })).toBeUndefined();
  });

  test("even if a sender is killed: a later one notifies every user whose mail is uncertain", async () => {
    const whole = await givenMailed();
    await whole.robin.withdraw();
    const writes = await writesOf(calls, () => sendInvitations(table(), whole.crbId));
    expect(writes).toBe(5);
    for (const write of crashPoints(writes)) {
      for (const side of sides) {
        const { crbId, robin, invitations } = await givenMailed();
        await robin.withdraw();
        await clear();
        crashAt(calls, write, side);
        await sendInvitations(table(), crbId).catch(() => undefined);
        letCallsPass(calls);
        const later = { ...systemClock, now: () => new Date(Date.now() + 6 * 60_000) };
        await sendInvitations(table(), crbId, later);
        const notices = await sentTo();
        expect(new Set(notices).size).toBe(2);
        expect(notices.length).toBeLessThanOrEqual(3);
        for (const { id } of invitations) {
          expect(await table().get(invitationKey(crbId, id))).toHaveProperty("reported_withdrawal");
        }
        expect(await table().get(unsentInvitationsKey(crbId), { consistent: true })).toBeUndefined();
      }
    }
  });

  test("again if the delivery of a mail is uncertain, for at most a day", async () => {
    const { crbId, robin } = await givenMailed();
    await robin.withdraw();
    outage.current = { sent: true };
    await sendInvitations(table(), crbId);
    outage.current = undefined;
    expect(await sentTo()).toEqual(["kim@example.com", "robin@example.com"]);
    await sendInvitations(table(), crbId);
    expect(await sentTo()).toHaveLength(2);
    expect(await table().get(unsentInvitationsKey(crbId), { consistent: true })).toBeDefined();
    const at = (minutes: number) => ({ ...systemClock, now: () => new Date(Date.now() + minutes * 60_000) });
    await sendInvitations(table(), crbId, at(6));
    expect(await sentTo()).toHaveLength(4);

    const other = await givenMailed();
    await other.robin.withdraw();
    outage.current = { sent: true };
    await sendInvitations(table(), other.crbId, at(24 * 60 + 1));
    outage.current = undefined;
    expect(await sentTo()).toHaveLength(6);
    expect(await table().get(unsentInvitationsKey(other.crbId), { consistent: true })).toBeUndefined();
  });

  test("also of a later withdrawal, once six hours have passed since the last notice, which does not count as late", async () => {
    await table().batchDelete(await table().queryPartition(unsentInvitationsKey("").pk, { consistent: true }));
    const { crbId, kim, robin } = await givenMailed();
    const clock = new TestClock(new Date().toISOString());
    const withdraw = (by: string) => withdrawConsent(table(), { crbId, by }, clock);
    const hours = (count: number) => clock.advance(count * 60 * 60_000);
    const sweep = async () => {
      queued.invitations = [];
      return requestUnsentInvitations(table(), clock);
    };
    await withdraw(kim.id);
    await sendInvitations(table(), crbId, clock);
    for (let again = 0; again < 3; again++) {
      hours(1);
      await giveConsent(table(), { crbId, by: robin.id }, terms().version, clock);
      await withdraw(robin.id);
      await sendInvitations(table(), crbId, clock);
      await sendInvitations(table(), crbId, clock);
    }
    expect(await sentTo()).toHaveLength(2);
    hours(2);
    expect(await sweep()).toEqual({ requested: 0, late: 0 });
    hours(1);
    expect(await sweep()).toEqual({ requested: 1, late: 0 });
    expect(queued.invitations).toEqual([{ crb_id: crbId }]);
    await Promise.all([sendInvitations(table(), crbId, clock), sendInvitations(table(), crbId, clock)]);
    await sendInvitations(table(), crbId, clock);
    expect(await sentTo()).toEqual(["kim@example.com", "kim@example.com", "robin@example.com", "robin@example.com"]);
    const last = (await mails()).at(-1)?.body.text;
    expect(last).toContain(new Date(clock.time - 3 * 60 * 60_000).toISOString().slice(11, 16));
    expect(await table().get(unsentInvitationsKey(crbId), { consistent: true })).toBeUndefined();
  });

  test("also if consent was given again meanwhile, and the mail says so", async () => {
    const { crbId, kim, robin } = await givenMailed();
    await kim.withdraw();
    await robin.consent();
    await sendInvitations(table(), crbId);
    const notices = (await mails()).filter(({ subject }) => !subject.includes("agreed"));
    expect(notices).toHaveLength(2);
    for (const { subject, body } of notices) {
      expect(subject).toBe("Consent for your business was withdrawn, and given again");
      expect(body.text).toMatch(/withdrew the consent/);
      expect(body.text).toMatch(/ UTC, consent was given again\./);
      expect(body.text).not.toMatch(/nothing more is read/);
    }
  });

  test("once, if two users withdraw in parallel", async () => {
    const { crbId, kim, robin, stored } = await givenMailed();
    const since = new Date();
    const answers = await Promise.all([kim.withdraw(), robin.withdraw()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const { withdrawal, serviceProviderId } = await stored();
    expect([kim.id, robin.id]).toContain(withdrawal?.by);
    const { events } = await readEvents(table(), serviceProviderId, { limit: 1_000 });
    const types = events.map((text) => JSON.parse(text)).filter((event) => event.crb_id === crbId);
    expect(types.filter(({ type }) => type === "onboarding.consent.withdrawn")).toHaveLength(1);
    await Promise.all([sendInvitations(table(), crbId), sendInvitations(table(), crbId)]);
    await sendInvitations(table(), crbId, { ...systemClock, now: () => new Date(since.getTime() + 7 * 60 * 60_000) });
    expect(await sentTo()).toEqual(["kim@example.com", "robin@example.com"]);
  });

  test("within seven days, since a later mail would look like news", async () => {
    const at = (minutes: number) => ({ ...systemClock, now: () => new Date(Date.now() + minutes * 60_000) });
    const week = 7 * 24 * 60;
    const late = await givenMailed();
    await late.robin.withdraw();
    await sendInvitations(table(), late.crbId, at(week + 1));
    expect(await sentTo()).toEqual([]);
    expect(await table().get(unsentInvitationsKey(late.crbId), { consistent: true })).toBeUndefined();

    const inTime = await givenMailed();
    await inTime.robin.withdraw();
    await sendInvitations(table(), inTime.crbId, at(week - 1));
    expect(await sentTo()).toHaveLength(2);
  });

  test("later, if no mail can be sent now", async () => {
    const { crbId, robin } = await givenMailed();
    await robin.withdraw();
    outage.current = { status: 400, type: "SendingPausedException", message: "Sending paused for this account." };
    await sendInvitations(table(), crbId);
    expect(await sentTo()).toEqual([]);
    expect(await table().get(unsentInvitationsKey(crbId), { consistent: true })).toBeDefined();
    outage.current = undefined;
    await sendInvitations(table(), crbId);
    expect(await sentTo()).toEqual(["kim@example.com", "robin@example.com"]);
  });
});
