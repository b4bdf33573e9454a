import { escapeHtml } from "../../text/escapeHtml.ts";
import { withoutInvisible } from "../../text/invisible.ts";
import { type Operator, stageOperator } from "./operator.ts";

/** The content of an invitation. */
interface Invited {
  /** The business that is onboarded. */
  business: string;
  /** The service provider that invites. */
  inviter: string;
  link: string;
  /** Set if the mail is sent because the user requested a new link. */
  isRequested?: true;
}

/**
 * Creates the mail of an invitation, with the same words as text and as HTML. The mail links only to the service's page
 * and to the operator's privacy notice. The business name is the only text that an API caller chooses; the operator
 * entered the service provider's name. To prevent abuse, the business name follows fixed words, stands in quotation
 * marks, and has a form that mail programs do not turn into a link.
 */
export function invitationMail({ link, isRequested, ...names }: Invited, operator: Operator = stageOperator()): Mail {
  const [business, inviter] = [`“${unlinked(names.business)}”`, unlinked(names.inviter)];
  const { host } = new URL(link);
  const paragraphs = [
    "Hello,",
    isRequested
      ? `A new link was requested for your address. With it you continue the setup of ${business} for ${inviter}. Earlier links end as soon as you save something with this one.`
      : `${inviter} invites you to set up ${business}. You connect its point-of-sale system and add its documents.`,
    { link, words: isRequested ? "Continue" : "Accept the invitation" },
    `The link opens a page at ${host}. It works for 30 days. It is meant for you alone, so please do not forward it.`,
    "On the page you read which records are copied, and decide whether you consent. Then you enter the credentials of the point-of-sale system and add documents such as licenses. The page saves every step, so you can continue later. You can withdraw your consent at any time.",
    `If you do not know ${inviter} or ${business}, please ignore this mail.`,
  ];
  const subject = isRequested ? `Your new link from ${inviter}` : `${inviter} invites you to connect your business`;
  return mailOf(subject, [...paragraphs, ...signature(operator, inviter)]);
}

/** The terms to which consent was given: the version, and the text of the stage's terms file. */
export interface Agreed {
  version: string;
  sections: readonly { title: string; text: string }[];
}

/** The content of a notice that consent was given. */
interface Consented extends Pick<Invited, "business" | "inviter"> {
  /** Time of the consent, ISO 8601 UTC. */
  at: string;
  agreed: Agreed;
}

/**
 * Creates the mail in which invited users keep the agreement: the version and the whole text of the terms. The operator
 * wrote that text. The mail links only to the operator's privacy notice.
 */
export function consentMail({ at, agreed, ...names }: Consented, operator: Operator = stageOperator()): Mail {
  const [business, inviter] = [`“${unlinked(names.business)}”`, unlinked(names.inviter)];
  return mailOf("What your business has agreed to", [
    "Hello,",
    `${instant(at)}, a person invited for ${business} gave consent to read its records for ${inviter}. Please keep this mail: below are the terms of this consent, version ${agreed.version}.`,
    "You can withdraw consent at any time on the page of your invitation. If your link no longer works, request a new one there.",
    ...agreed.sections.flatMap(({ title, text }) => [title, ...text.split("\n\n")]),
    ...signature(operator, inviter),
  ]);
}

/** The content of a notice that consent was withdrawn. */
interface Withdrawn extends Pick<Invited, "business" | "inviter"> {
  /** Time of the withdrawal, ISO 8601 UTC. */
  at: string;
  /** Time of a later consent, ISO 8601 UTC. */
  givenAgainAt?: string;
}

/**
 * Creates the mail that notifies invited users of a withdrawal of consent. The mail links only to the operator's
 * privacy notice.
 */
export function withdrawalMail({ at, givenAgainAt, ...names }: Withdrawn, operator: Operator = stageOperator()): Mail {
  const [business, inviter] = [`“${unlinked(names.business)}”`, unlinked(names.inviter)];
  const withdrawn = `${instant(at)}, a person invited for ${business} withdrew the consent to read its records for ${inviter}.`;
  if (givenAgainAt) {
    return mailOf("Consent for your business was withdrawn, and given again", [
      "Hello,",
      `${withdrawn} The credentials of the point-of-sale system were erased.`,
      `${instant(givenAgainAt)}, consent was given again.`,
      "If that was a mistake, request a new link on the page of your invitation. There you can withdraw consent at any time.",
      ...signature(operator, inviter),
    ]);
  }
  return mailOf("The point-of-sale system of your business is disconnected", [
    "Hello,",
    withdrawn,
    `The credentials of the point-of-sale system were erased, and nothing more is read from it. ${inviter} can still read the existing copy, as the terms say.`,
    "If that was a mistake, request a new link on the page of your invitation. There you can give consent again and connect the point-of-sale system.",
    ...signature(operator, inviter),
  ]);
}

/**
 * Creates the mail that notifies invited users that a document was not accepted, or that the setup was sent back. Like
 * the notice of a withdrawal, it links only to the operator's privacy notice. It does not repeat the reviewer's note, since mails hold no free text of callers.
 */
export function documentsMail(
  names: Pick<Invited, "business" | "inviter">,
  operator: Operator = stageOperator(),
): Mail {
  const [business, inviter] = [`“${unlinked(names.business)}”`, unlinked(names.inviter)];
  return mailOf("The setup of your business needs a correction", [
    "Hello,",
    `${inviter} did not accept a document of ${business}, or sent the setup back for a correction.`,
    "Open the page of your invitation. It shows which document this is, and the reviewer's note if there is one. There you can add another document. If your link no longer works, request a new one on the page.",
    ...signature(operator, inviter),
  ]);
}

/** @param at ISO 8601 UTC */
const instant = (at: string): string => `On ${at.slice(0, 10)} at ${at.slice(11, 16)} UTC`;

/** The last paragraphs of every mail: the sender, and its privacy notice. */
const signature = ({ name, privacyUrl }: Operator, inviter: string): Paragraph[] => [
  `${name} runs this service and sends this mail for ${inviter}.`,
  { link: privacyUrl, words: "Read the privacy notice" },
];

interface Mail {
  subject: string;
  text: string;
  html: string;
}

/** A text, or a link with its words. */
type Paragraph = string | { link: string; words: string };

/** Creates a mail from paragraphs. Each link also appears as a readable address, so that users can see and copy it. */
function mailOf(subject: string, paragraphs: readonly Paragraph[]): Mail {
  const text = paragraphs.map((one) => (typeof one === "string" ? one : `${one.words}:\n${one.link}`));
  const html = paragraphs.map((one) => {
    if (typeof one === "string") return `<p>${escapeHtml(one).replaceAll("\n", "<br>")}</p>`;
    const address = escapeHtml(one.link);
    return `<p><a href="${address}">${one.words}</a><br>or open this address: ${address}</p>`;
  });
  return {
    subject,
    text: `${text.join("\n\n")}\n`,
    html: `<!doctype html>\n<html lang="en"><head>${head}</head><body style="${bodyStyle}">\n${html.join("\n")}\n</body></html>\n`,
  };
}

/** The first meta element keeps mail programs that support it from turning numbers and addresses into links. */
const head = [
  `<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">`,
  `<meta name="viewport" content="width=device-width, initial-scale=1">`,
  `<meta name="color-scheme" content="light dark">`,
].join("");

const bodyStyle =
  "max-width: 36rem; margin: 0 auto; padding: 1rem; font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere";

/**
 * Puts a name in one line and in a form that mail programs do not turn into a link. Mail programs link `evil.com`,
 * `kim@evil.com` and `tel:5550100`, but not if a space follows the dot, at sign or colon. This function adds the
 * missing spaces, so "J. R. Smith" does not change. A name stored before validation existed may contain any text.
 */
const unlinked = (name: string): string =>
  withoutInvisible(name.replaceAll(/\s+/g, " ")).replaceAll(/[.:@。．｡․：＠](?=\S)/g, "$& ");
