import { setTimeout as sleep } from "node:timers/promises";
import { SESv2Client, SESv2ServiceException, SendEmailCommand } from "@aws-sdk/client-sesv2";
import { awsRequests } from "../../platform/aws/awsRequests.ts";

let client: SESv2Client | undefined;

function createClient(): SESv2Client {
  return new SESv2Client({
    // Disables the retries of the SDK. The SDK would repeat requests whose mail may have been sent, and the repetitions
    // would not be counted.
    maxAttempts: 1,
    requestHandler: {
      ...awsRequests(),
      // A kept-alive connection may close while Lambda has frozen the function. The next request then fails with the
      // same error as a connection that is lost after the mail was sent.
      httpAgent: { keepAlive: false },
      httpsAgent: { keepAlive: false },
    },
  });
}

/** Attempts at a mail that SES throttles, and the pause between them (multiplied by the number of attempts so far). */
const maxAttempts = 3;
const restMilliseconds = 500;

/**
 * Sends a mail from the address MAIL_FROM, at most once. If this function throws, the mail may have been sent; see
 * `mailFailure`.
 *
 * @param tags SES includes them in events about the mail
 */
export async function sendMail(
  to: string,
  { subject, text, html }: { subject: string; text: string; html: string },
  tags: Readonly<Record<string, string>> = {},
): Promise<void> {
  if (!process.env.MAIL_FROM) throw new Error("MAIL_FROM is not set");
  client ??= createClient();
  const content = (data: string) => ({ Data: data, Charset: "UTF-8" });
  const command = new SendEmailCommand({
    FromEmailAddress: process.env.MAIL_FROM,
    Destination: { ToAddresses: [to] },
    ConfigurationSetName: process.env.MAIL_CONFIGURATION_SET,
    EmailTags: Object.entries(tags).map(([Name, Value]) => ({ Name, Value })),
    Content: { Simple: { Subject: content(subject), Body: { Text: content(text), Html: content(html) } } },
  });
  for (let tries = 1; ; tries++) {
    try {
      await client.send(command);
      return;
    } catch (error) {
      if (tries === maxAttempts || !isTooSoon(error)) throw error;
      await sleep(tries * restMilliseconds);
    }
  }
}

/** SES errors that concern one mail, not the account or the sender. */
const ofTheMail: readonly string[] = ["BadRequestException", "MessageRejected"];

/**
 * Messages by which SES rejects a mail because of the account. In the SES sandbox, SES rejects every unverified
 * address, including the sender's address. After a suspension of the account, SES rejects all mails.
 */
const ofTheAccount = /not verified|paused|suspended|disabled|quota/i;

/**
 * Codes and names of errors that occur before a mail is sent. A connection timeout has no code; `unconnected` matches
 * its message.
 */
const beforeSending: readonly unknown[] = [
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "CredentialsProviderError",
];
const unconnected = /did not establish a connection/;

/**
 * Classifies the failure of a mail. "refused": SES rejects this mail or its address, and would reject a retry.
 * "outage": no mail was sent, because of the account, the sender or the connection to SES; all mails fail until the
 * cause is fixed. "unknown": the mail may have been sent.
 */
export function mailFailure(error: unknown): "refused" | "outage" | "unknown" {
  if (!process.env.MAIL_FROM) return "outage";
  if (error instanceof SESv2ServiceException) {
    if (isTooSoon(error)) return "outage";
    if ((error.$metadata.httpStatusCode ?? 500) >= 500) return "unknown";
    return ofTheMail.includes(error.name) && !ofTheAccount.test(error.message ?? "") ? "refused" : "outage";
  }
  const { code, name, message = "" } = error as Error & { code?: unknown };
  return beforeSending.includes(code) || beforeSending.includes(name) || unconnected.test(message)
    ? "outage"
    : "unknown";
}

/** Whether SES throttled the mail or is overloaded. */
function isTooSoon(error: unknown): boolean {
  if (!(error instanceof SESv2ServiceException)) return false;
  return [429, 503].includes(error.$metadata.httpStatusCode ?? 0) || /^Throttling/.test(error.name);
}
