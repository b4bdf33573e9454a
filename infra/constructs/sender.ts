/** Extracts the address and domain of a sender, which may include a display name. */
export function senderOf(mailFrom: string): { address: string; domain: string } {
  const address = /<(.*)>/.exec(mailFrom)?.[1] ?? mailFrom;
  return { address, domain: address.replace(/^.*@/, "") };
}
