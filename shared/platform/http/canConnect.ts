import ipaddr from "ipaddr.js";

/** The IPv6 range of the public internet. Other ranges are reserved or embed IPv4 addresses. */
const globalUnicast = ipaddr.parseCIDR("2000::/3") as [ipaddr.IPv6, number];

/**
 * Whether an address belongs to the public internet. The result is false for private, loopback, link-local, reserved,
 * multicast, documentation and carrier-grade NAT addresses. It is also false for IPv6 addresses that embed an IPv4 address
 * (mapped, 6to4, NAT64, Teredo).
 *
 * @param address IPv4 in four decimal parts, or IPv6 without a zone; any other text returns false
 */
export function isPublicAddress(address: string): boolean {
  // The library also accepts other spellings of IPv4, such as octal parts.
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return false;
  if (address.includes("%")) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  return parsed.kind() === "ipv4" || (parsed as ipaddr.IPv6).match(globalUnicast);
}

/** Whether the URL is a receiver on this machine: http to 127.0.0.1. Only the local stage accepts it. */
export const isLocalReceiver = ({ protocol, hostname }: URL): boolean =>
  process.env.STAGE === "local" && protocol === "http:" && hostname === "127.0.0.1";

/**
 * Whether a delivery to a URL may connect to an address. Callers check every address of the host, both when the URL is set and
 * for each connection.
 */
export const canConnect = (url: URL, address: string): boolean =>
  isLocalReceiver(url) ? address === "127.0.0.1" : isPublicAddress(address);
