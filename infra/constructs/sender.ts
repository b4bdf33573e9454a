/** The address of who sends mail, which may have a name before it, and its domain. */
export function senderOf(mailFrom: string): { address: string; domain: string } {
  const address = /<(.*)>/.exec(mailFrom)?.[1] ?? mailFrom;
  return { address, domain: address.replace(/^.*@/, "") };
}
