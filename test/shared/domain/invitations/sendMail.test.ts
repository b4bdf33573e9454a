import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test, vi } from "vitest";
import { mailFailure } from "../../../../shared/domain/invitations/sendMail.ts";
import { impatientRequests } from "../../platform/aws/impatientRequests.ts";

Object.assign(process.env, {
  AWS_REGION: "us-east-1",
  AWS_ACCESS_KEY_ID: "local",
  AWS_SECRET_ACCESS_KEY: "local",
  MAIL_FROM: "no-reply@example.com",
});

/** The error of sending a mail to SES at this address. */
async function failureAt(url: string): Promise<unknown> {
  process.env.AWS_ENDPOINT_URL_SESV2 = url;
  vi.resetModules();
  const { sendMail } = await import("../../../../shared/domain/invitations/sendMail.ts");
  return sendMail("a@example.com", { subject: "x", text: "x", html: "x" }).then(
    () => expect.fail(),
    (error: unknown) => error,
  );
}

test.each(["http://127.0.0.1:1", "http://host.invalid"])(
  "if SES cannot be reached, no mail was sent: %s",
  async (url) => {
    expect(mailFailure(await failureAt(url))).toBe("outage");
  },
);

test("if SES does not respond, it is unknown whether the mail was sent, and it is not sent again", async () => {
  impatientRequests({ hasRetries: true, requestTimeout: 1_000 });
  let calls = 0;
  const silent = createServer(() => void calls++);
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const failure = await failureAt(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`);
  silent.closeAllConnections();
  silent.close();
  expect(mailFailure(failure)).toBe("unknown");
  expect(calls).toBe(1);
});
