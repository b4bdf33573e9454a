import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { demoBusinesses, demoServiceProvider } from "../../../infra/local/demoBusinesses.ts";
import { mailInvitation, prepareInvitation } from "../../../infra/local/demoInvitation.ts";
import { close } from "../../../infra/local/listen.ts";
import { startMailbox } from "../../../infra/local/mailbox.ts";
import { sqsEvent } from "../../../infra/local/sqsEvent.ts";
import { createCrb, putServiceProvider } from "../../../shared/store/crbs.ts";
import { crbRecord } from "../../crbRecord.ts";
import { useTestAddressKey } from "../../testServiceKey.ts";
import { useQueues } from "../../useQueues.ts";
import { useTestTable } from "../../useTestTable.ts";

useTestAddressKey();
useQueues();
const table = useTestTable();
const { handler: sender } = await import("../../../functions/invitations/sender.ts");
let mailbox: Server;
let url: string;
beforeAll(async () => {
  mailbox = await startMailbox();
  url = `http://127.0.0.1:${(mailbox.address() as AddressInfo).port}`;
  vi.stubEnv("AWS_ENDPOINT_URL_SESV2", url);
  vi.stubEnv("MAIL_FROM", "no-reply@example.com");
  vi.stubEnv("APP_URL", "http://127.0.0.1:3000/connect");
});
afterAll(async () => {
  await close(mailbox);
  vi.unstubAllEnvs();
});

test("every start puts a link into the mailbox, however many starts there are on a day", async () => {
  const { record } = demoBusinesses.find(({ posType }) => posType === null) ?? expect.fail("no such business");
  await putServiceProvider(table(), demoServiceProvider);
  const whole = { ...crbRecord(record.id), ...record };
  await createCrb(table(), { record: whole, serviceProviderId: demoServiceProvider.id, connection: null });
  await prepareInvitation(table(), new Date());
  const send = (message: object) => sender(sqsEvent("invitations", JSON.stringify(message)));
  const tokens = new Set<string>();
  for (let start = 0; start < 8; start++) {
    await fetch(`${url}/clear-store`, { method: "POST" });
    const { link, invitation_token } = await mailInvitation(table(), send, url);
    expect(link).toBe(`http://127.0.0.1:3000/connect#${invitation_token}`);
    tokens.add(invitation_token);
  }
  expect(tokens.size).toBe(8);
});
