import type { Server } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { portOf } from "../infra/local/listen.ts";
import { type Mail, startMailbox } from "../infra/local/mailbox.ts";
import { useServer } from "./useServer.ts";

/** SES's response to a rejected or accepted mail; without `status` it closes the connection. */
export interface Outage {
  status?: number;
  type?: string;
  message?: string;
  /** The mail is sent nevertheless. */
  sent?: true;
}

/**
 * Gives a test file's process the mailbox of the local stage, empty before each test.
 *
 * @returns `mails`: the mails so far; `refused`: addresses to which SES rejects every mail; `outage`: the response to
 *   every mail, if `current` is set; `clear` empties the mailbox
 */
export function useMailbox(): {
  mails: () => Promise<Mail[]>;
  refused: Set<string>;
  outage: { current: Outage | undefined };
  clear: () => Promise<unknown>;
} {
  const refused = new Set<string>();
  const outage: { current: Outage | undefined } = { current: undefined };
  let mailbox: Server;
  let url: string;
  const service = useServer(async (request, response) => {
    const body = await text(request);
    const deliver = () => {
      const { authorization = "", "content-type": type = "application/json" } = request.headers;
      const headers = { Authorization: authorization, "Content-Type": type };
      return fetch(url + request.url, { method: "POST", headers, body });
    };
    if (outage.current) {
      if (outage.current.sent) await deliver();
      const { status, type = "", message = "" } = outage.current;
      if (status) response.writeHead(status, { "x-amzn-errortype": type }).end(JSON.stringify({ message }));
      else request.socket.destroy();
      return;
    }
    if ([...refused].some((address) => body.includes(`"${address}"`))) {
      response.writeHead(400, { "x-amzn-errortype": "MessageRejected" }).end('{"message":"The address is refused."}');
      return;
    }
    const answer = await deliver();
    response.writeHead(answer.status, { "Content-Type": "application/json" }).end(await answer.text());
  });
  beforeAll(async () => {
    mailbox = await startMailbox();
    url = `http://127.0.0.1:${portOf(mailbox)}`;
    Object.assign(process.env, {
      AWS_ENDPOINT_URL_SESV2: service(),
      MAIL_FROM: "no-reply@example.com",
      OPERATOR_NAME: "Front Range Data, Inc.",
      PRIVACY_URL: "https://data.example.com/privacy",
      APP_URL: "https://app.example.com/connect",
    });
  });
  beforeEach(async () => {
    refused.clear();
    outage.current = undefined;
    await clear();
  });
  afterAll(() => {
    mailbox.closeAllConnections();
    mailbox.close();
  });
  const mails = async () => ((await (await fetch(`${url}/store`)).json()) as { emails: Mail[] }).emails;
  const clear = () => fetch(`${url}/clear-store`, { method: "POST" });
  return { mails, refused, outage, clear };
}
