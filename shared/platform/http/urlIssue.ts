import { lookup } from "node:dns/promises";
import { canConnect, isLocalReceiver } from "./canConnect.ts";

/** Maximum length of a URL, both as sent and in its normal form (docs/spec.md#webhooks). */
export const maxUrlLength = 2_000;

/** Timeout of a DNS lookup in milliseconds. A slow name server must not delay the caller. */
const resolving = 2_000;

/** Whether a port is allowed: 443, or a port above 1023. Other ports belong to services such as SSH or mail. */
const isPort = (port: string): boolean => port === "" || Number(port) > 1_023;

/** A host name of at least two labels (letters, digits and hyphens), without a dot at the end. */
const name = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/;

/** Names reserved from the public internet (RFC 6761, 6762, 7686, 8375, 9476, and ICANN's `internal`). */
const reservedName = /(^|\.)(localhost|local|internal|test|example|invalid|onion|alt|arpa)$/;

/** Resolves a name to its addresses; throws if the name has no address. */
export type Resolve = (host: string) => Promise<{ address: string }[]>;

const resolveByDns: Resolve = (host) => lookup(host, { all: true, verbatim: true });

/**
 * The fault in a URL that a caller sent, as a message for people; undefined if there is none. A host name that does not resolve
 * is accepted, because each connection checks the addresses again.
 */
export const findUrlIssue = async (sent: string, resolve: Resolve = resolveByDns): Promise<string | undefined> =>
  issueOf(sent) ?? (await issueOfHost(new URL(sent), resolve));

/** The fault in the text of a URL, as a message for people; undefined if there is none. */
function issueOf(sent: string): string | undefined {
  // Check the text before parsing: the URL parser drops line breaks, converts backslashes, and accepts extra slashes before the
  // host.
  if (/[\p{C}\s\\]/u.test(sent)) return "must not contain spaces, control characters or backslashes";
  const authority = /^https?:\/\/([^/?#]+)/i.exec(sent)?.[1];
  const url = authority === undefined ? null : URL.parse(sent);
  if (!url || (url.protocol !== "https:" && !isLocalReceiver(url))) return "must be a URL that begins with https://";
  if (authority?.includes("@")) return "must not contain a user name or password";
  if (sent.includes("#")) return "must not have a fragment (#…)";
  if (url.href.length > maxUrlLength) return `must have at most ${maxUrlLength} characters in its normalized form`;
  if (isLocalReceiver(url)) return undefined;
  if (!isPort(url.port)) return "must have port 443 or a port above 1023";
  if (isLiteral(url) || (name.test(url.hostname) && !reservedName.test(url.hostname))) return undefined;
  return "must have a host with a public domain name";
}

const isLiteral = ({ hostname }: URL): boolean => hostname.startsWith("[") || /^[\d.]+$/.test(hostname);

/** The fault in the addresses of a URL's host, as a message for people; undefined if there is none. */
async function issueOfHost(url: URL, resolve: Resolve): Promise<string | undefined> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const addresses = isLiteral(url) ? [host] : await addressesOf(host, resolve);
  return addresses.every((address) => canConnect(url, address)) ? undefined : "must resolve to public addresses only";
}

async function addressesOf(host: string, resolve: Resolve): Promise<string[]> {
  const { promise: late, resolve: giveUp } = Promise.withResolvers<{ address: string }[]>();
  const timer = setTimeout(() => giveUp([]), resolving);
  const found = await Promise.race([resolve(host).catch(() => []), late]);
  clearTimeout(timer);
  return found.map(({ address }) => address);
}
