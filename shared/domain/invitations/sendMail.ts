import { setTimeout as sleep } from "node:timers/promises";
import { SESv2Client, SESv2ServiceException, SendEmailCommand } from "@aws-sdk/client-sesv2";
import { awsRequests } from "../../platform/aws/awsRequests.ts";

let client: SESv2Client | undefined;

function createClient(): SESv2Client {
  return new SESv2Client({
    // The SDK would also repeat what may have gone out, without anybody counting it.
    maxAttempts: 1,
    requestHandler: {
      ...awsRequests(),
      // A kept connection may have died while the function was frozen, which looks as if it had been cut behind a mail.
      httpAgent: { keepAlive: false },
      httpsAgent: { keepAlive: false },
    },
  });
}

/** How often a mail is handed over that SES does not take now, and how long it rests before the next time. */
const maxAttempts = 3;
const restMilliseconds = 500;

/**
 * Sends a mail from the address MAIL_FROM; at most once, whether or not it fails.
 *
 * @param tags what SES tells along when it tells what became of the mail
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

/** What SES says of one mail, and not of the account or the sender. */
const ofTheMail: readonly string[] = ["BadRequestException", "MessageRejected"];

/**
 * By these words SES rejects a message for the account's sake: in its sandbox every address that is not verified, the
 * sender too; and everything once it has stopped the account.
 */
const ofTheAccount = /not verified|paused|suspended|disabled|quota/i;

/** Codes and names of errors that come before a mail is on its way; the SDK has none for a connection that takes too long. */
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
 * Why a mail was not sent, or does not seem to be: SES refuses this mail or its address ("refused"), as it will the next
 * time; "outage": nothing was sent for the account's sake, the sender's, or for want of a way to SES, which ends for all
 * mails together once somebody mends it; and of everything else nobody can tell whether the mail went out ("unknown").
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

/** Whether SES has not taken a mail because there are too many at once, or it is too busy. */
function isTooSoon(error: unknown): boolean {
  if (!(error instanceof SESv2ServiceException)) return false;
  return [429, 503].includes(error.$metadata.httpStatusCode ?? 0) || /^Throttling/.test(error.name);
}
