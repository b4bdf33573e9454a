import { lookup } from "node:dns/promises";
import type { Fields } from "../../api/errors.ts";
import { canConnect, isLocalReceiver } from "./canConnect.ts";

/** Maximum length of a URL, also in its normal form (docs/spec.md#webhooks). */
const longest = 2_000;

/** Timeout of a DNS lookup in milliseconds. A slow name server must not delay the caller. */
const resolving = 2_000;

/** Ports below 1024 other than 443 belong to services that deliveries must not reach. */
const isPort = (port: string): boolean => port === "" || Number(port) > 1_023;

/** Letters, digits and hyphens, with an inner dot and none at the end. */
const name = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/;

/** Names reserved from the public internet (RFC 6761, 6762, 7686, 8375, 9476, and ICANN's `internal`). */
const reservedName = /(^|\.)(localhost|local|internal|test|example|invalid|onion|alt|arpa)$/;

/** Resolves a name to its addresses; throws if it has none. */
type Resolve = (host: string) => Promise<{ address: string }[]>;

const resolveByDns: Resolve = (host) => lookup(host, { all: true, verbatim: true });

/** The normal form of the URL standard, as stored and called. @param sent a URL without issues */
export const normalUrl = (sent: string): string => new URL(sent).href;

/**
 * Validates the `url` of a body beyond its schema. A name that does not resolve is no issue: every connection checks it again.
 */
export async function urlIssues(body: unknown, resolve: Resolve = resolveByDns): Promise<Fields> {
  const sent = typeof body === "object" && body !== null && "url" in body ? body.url : undefined;
  if (typeof sent !== "string" || sent === "" || sent.length > longest) return {};
  const message = issueOf(sent) ?? (await issueOfHost(new URL(sent), resolve));
  return message === undefined ? {} : { "body.url": { message } };
}

/** The issue of a URL's text, as a message for people. */
function issueOf(sent: string): string | undefined {
  // The parser of the URL standard drops line breaks, converts backslashes, and accepts any number of slashes before the host.
  if (/[\p{C}\s\\]/u.test(sent)) return "must not contain spaces, control characters or backslashes";
  const authority = /^https?:\/\/([^/?#]+)/i.exec(sent)?.[1];
  const url = authority === undefined ? null : URL.parse(sent);
  if (!url || (url.protocol !== "https:" && !isLocalReceiver(url))) return "must be a URL that begins with https://";
  if (authority?.includes("@")) return "must not contain a user name or password";
  if (sent.includes("#")) return "must not have a fragment (#…)";
  if (url.href.length > longest) return `must have at most ${longest} characters in its normalized form`;
  if (isLocalReceiver(url)) return undefined;
  if (!isPort(url.port)) return "must have port 443 or a port above 1023";
  if (isLiteral(url) || (name.test(url.hostname) && !reservedName.test(url.hostname))) return undefined;
  return "must have a host with a public domain name";
}

const isLiteral = ({ hostname }: URL): boolean => hostname.startsWith("[") || /^[\d.]+$/.test(hostname);

/** The issue of the addresses that a URL leads to. */
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
