import { escapeHtml } from "../../text/escapeHtml.ts";
import { withoutInvisible } from "../../text/invisible.ts";

/** The content of an invitation. */
interface Invited {
  /** The business that is onboarded. */
  business: string;
  /** The service provider that invites. */
  inviter: string;
  link: string;
  /** Set if the user requested a new link with this address. */
  isAskedFor?: true;
}

/**
 * An invitation as a mail, with the same words as text and as HTML. Its only link is the service's own. The business name is
 * the only text from an API caller; it says which business is meant. It comes after fixed words, in quotation marks, and in a
 * form that mail programs do not turn into a link. The operator entered the service provider's name.
 */
export function invitationMail({ link, isAskedFor, ...names }: Invited): Mail {
  const [business, inviter] = [`“${unlinked(names.business)}”`, unlinked(names.inviter)];
  const { host } = new URL(link);
  const paragraphs = [
    "Hello,",
    isAskedFor
      ? `A new link was asked for with your address, to go on with ${business} for ${inviter}. Links that you got before no longer work.`
      : `${inviter} invites you to set up ${business}: to connect its point-of-sale system and to provide its documents.`,
    { link, words: isAskedFor ? "Go on" : "Accept the invitation" },
    `The link opens a page at ${host}. It is good for 30 days, and is yours alone: please do not pass it on.`,
    "There you read which records are copied from the point-of-sale system, and decide whether you consent. Then you are asked for the credentials of the point-of-sale system, and for documents such as licenses. Every step is kept: you can go on later, and withdraw your consent at any time.",
    `If you do not know ${inviter} or ${business}, please ignore this message.`,
  ];
  const subject = isAskedFor ? `Your new link from ${inviter}` : `${inviter} invites you to connect your business`;
  return mailOf(subject, paragraphs);
}

/** The content of a notice that consent was withdrawn. */
interface Withdrawn extends Pick<Invited, "business" | "inviter"> {
  /** Time of the withdrawal, ISO 8601 UTC. */
  at: string;
  /** Time of a later consent, ISO 8601 UTC. */
  givenAgainAt?: string;
}

/** A notice, as a mail to all invited users, that one of them withdrew consent. It contains no link. */
export function withdrawalMail({ at, givenAgainAt, ...names }: Withdrawn): Mail {
  const [business, inviter] = [`“${unlinked(names.business)}”`, unlinked(names.inviter)];
  const withdrawn = `${instant(at)} one of the people invited for ${business} has withdrawn the consent to have its records read for ${inviter}.`;
  if (givenAgainAt) {
    return mailOf("Consent for your business was withdrawn, and given again", [
      "Hello,",
      withdrawn,
      `The credentials of the point-of-sale system were erased then. ${instant(givenAgainAt)} consent was given again.`,
      "If that was a mistake, ask for a new link on the page of your invitation: there you can withdraw consent at any time.",
    ]);
  }
  return mailOf("The point-of-sale system of your business is disconnected", [
    "Hello,",
    withdrawn,
    "The credentials of the point-of-sale system were erased, and nothing more is read from it. What was copied before stays readable for them as long as the terms say.",
    "If that was a mistake, ask for a new link on the page of your invitation: there you can give consent again and connect the point-of-sale system.",
  ]);
}

/** @param at ISO 8601 UTC */
const instant = (at: string): string => `On ${at.slice(0, 10)} at ${at.slice(11, 16)} UTC`;

interface Mail {
  subject: string;
  text: string;
  html: string;
}

/** A mail of paragraphs, some of them links. */
function mailOf(subject: string, paragraphs: readonly (string | { link: string; words: string })[]): Mail {
  const text = paragraphs.map((one) => (typeof one === "string" ? one : `${one.words} here:\n${one.link}`));
  const html = paragraphs.map((one) =>
    typeof one === "string"
      ? `<p>${escapeHtml(one)}</p>`
      : `<p><a href="${escapeHtml(one.link)}">${one.words}</a></p>\n<p>Or open this address: ${escapeHtml(one.link)}</p>`,
  );
  return {
    subject,
    text: `${text.join("\n\n")}\n`,
    html: `<!doctype html>\n<html lang="en"><head>${noDetection}</head><body>\n${html.join("\n")}\n</body></html>\n`,
  };
}

/** Prevents mail programs that support it from linking numbers and addresses. */
const noDetection = `<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">`;

/**
 * A name in one line that mail programs do not turn into a link. They link `evil.com`, `kim@evil.com` and `tel:5550100`, but
 * not if a blank follows the dot, at sign or colon. "J. R. Smith" stays readable. Names stored before validation existed may
 * contain anything.
 */
const unlinked = (name: string): string =>
  withoutInvisible(name.replaceAll(/\s+/g, " ")).replaceAll(/[.:@。．｡․：＠](?=\S)/g, "$& ");
