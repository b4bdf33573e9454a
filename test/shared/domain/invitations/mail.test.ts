import { describe, expect, test } from "vitest";
import { invitationMail, withdrawalMail } from "../../../../shared/domain/invitations/mail.ts";

const link = "https://onboarding.example.com/connect#iv_x";
const operator = { name: "Front Range Data", privacyUrl: "https://data.example.com/privacy?a=1&b=2" };
const withoutOwnAddress = (words: string) =>
  [link, operator.privacyUrl, "onboarding.example.com"].reduce((rest, own) => rest.replaceAll(own, ""), words);
const mailOf = (business: string, inviter = "A Bank") => invitationMail({ business, inviter, link }, operator);

/** The text of the HTML as a mail program shows it. */
const wordsOf = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");

describe("no mail program turns a name into a link", () => {
  // biome-ignore format: a value on each line fills a screen
  test.each([
    "evil.com", "www.evil.com/pay?now", "Call us: EVIL.CO.UK", "kim@evil.com", "https://evil.example",
    "http://localhost/x", "tel:+18005550100", "mailto:kim@localhost", "192.0.2.1", "evil。com", "evil．com", "evil｡com",
    "kim＠evil․com", "evil.\u200bcom", "evil\u2060.com", "evil.\r\n.com",
    '"><a href="https://evil.example">evil.com</a>',
  ])("%j", (name) => {
    for (const mail of [mailOf(name), mailOf("High Plains", name)]) {
      for (const words of [mail.subject, withoutOwnAddress(mail.text), withoutOwnAddress(wordsOf(mail.html))]) {
        expect(words).not.toMatch(/[.:@。．｡․：＠][^\s”]/);
        expect(words).not.toMatch(/[^\P{C}\n]/u);
      }
      expect([...mail.html.matchAll(/href="([^"]*)"/g)].map(([, address]) => address)).toEqual([
        link,
        operator.privacyUrl.replace("&", "&amp;"),
      ]);
    }
  });
});

test.each([
  ["Green.Leaf Inc.", "Green. Leaf Inc."],
  ["J.R. Smith & Sons", "J. R. Smith & Sons"],
  ["High\r\nBcc: x@example.com", "High Bcc: x@ example. com"],
])("%j is quoted as %j, and the mail begins with the service's own words", (name, shown) => {
  const { text } = mailOf(name);
  expect(text.split("\n")[0]).toBe("Hello,");
  expect(text).toContain(`A Bank invites you to set up “${shown}”. You connect`);
});

test("the subject has one line and does not contain the business name", () => {
  expect(mailOf("Pay at once").subject).toBe("A Bank invites you to connect your business");
  expect(mailOf("x", "A\tBank\nof\u0000 Two").subject).toBe("A Bank of Two invites you to connect your business");
});

test.each([
  ["an invitation", () => mailOf("High Plains")],
  [
    "a new link",
    () => invitationMail({ business: "High Plains", inviter: "A Bank", link, isRequested: true }, operator),
  ],
  [
    "a withdrawal",
    () => withdrawalMail({ business: "High Plains", inviter: "A Bank", at: "2026-03-01T12:00:00.000Z" }, operator),
  ],
  [
    "a withdrawal before a new consent",
    () =>
      withdrawalMail(
        {
          business: "High Plains",
          inviter: "A Bank",
          at: "2026-03-01T12:00:00.000Z",
          givenAgainAt: "2026-03-01T13:00:00.000Z",
        },
        operator,
      ),
  ],
])("the mail about %s names the operator and links to its privacy notice", (_, make) => {
  const { text, html } = make();
  expect(text).toMatch(/Front Range Data runs this service and sends this mail for A Bank\.\n\n.*:\n(.*)\n$/);
  expect(text.trimEnd().split("\n").at(-1)).toBe(operator.privacyUrl);
  expect(html).toContain('<a href="https://data.example.com/privacy?a=1&amp;b=2">Read the privacy notice</a>');
});
