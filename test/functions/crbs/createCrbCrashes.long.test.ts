import { expect, test, vi } from "vitest";
import { requestUnsentInvitations } from "../../../shared/domain/invitations/requestUnsentInvitations.ts";
import { sendInvitations } from "../../../shared/domain/invitations/sendInvitations.ts";
import { readCrb } from "../../../shared/store/crbs.ts";
import { TestClock } from "../../shared/store/orderedList/listUnderTest.ts";
import { useMailbox } from "../../useMailbox.ts";
import { useTestTable } from "../../useTestTable.ts";
import { crashingAfter, writesOf } from "../crashingAfter.ts";
import { useCreation, user, valid } from "./useCreation.ts";

const table = useTestTable();
const { given, queued } = useCreation(table);
const { mails } = useMailbox();

const body = { ...valid, users: [user, { ...user, email: "kim.lee@example.com" }] };
const key = { "Idempotency-Key": "k" };
const kinds = ["location", "product", "customer", "inventory", "sale"];

/** What the schedule does once the invitations are late. */
async function halfAnHourLater(): Promise<void> {
  const clock = new TestClock(new Date().toISOString());
  clock.advance(30 * 60_000);
  await requestUnsentInvitations(table(), clock);
}

/** Processes all messages in the queue of invitations, including repeated ones. */
async function sendAll(): Promise<string[]> {
  for (const message of queued.invitations) await sendInvitations(table(), (message as { crb_id: string }).crb_id);
  return (await mails()).flatMap(({ destination }) => destination.to).sort();
}

test.each([
  ["before the POS is called", 1],
  ["after the POS has accepted the credentials", 2],
])("a call that is killed %s stores nothing, and the same call again creates the business", async (_, writes) => {
  const { own, create, listed } = await given();
  await crashingAfter(writes, "createCrb", own({ body, headers: key }));
  expect(await listed()).toEqual([]);
  expect((await create(body, key)).status).toBe(200);
  expect(await sendAll()).toEqual(["kim.lee@example.com", "robin.reyes@example.com"]);
});

test.each([
  ["everything is stored", 3],
  ["its event has its place", 4],
  ["one of the two queues has its messages", 5],
  ["both queues have their messages", 6],
])("a call that is killed when %s gets the same response when it is repeated", async (_, writes) => {
  const { own, create, listed } = await given();
  await crashingAfter(writes, "createCrb", own({ body, headers: key }));
  const [stored] = await listed();
  const { status, json } = await create(body, key);
  expect(status).toBe(200);
  expect(await listed()).toEqual([stored]);
  expect(stored).toMatchObject(json);
  for (const kind of kinds) expect(queued.replication).toContainEqual({ crb_id: json.id, kinds: [kind] });
  expect(await sendAll()).toEqual(["kim.lee@example.com", "robin.reyes@example.com"]);
});

test("if a call is killed once everything is stored, and is never repeated, the schedule sends the invitations", async () => {
  const { own, create, listed } = await given();
  await crashingAfter(3, "createCrb", own({ body }));
  const [stored] = await listed();
  expect((await readCrb(table(), stored?.id ?? ""))?.connection).toMatchObject({ posType: "Alleaves" });
  expect(queued.invitations).toEqual([]);
  await halfAnHourLater();
  expect(await sendAll()).toEqual(["kim.lee@example.com", "robin.reyes@example.com"]);
  const { status, json } = await create(body);
  expect([status, json.data.org_id]).toEqual([409, stored?.id]);
});

test("if queues are unavailable, the CRB is still created, and the schedule sends the messages again", async () => {
  const { create, listed } = await given();
  for (const queue of ["INVITATION_QUEUE_URL", "REPLICATION_QUEUE_URL"])
    vi.stubEnv(queue, `${process.env[queue]}-gone`);
  const { status, json } = await create(body);
  vi.unstubAllEnvs();
  expect([status, (await listed())[0]?.id]).toEqual([200, json.id]);
  expect(queued).toMatchObject({ replication: [], invitations: [] });
  await halfAnHourLater();
  expect(queued.invitations).toContainEqual({ crb_id: json.id });
});

test("the cases above cover all writes of a call", async () => {
  const { own } = await given();
  expect(await writesOf("createCrb", own({ body, headers: key }))).toBe(6);
});
