import { escapeHtml } from "../../text/escapeHtml.ts";
import { withoutInvisible } from "../../text/invisible.ts";

/** What an invitation says. */
interface Invited {
  /** Name of the business whose onboarding it is. */
  business: string;
  /** Name of the service provider that invites. */
  inviter: string;
  link: string;
  /** That somebody has asked for a new link with this address. */
  isAskedFor?: true;
}

/**
 * An invitation as a mail: the same words as text and as HTML. Its one link is ours. Of what a caller of the API has
 * written it holds the name of the business alone, which tells people with several which one is meant: behind our own
 * words, quoted, and so that no mail program makes a link of it. Who the service provider is, the operator has entered.
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

/** What the users of a business are told when consent was withdrawn. */
interface Withdrawn extends Pick<Invited, "business" | "inviter"> {
  /** When it was withdrawn, ISO 8601 UTC. */
  at: string;
  /** When consent was given again since, ISO 8601 UTC. */
  givenAgainAt?: string;
}

/** That consent was withdrawn, as a mail: to all who are invited, whoever of them has withdrawn it. It holds no link. */
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

/** A mail of paragraphs, of which one may be a link. */
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

/** Keeps mail programs that look at it from making links of numbers and addresses. */
const noDetection = `<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">`;

/**
 * A name in one line and without an address: mail programs make links of `evil.com`, `kim@evil.com` and `tel:5550100`,
 * but of none with a blank behind the dot, at sign or colon, which "J. R. Smith" bears well. Names that were stored before
 * they were checked may hold anything.
 */
const unlinked = (name: string): string =>
  withoutInvisible(name.replaceAll(/\s+/g, " ")).replaceAll(/[.:@。．｡․：＠](?=\S)/g, "$& ");
