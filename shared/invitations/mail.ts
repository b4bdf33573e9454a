/** What an invitation says. */
export interface Invited {
  /** Name of the business whose onboarding it is. */
  business: string;
  /** Name of the service provider that invites. */
  inviter: string;
  firstName: string;
  link: string;
}

/** An invitation as a mail: the same words as text and as HTML. */
export function invitationMail({ link, ...names }: Invited) {
  const [business, inviter] = [inOneLine(names.business), inOneLine(names.inviter)];
  const greeting = `Hello ${inOneLine(names.firstName)},`;
  const request = `${inviter} invites you to set up ${business}: to connect its point-of-sale system and to provide its documents.`;
  const ending = `If you do not know ${inviter} or ${business}, please ignore this message.`;
  const paragraphs = [greeting, request].map((words) => `<p>${escapeHtml(words)}</p>`).join("\n");
  const button = `<p><a href="${escapeHtml(link)}">Accept the invitation</a></p>`;
  const address = `<p>Or open this address: ${escapeHtml(link)}</p>`;
  return {
    subject: `${inviter} invites you to set up ${business}`,
    text: `${greeting}\n\n${request}\n\nAccept the invitation here:\n${link}\n\n${ending}\n`,
    html: `<!doctype html>\n<html lang="en"><body>\n${paragraphs}\n${button}\n${address}\n<p>${escapeHtml(ending)}</p>\n</body></html>\n`,
  };
}

/** A name may hold line breaks (contract 5): in a subject they are refused, in a mail they could begin words of its own. */
const inOneLine = (name: string): string => name.replace(/[\s\p{Cc}]+/gu, " ");

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
