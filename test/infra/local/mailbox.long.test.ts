import { randomUUID } from "node:crypto";
import { mkdtempSync } from "node:fs";
import type { Server } from "node:http";
import { join } from "node:path";
import { type MessageTag, SESv2Client, SendEmailCommand } from "@aws-sdk/client-sesv2";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { close, portOf } from "../../../infra/local/listen.ts";
import { startMailbox } from "../../../infra/local/mailbox.ts";
import { endOf, mailEvent } from "../../../shared/domain/invitations/endInvitation.ts";

const credentials = { accessKeyId: "local", secretAccessKey: "local" };
const clientOf = (endpoint: string) => new SESv2Client({ endpoint, region: "us-east-1", credentials, maxAttempts: 1 });

let mailbox: Server;
let url: string;
let client: SESv2Client;

beforeAll(async () => {
  mailbox = await startMailbox();
  url = `http://127.0.0.1:${portOf(mailbox)}`;
  client = clientOf(url);
});
afterAll(async () => {
  client.destroy();
  await close(mailbox);
});

const send = (to: string[], subject: string, text: string, by = client, EmailTags: MessageTag[] = []) =>
  by.send(
    new SendEmailCommand({
      FromEmailAddress: "no-reply@example.com",
      Destination: { ToAddresses: to },
      EmailTags,
      Content: { Simple: { Subject: { Data: subject }, Body: { Text: { Data: text }, Html: { Data: "<p>Hi</p>" } } } },
    }),
  );

const store = async () => (await fetch(`${url}/store`)).json();

test.each([
  ["bounce@simulator.amazonses.com", "bounced"],
  ["bounce+anna@simulator.amazonses.com", "bounced"],
  ["complaint@simulator.amazonses.com", "complained"],
])("a mail to %s gets the event that SES's simulator makes", async (to, ended) => {
  const { promise, resolve } = Promise.withResolvers<object>();
  const simulator = await startMailbox(0, undefined, resolve);
  const sender = clientOf(`http://127.0.0.1:${portOf(simulator)}`);
  const tags = { crb_id: randomUUID(), invitation_id: randomUUID() };
  const named = Object.entries(tags).map(([Name, Value]) => ({ Name, Value }));
  await send([to], "Link", "x", sender, named);
  const event = mailEvent.parse(await promise);
  expect([endOf(event), event.mail.tags]).toEqual([
    ended,
    { crb_id: [tags.crb_id], invitation_id: [tags.invitation_id] },
  ]);
  sender.destroy();
  await close(simulator);
});

test("keeps the mails that the SDK sends, and shows them as text, newest first", async () => {
  const { MessageId } = await send(["kim@example.com"], "First", "one");
  expect(MessageId).toMatch(/^[\w-]{36}$/);
  await send(["lee@example.com"], "<b>Second</b>", "<script>alert(1)</script>\nhttps://app.example.com/?a=1&b=2\n");
  expect(await store()).toEqual({
    emails: [
      expect.objectContaining({ destination: { to: ["kim@example.com"] }, subject: "First" }),
      {
        at: expect.stringMatching(/^\d{4}-.*Z$/),
        from: "no-reply@example.com",
        destination: { to: ["lee@example.com"] },
        subject: "<b>Second</b>",
        body: { text: expect.stringContaining("<script>"), html: "<p>Hi</p>" },
        tags: {},
      },
    ],
  });
  const page = await fetch(url);
  const html = await page.text();
  expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'none'/);
  expect(html).not.toMatch(/<script>|<b>/);
  expect(html).toContain('href="https://app.example.com/?a=1&amp;b=2"');
  expect(html.indexOf("Second")).toBeLessThan(html.indexOf("First"));
});

test("mails outlast a restart", async () => {
  const file = join(mkdtempSync(join(inject("temporaryDirectory"), "mails-")), "mails.json");
  for (const expected of [1, 2]) {
    const one = await startMailbox(0, file);
    url = `http://127.0.0.1:${portOf(one)}`;
    const restarted = clientOf(url);
    await send(["kim@example.com"], `Mail ${expected}`, "text", restarted);
    expect(((await store()) as { emails: object[] }).emails).toHaveLength(expected);
    restarted.destroy();
    await close(one);
  }
  url = `http://127.0.0.1:${portOf(mailbox)}`;
});

test("deletes all mails on request", async () => {
  await send(["kim@example.com"], "First", "one");
  await fetch(`${url}/clear-store`, { method: "POST" });
  expect(await store()).toEqual({ emails: [] });
  expect(await (await fetch(url)).text()).toContain("No mail yet");
});

test("rejects invalid mails as SES does", async () => {
  await expect(send([], "Nobody", "one")).rejects.toMatchObject({ name: "BadRequestException" });
  const broken = await fetch(`${url}/v2/email/outbound-emails`, { method: "POST", body: "{" });
  expect([broken.status, (await fetch(`${url}/nowhere`)).status]).toEqual([400, 404]);
});
