import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { handler } from "../../../functions/invitations/sender.ts";
import { handler as sweeper } from "../../../functions/invitations/sweeper.ts";
import { sqsEvent } from "../../../infra/local/sqsEvent.ts";
import { lateInvitationsMetric } from "../../../shared/domain/invitations/requestUnsentInvitations.ts";
import { log } from "../../../shared/platform/aws/log.ts";
import { useTestAddressKey } from "../../testServiceKey.ts";
import { useMailbox } from "../../useMailbox.ts";
import { useQueues } from "../../useQueues.ts";
import { useTestTable } from "../../useTestTable.ts";
import { watchCounted } from "../../watchCounted.ts";
import { givenServiceProvider } from "../callHandler.ts";
import { storeInvitation } from "../onboarding/givenInvited.ts";

useTestAddressKey();
const queued = useQueues();
const table = useTestTable();
const { mails, outage } = useMailbox();

const failures = async (body: string) => (await handler(sqsEvent("invitations", body, "m"))).batchItemFailures;

test("a message sends the invitations of its CRB once, however often it is delivered", async () => {
  const { crbId } = await givenServiceProvider(table());
  await storeInvitation(table(), crbId);
  const message = JSON.stringify({ crb_id: crbId });
  expect(await failures(message)).toEqual([]);
  expect(await failures(message)).toEqual([]);
  expect(await mails()).toMatchObject([{ destination: { to: ["robin@example.com"] } }]);
});

test("a message succeeds even if a mail could not be sent, since the schedule sends it later", async () => {
  const { crbId } = await givenServiceProvider(table());
  await storeInvitation(table(), crbId);
  outage.current = { status: 400, type: "SendingPausedException", message: "Sending paused for this account." };
  const message = JSON.stringify({ crb_id: crbId });
  expect(await failures(message)).toEqual([]);
  outage.current = undefined;
  expect(await failures(message)).toEqual([]);
  expect(await mails()).toHaveLength(1);
});

test("the log of a message that failed has its id and the error", async () => {
  const logged = vi.spyOn(log, "error").mockReturnValue();
  expect(await failures("{")).toHaveLength(1);
  expect(logged.mock.calls).toMatchObject([
    ["invitations failed", { message_id: "m", error: { name: "SyntaxError" } }],
  ]);
});

test.each(["{", "{}", '{"crb_id":"7"}', '{"crb_id":7,"x":1}'])(
  "the invalid message %s is returned to the queue",
  async (body) => {
    expect(await failures(body)).toEqual([{ itemIdentifier: "m" }]);
  },
);

test("a message about an unknown CRB or one without invitations succeeds without doing anything", async () => {
  expect(await failures(JSON.stringify({ crb_id: randomUUID() }))).toEqual([]);
});

test("the sweeper queues unsent invitations, and reports those that have been unsent for long, without a failure", async () => {
  const given = async (minutes: number) => {
    const { crbId } = await givenServiceProvider(table());
    await storeInvitation(table(), crbId, new Date(Date.now() - minutes * 60_000));
    return { crb_id: crbId };
  };
  const reports = watchCounted(lateInvitationsMetric);
  const [, unsent] = [await given(10), await given(40)];
  await sweeper();
  expect(queued.invitations).toEqual([unsent]);
  expect(reports()).toEqual([]);
  const [late, later] = [await given(70), await given(80)];
  await sweeper();
  expect(queued.invitations).toHaveLength(3);
  expect(queued.invitations).toEqual(expect.arrayContaining([unsent, late, later]));
  expect(reports()).toMatchObject([["invitations have been unsent for long", { crbs: 2 }]]);
});
