import { lookup as lookUp } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { Webhook } from "standardwebhooks";
import { buildConnector, Client, errors } from "undici";
import type { DeliveryError } from "../api/enumerations.ts";
import { mayConnect } from "./address.ts";

/** How long an attempt takes at most: name, connection, headers and body (contract 14.3). */
export const longestAttempt = 10_000;

/** So many bytes of an answer are read (contract 14.3). */
const mostOfAnswer = 4_096;

/** What is to be delivered, and where. */
export interface Sending {
  url: string;
  /** By which it is signed: never to be logged. */
  secrets: readonly string[];
  /** The event's. */
  id: string;
  /** The event, as JSON text. */
  body: string;
  /** When it is tried. */
  at: Date;
}

/** What came of an attempt; of the receiver's answer nothing but its status. */
export interface Outcome {
  /** null where no answer came, or not in time */
  statusCode: number | null;
  /** null where the event was taken */
  error: DeliveryError | null;
}

/** Why nothing may be sent: the name has no address, or leads to one that is not to be connected to. */
class AddressError extends Error {
  override readonly name = "AddressError";
}

/** A connection over which nothing could be sent, since its TLS is not good. */
class TlsError extends Error {
  override readonly name = "TlsError";
}

/** What tests have otherwise. */
interface Ways {
  /** finds the addresses of a name */
  resolve: LookupFunction;
  mayConnect: typeof mayConnect;
  /** milliseconds */
  within: number;
}

/**
 * Makes one attempt to deliver an event, by a connection of its own: signed by Standard Webhooks, without redirects, proxies or
 * cookies. The connection is made to an address that was checked, since whoever checks a name and then connects to it may
 * be led elsewhere in between.
 *
 * @returns what came of it; it throws for nothing that a receiver does
 */
export async function send({ url, secrets, id, body, at }: Sending, ways: Partial<Ways> = {}): Promise<Outcome> {
  const { within = longestAttempt } = ways;
  const target = new URL(url);
  let statusCode: number | null = null;
  const inTime = AbortSignal.timeout(within);
  const client = new Client(target.origin, { connect: connector(target, ways), pipelining: 0 });
  try {
    const answer = await client.request({
      method: "POST",
      path: target.pathname + target.search,
      headers: {
        "content-type": "application/json",
        "user-agent": "business-data-access",
        "webhook-id": id,
        "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
        "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(" "),
      },
      body,
      signal: inTime,
    });
    statusCode = answer.statusCode;
    let read = 0;
    for await (const chunk of answer.body) {
      read += (chunk as Buffer).length;
      if (read >= mostOfAnswer) break;
    }
    return { statusCode, error: errorOfStatus(statusCode) };
  } catch (error) {
    return { statusCode, error: inTime.aborted ? "timeout" : errorOf(error) };
  } finally {
    // Whatever is under way ends, and the end of what is left of the answer is no failure of anybody's.
    await client.destroy().catch(() => undefined);
  }
}

/** Connects to an address of the url's host that may be connected to, and to no other. */
function connector(target: URL, ways: Partial<Ways>): buildConnector.connector {
  const { resolve = lookUp as LookupFunction, within = longestAttempt } = ways;
  const isGood = (address: string) => (ways.mayConnect ?? mayConnect)(target, address);
  const lookup: LookupFunction = (name, options, done) =>
    resolve(name, { ...options, all: true }, (error, found) => {
      const addresses = error ? [] : [found].flat().map((one) => (typeof one === "string" ? one : one.address));
      if (addresses.length === 0 || !addresses.every(isGood)) {
        done(new AddressError(), "");
        return;
      }
      const checked = addresses.map((address) => ({ address, family: isIP(address) }));
      if (options.all) done(null, checked);
      else done(null, checked[0]?.address ?? "", checked[0]?.family);
    });
  const connect = buildConnector({ lookup, timeout: within, maxCachedSessions: 0 });
  // No name is looked up where the host is an address.
  const literal = target.hostname.replace(/^\[(.*)\]$/, "$1");
  return (options, done) => {
    if (isIP(literal) && !isGood(literal)) {
      done(new AddressError(), null);
      return;
    }
    connect(options, (...[error, socket]) => {
      if (error) done(isOfTls(error) ? new TlsError() : error, null);
      else done(null, socket);
    });
  };
}

/** Failures to connect that are the network's; whatever else keeps a connection from being made is the matter of TLS. */
const networkCodes = /^(E[A-Z]+|UND_ERR_.*)$/;

function isOfTls(error: Error): boolean {
  const { code } = error as { code?: string };
  return !(error instanceof AddressError) && (code === "EPROTO" || !networkCodes.test(code ?? ""));
}

function errorOfStatus(status: number): DeliveryError | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? "redirect" : "status";
}

function errorOf(error: unknown): DeliveryError {
  if (error instanceof AddressError) return "address";
  if (error instanceof TlsError) return "tls";
  return error instanceof errors.ConnectTimeoutError ? "timeout" : "refused";
}
