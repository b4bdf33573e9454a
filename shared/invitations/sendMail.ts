import { SESv2Client, SendEmailCommand } from "@aws-sdk/client-sesv2";

let client: SESv2Client | undefined;

/** Sends a mail from the address MAIL_FROM. */
export async function sendMail(
  to: string,
  { subject, text, html }: { subject: string; text: string; html: string },
): Promise<void> {
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
