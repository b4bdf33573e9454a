import ipaddr from "ipaddr.js";

/** The addresses that IPv6 gives to the public internet. What is outside of them embeds others, or is reserved. */
const globalUnicast = ipaddr.parseCIDR("2000::/3") as [ipaddr.IPv6, number];

/**
 * Whether an address is one of the public internet: not private, loopback, link-local, reserved, multicast, for
 * documentation or of a carrier, and none that leads to an IPv4 address (mapped, 6to4, NAT64, Teredo).
 *
 * @param address IPv4 in four decimal parts, or IPv6 without a zone; any other text is no public address
 */
export function isPublicAddress(address: string): boolean {
  // The library also reads other spellings of IPv4, such as octal parts.
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return false;
  if (address.includes("%")) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  return parsed.kind() === "ipv4" || (parsed as ipaddr.IPv6).match(globalUnicast);
}

/** Whether a url is one that the local stage takes besides: http to this machine, by its address. */
export const isLocalReceiver = ({ protocol, hostname }: URL): boolean =>
  process.env.STAGE === "local" && protocol === "http:" && hostname === "127.0.0.1";

/**
 * Whether a delivery to a url may connect to an address: to be asked for every address that its host's name has, when the
 * url is set and at every connection.
 */
export const canConnect = (url: URL, address: string): boolean =>
  isLocalReceiver(url) ? address === "127.0.0.1" : isPublicAddress(address);
