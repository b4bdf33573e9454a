import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { startMailbox } from "../infra/local/mailbox.ts";

/** A mail as the mailbox keeps it. */
export interface Mail {
  from: string;
  subject: string;
  destination: { to: string[] };
  body: { html: string; text: string };
}

/**
 * Gives a test file's process the mailbox of the local stage; it is empty before each test.
 *
 * @returns the mails so far
 */
export function useMailbox(): () => Promise<Mail[]> {
  let mailbox: Server;
  let url: string;
  beforeAll(async () => {
    mailbox = await startMailbox();
    url = `http://127.0.0.1:${(mailbox.address() as AddressInfo).port}`;
    Object.assign(process.env, {
      AWS_ENDPOINT_URL_SESV2: url,
      MAIL_FROM: "no-reply@example.com",
      APP_URL: "https://app.example.com",
    });
  });
  beforeEach(() => fetch(`${url}/clear-store`, { method: "POST" }));
  afterAll(() => {
    mailbox.closeAllConnections();
    mailbox.close();
  });
  return async () => ((await (await fetch(`${url}/store`)).json()) as { emails: Mail[] }).emails;
}
