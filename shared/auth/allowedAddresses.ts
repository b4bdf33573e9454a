import { BlockList, isIP, isIPv4 } from "node:net";
import { forbidden } from "../api/errors.ts";

const familyOf = (address: string): "ipv4" | "ipv6" => (isIPv4(address) ? "ipv4" : "ipv6");

const partsOf = (cidr: string) => {
  const [base = "", prefix] = cidr.split("/");
  return { base, prefix: Number(prefix) };
};

/**
 * Whether an address lies in one of the ranges. A socket of IPv6 shows an IPv4 address as `::ffff:192.0.2.1`, which is the
 * same address.
 *
 * @param address IPv4 or IPv6; any other text lies in no range
 * @param cidrs ranges such as 192.0.2.0/24 and 2001:db8::/32; bits of an address behind the prefix do not count
 */
function isWithin(address: string, cidrs: readonly string[]): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
  if (isIP(plain) === 0) return false;
  const family = familyOf(plain);
  const ranges = new BlockList();
  for (const { base, prefix } of cidrs.map(partsOf)) {
    if (familyOf(base) === family) ranges.addSubnet(base, prefix, family);
  }
  return ranges.check(plain, family);
}

/** Whether all addresses of a range lie in one of the other ranges. */
export function isRangeWithin(cidr: string, cidrs: readonly string[]): boolean {
  const { base, prefix } = partsOf(cidr);
  return cidrs.some((outer) => partsOf(outer).prefix <= prefix && isWithin(base, [outer]));
}

/** The ranges of the addresses that lie in both lists. Of two ranges, one contains the other, or they are disjoint. */
export const intersect = (one: readonly string[], other: readonly string[]): string[] => [
  ...new Set([
    ...one.filter((cidr) => isRangeWithin(cidr, other)),
    ...other.filter((cidr) => isRangeWithin(cidr, one)),
  ]),
];

/**
 * Checks whether a credential may be used from an address (docs/spec.md#allowed-addresses).
 *
 * @param address the source address that API Gateway reports, never a header, which the caller sets; undefined if unknown
 * @throws ServiceError "forbidden"
 */
export function requireAllowedAddress<P extends { allowedCidrs?: readonly string[] }>(
  principal: P,
  address: string | undefined,
): P {
  const { allowedCidrs } = principal;
  if (allowedCidrs && !isWithin(address ?? "", allowedCidrs))
    throw forbidden(
      "address_not_allowed",
      "The credential may not be used from this address. Call from its allowed_cidrs, or ask the operator to change them.",
    );
  return principal;
}
