import { describe, expect, test } from "vitest";
import { createBusiness } from "../../../shared/domain/crbs/createBusiness.ts";
import { invitationMailsKey } from "../../../shared/store/keys/invitations.ts";
import { dyingTable } from "../../dyingTable.ts";
import { interceptCalls, TestClock } from "../../shared/store/orderedList/listUnderTest.ts";
import { testTableOf } from "../../testTable.ts";
import { useTestTable } from "../../useTestTable.ts";
import { useCreation, user, valid } from "./useCreation.ts";

const table = useTestTable();
const { given, queued } = useCreation(table);

const today = () => new Date().toISOString().slice(0, 10);
const users = (count: number) => Array.from({ length: count }, (_, i) => ({ ...user, email: `u${i}@example.com` }));
const inviting = (name: string, count: number) => ({ org: { ...valid.org, name }, users: users(count) });

/** A service provider that has already requested the given number of mails today, and the count in the table. */
async function givenMails(mails: number) {
  const provider = await given();
  const key = (day = today()) => invitationMailsKey(provider.spId, day);
  if (mails > 0) await table().put({ ...key(), mails, expires: 0 });
  const counted = async (day?: string) => (await table().get(key(day), { consistent: true }))?.mails;
  return { ...provider, key, counted };
}

describe("the limit of 500 invitation mails a day", () => {
  test("counts each address once, and counts nothing for a creation without users", async () => {
    const { create, counted } = await givenMails(0);
    expect((await create(valid)).status).toBe(200);
    expect(await counted()).toBeUndefined();
    const twice = [...users(3), { ...user, email: "U0@EXAMPLE.com" }];
    expect((await create({ ...inviting("Two", 0), users: twice })).status).toBe(200);
    expect(await counted()).toBe(3);
  });

  test("allows exactly 500; a creation that exceeds it gets 429 until the day ends and creates nothing", async () => {
    const { create, listed, counted } = await givenMails(495);
    const { status, json } = await create(inviting("Six", 6));
    expect([status, json.name, json.message]).toEqual([
      429,
      "Too Many Requests",
      expect.stringContaining("5 are left"),
    ]);
    expect(await listed()).toEqual([]);
    expect([await counted(), queued.invitations]).toEqual([495, []]);
    expect((await create(inviting("Five", 5))).status).toBe(200);
    expect((await create(inviting("One", 1))).status).toBe(429);
    expect((await create({ ...valid, org: { ...valid.org, name: "None" } })).status).toBe(200);
    expect(await counted()).toBe(500);
  });

  test("returns the seconds until midnight UTC as Retry-After, and the next day has its own count", async () => {
    const { spId, counted } = await givenMails(0);
    const clock = new TestClock("2026-03-01T23:59:29.250Z");
    const create = (name: string) =>
      createBusiness(table(), { spId, body: inviting(name, 100) as never, idempotencyKey: undefined }, clock);
    for (const name of ["1", "2", "3", "4", "5"]) await create(name);
    await expect(create("6")).rejects.toMatchObject({ kind: "throttled", details: { retryAfter: 31 } });
    clock.advance(31_000);
    await create("6");
    expect([await counted("2026-03-01"), await counted("2026-03-02")]).toEqual([500, 100]);
    const item = await table().get(invitationMailsKey(spId, "2026-03-01"));
    expect(item?.expires).toBe(Date.parse("2026-03-03T00:00:00.000Z") / 1000);
  });

  test("sets the header Retry-After", async () => {
    const { create } = await givenMails(500);
    const answer = await create(inviting("One", 1));
    const left = (Date.parse(`${today()}T00:00:00.000Z`) + 86_400_000 - Date.now()) / 1000;
    expect(Math.abs(Number(answer.headers?.["Retry-After"]) - left)).toBeLessThan(30);
  });

  test("is not exceeded by parallel requests", async () => {
    const { create, listed, counted } = await givenMails(496);
    const answers = await Promise.all(["1", "2", "3", "4"].map((name) => create(inviting(name, 2))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429]);
    expect([(await listed()).length, await counted()]).toEqual([2, 500]);
  });

  test("is enforced by the transaction if another request has used up the rest after the check", async () => {
    const { spId, listed, counted, key } = await givenMails(498);
    const overtaken = testTableOf(table());
    interceptCalls(overtaken).before = async (command) => {
      if (command === "TransactWriteItemsCommand") await table().put({ ...key(), mails: 499, expires: 0 });
    };
    const request = { spId, body: inviting("Two", 2) as never, idempotencyKey: undefined };
    await expect(createBusiness(overtaken, request)).rejects.toMatchObject({ kind: "throttled" });
    expect([await listed(), await counted()]).toEqual([[], 499]);
  });

  test("holds for each service provider separately", async () => {
    await givenMails(500);
    const { create } = await givenMails(0);
    expect((await create(inviting("One", 1))).status).toBe(200);
  });

  test("is not used by a repeated request, and does not stop one", async () => {
    const { create, counted } = await givenMails(498);
    const key = { "Idempotency-Key": "k" };
    const first = await create(inviting("Two", 2), key);
    const again = await create(inviting("Two", 2), key);
    expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
    expect(await counted()).toBe(500);
  });

  test("counts the mails of a killed creation if, and only if, its CRB is stored", async () => {
    let finished = 0;
    for (let victim = 0; finished < 2; victim++) {
      const { spId, listed, counted } = await givenMails(0);
      const crashing = dyingTable(table(), victim);
      const request = { spId, body: inviting("Two", 2) as never, idempotencyKey: "k" };
      await createBusiness(crashing, request).then(
        () => finished++,
        () => undefined,
      );
      expect((await counted()) ?? 0).toBe((await listed()).length * 2);
    }
  });
});
