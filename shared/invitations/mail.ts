import { withoutInvisible } from "../text/invisible.ts";

/** What an invitation says. */
export interface Invited {
  /** Name of the business whose onboarding it is. */
  business: string;
  /** Name of the service provider that invites. */
  inviter: string;
  link: string;
}

/**
 * An invitation as a mail: the same words as text and as HTML. Its one link is ours. Of what a caller of the API has
 * written it holds the name of the business alone, which tells people with several which one is meant: behind our own
 * words, quoted, and so that no mail program makes a link of it. Who the service provider is, the operator has entered.
 */
export function invitationMail({ link, ...names }: Invited) {
  const [business, inviter] = [`“${unlinked(names.business)}”`, unlinked(names.inviter)];
  const subject = `${inviter} invites you to connect your business`;
  const request = `${inviter} invites you to set up ${business}: to connect its point-of-sale system and to provide its documents.`;
  const ending = `If you do not know ${inviter} or ${business}, please ignore this message.`;
  const paragraphs = ["Hello,", request].map((words) => `<p>${escapeHtml(words)}</p>`).join("\n");
  const button = `<p><a href="${escapeHtml(link)}">Accept the invitation</a></p>`;
  const address = `<p>Or open this address: ${escapeHtml(link)}</p>`;
  return {
    subject,
    text: `Hello,\n\n${request}\n\nAccept the invitation here:\n${link}\n\n${ending}\n`,
    html: `<!doctype html>\n<html lang="en"><head>${noDetection}</head><body>\n${paragraphs}\n${button}\n${address}\n<p>${escapeHtml(ending)}</p>\n</body></html>\n`,
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

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
