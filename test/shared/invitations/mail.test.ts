import { expect, test } from "vitest";
import { invitationMail } from "../../../shared/invitations/mail.ts";

const link = "https://onboarding.example.com/invitations/x";

test("names of several lines stay in theirs", () => {
  const mail = invitationMail({
    business: "High\r\nBcc: x@example.com",
    inviter: "A\tBank",
    firstName: "Kim,\n\nOpen https://elsewhere.example\u0000",
    link,
  });
  expect(mail.subject).toBe("A Bank invites you to set up High Bcc: x@example.com");
  expect(mail.text.split("\n")[0]).toBe("Hello Kim, Open https://elsewhere.example ,");
});
