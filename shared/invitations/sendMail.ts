import { SESv2Client, SESv2ServiceException, SendEmailCommand } from "@aws-sdk/client-sesv2";

let client: SESv2Client | undefined;

/** Sends a mail from the address MAIL_FROM. */
export async function sendMail(
  to: string,
  { subject, text, html }: { subject: string; text: string; html: string },
): Promise<void> {
  if (!process.env.MAIL_FROM) throw new Error("MAIL_FROM is not set");
  client ??= new SESv2Client({ requestHandler: { connectionTimeout: 1_000, requestTimeout: 10_000 } });
  const content = (data: string) => ({ Data: data, Charset: "UTF-8" });
  await client.send(
    new SendEmailCommand({
      FromEmailAddress: process.env.MAIL_FROM,
      Destination: { ToAddresses: [to] },
      Content: { Simple: { Subject: content(subject), Body: { Text: content(text), Html: content(html) } } },
    }),
  );
}

/** What SES says of one mail, and not of the account or the sender. */
const ofTheMail: readonly string[] = ["BadRequestException", "MessageRejected"];

/**
 * By these words SES rejects a message for the account's sake: in its sandbox every address that is not verified, the
 * sender too; and everything once it has stopped the account.
 */
const ofTheAccount = /not verified|paused|suspended|disabled|quota/i;

/**
 * Whether SES refuses this mail or its address, as it will the next time. Everything else (the account, the sender, too
 * many mails at once, the way to SES) ends for all mails together, once somebody mends it.
 */
export function refusesMail(error: unknown): boolean {
  return (
    error instanceof SESv2ServiceException && ofTheMail.includes(error.name) && !ofTheAccount.test(error.message ?? "")
  );
}
