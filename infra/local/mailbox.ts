import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import * as z from "zod";
import { escapeHtml } from "../../shared/text/escapeHtml.ts";
import { writeAtomically } from "../cli/writeAtomically.ts";
import { listenNear } from "./listen.ts";
import { readBody } from "./server.ts";
import { stagePage, stagePageHeaders } from "./stagePage.ts";

/** A mail in the form that the mailbox keeps and returns at /store. */
export interface Mail {
  at: string;
  from: string;
  destination: { to: string[] };
  subject: string;
  body: { text: string; html: string };
  /** The tags that SES would add to delivery events, and the configuration set. */
  tags: Record<string, string>;
  configurationSet?: string;
}

const content = z.object({ Data: z.string() });

/** The parameters of SES SendEmail that the service uses. */
const sendEmail = z.object({
  FromEmailAddress: z.string().min(1),
  Destination: z.object({ ToAddresses: z.array(z.string().min(1)).min(1) }),
  ConfigurationSetName: z.string().optional(),
  EmailTags: z.array(z.object({ Name: z.string(), Value: z.string() })).default([]),
  Content: z.object({ Simple: z.object({ Subject: content, Body: z.object({ Text: content, Html: content }) }) }),
});

/** The mailbox drops the oldest mails above this number. */
const maxMails = 1_000;

/**
 * Starts a replacement for SES on 127.0.0.1. It accepts mails, shows them on a page, newest first, and returns them as
 * JSON at /store. A POST to /clear-store deletes them.
 *
 * @param port preferred port; if it is taken, the mailbox uses another port; 0 for any port
 * @param file keeps the mails for the next start, if it is set
 * @param report receives the events of mails to SES's simulator addresses, a second after the mail
 */
export async function startMailbox(
  port = 0,
  file?: string,
  report: (event: object) => void = () => undefined,
): Promise<Server> {
  const mails = readMails(file);
  const save = () => {
    if (file) writeAtomically(file, JSON.stringify(mails));
  };
  const server = createServer((request, response) => void serve({ mails, save, report }, request, response));
  await listenNear(server, port);
  return server;
}

/** The mails of an earlier start. */
function readMails(file: string | undefined): Mail[] {
  if (!file || !existsSync(file)) return [];
  return JSON.parse(readFileSync(file, "utf8")) as Mail[];
}

/** The mails, a function that keeps them for the next start, and one that reports events of mails. */
interface Kept {
  mails: Mail[];
  save(): void;
  report(event: object): void;
}

/** The delay of an event after its mail, as on AWS: the sender stores first that the mail was sent. */
const eventDelayMs = 1_000;

/**
 * The event that SES reports for a mail to an address of its mailbox simulator
 * (https://docs.aws.amazon.com/ses/latest/dg/send-an-email-from-console.html#send-email-simulator).
 */
function simulatedEvent({ destination, tags }: Mail): object | undefined {
  const [, name] = /^(bounce|complaint)(?:\+[^@]*)?@simulator\.amazonses\.com$/i.exec(destination.to[0] ?? "") ?? [];
  const mail = { tags: Object.fromEntries(Object.entries(tags).map(([tag, value]) => [tag, [value]])) };
  if (name === undefined) return undefined;
  return name.toLowerCase() === "bounce"
    ? { eventType: "Bounce", bounce: { bounceType: "Permanent" }, mail }
    : { eventType: "Complaint", complaint: {}, mail };
}

async function serve({ mails, save, report }: Kept, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const json = (status: number, body: object, headers = {}) =>
    response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(body));
  switch (`${request.method} ${request.url}`) {
    case "POST /v2/email/outbound-emails": {
      const mail = await readMail(request).catch(() => undefined);
      if (!mail) return void json(400, { message: "not a mail" }, { "x-amzn-errortype": "BadRequestException" });
      mails.push(mail);
      mails.splice(0, mails.length - maxMails);
      save();
      const event = simulatedEvent(mail);
      if (event) setTimeout(() => report(event), eventDelayMs).unref();
      return void json(200, { MessageId: randomUUID() });
    }
    case "POST /clear-store":
      mails.length = 0;
      save();
      return void json(200, {});
    case "GET /store":
      return void json(200, { emails: mails });
    case "GET /":
      return void response.writeHead(200, stagePageHeaders).end(pageOf(mails));
    default:
      return void json(404, { message: "nothing is here" });
  }
}

async function readMail(request: IncomingMessage): Promise<Mail> {
  const body = JSON.parse((await readBody(request)).toString());
  const { FromEmailAddress, Destination, Content, EmailTags, ConfigurationSetName } = sendEmail.parse(body);
  const { Subject, Body } = Content.Simple;
  return {
    at: new Date().toISOString(),
    from: FromEmailAddress,
    destination: { to: Destination.ToAddresses },
    subject: Subject.Data,
    body: { text: Body.Text.Data, html: Body.Html.Data },
    tags: Object.fromEntries(EmailTags.map(({ Name, Value }) => [Name, Value])),
    ...(ConfigurationSetName !== undefined && { configurationSet: ConfigurationSetName }),
  };
}

function pageOf(mails: readonly Mail[]): string {
  const linked = (text: string) =>
    escapeHtml(text).replaceAll(/^https?:\S+$/gm, '<a href="$&" rel="noreferrer">$&</a>');
  const shown = mails.map(
    ({ at, destination, subject, body }) =>
      `<article><h2>${escapeHtml(subject)}</h2><p>to ${escapeHtml(destination.to.join(", "))}, ${at}</p>` +
      `<pre>${linked(body.text)}</pre></article>`,
  );
  const none = "<p>No mail yet. Reload the page after the service has sent one.</p>";
  return stagePage("Mail of the local stage", shown.length > 0 ? shown.reverse() : [none]);
}
