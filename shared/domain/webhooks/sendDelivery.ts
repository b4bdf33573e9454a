import { lookup as lookUp } from "node:dns";
import { once } from "node:events";
import { type IncomingMessage, request as requestPlain } from "node:http";
import { request as requestTls } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { Webhook } from "standardwebhooks";
import type { DeliveryError } from "../../api/enumerations.ts";
import { canConnect } from "./canConnect.ts";

/** How long an attempt takes at most: name, connection, headers and body (docs/spec.md#webhook-delivery). */
export const maxAttemptMs = 10_000;

/** So many bytes of an answer are read (docs/spec.md#webhook-delivery). */
const maxResponseBytes = 4_096;

/** What is to be delivered, and where. */
export interface DeliveryRequest {
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
export interface DeliveryOutcome {
  /** null where no answer came, or not in time */
  statusCode: number | null;
  /** null where the event was taken */
  error: DeliveryError | null;
}

/** Why nothing may be sent: the name has no address, or leads to one that is not to be connected to. */
class AddressError extends Error {
  override readonly name = "AddressError";
}

/** What tests have otherwise. */
interface SendOverrides {
  /** finds the addresses of a name */
  resolve: LookupFunction;
  mayConnect: typeof canConnect;
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
export async function sendDelivery(
  { url, secrets, id, body, at }: DeliveryRequest,
  ways: Partial<SendOverrides> = {},
): Promise<DeliveryOutcome> {
  const { within = maxAttemptMs, mayConnect: mayConnectTo = canConnect, resolve = lookUp as LookupFunction } = ways;
  const target = new URL(url);
  const isGood = (address: string) => mayConnectTo(target, address);
  // No name is looked up where the host is an address.
  const literal = target.hostname.replace(/^\[(.*)\]$/, "$1");
  if (isIP(literal) && !isGood(literal)) return { statusCode: null, error: "address" };
  let statusCode: number | null = null;
  const inTime = AbortSignal.timeout(within);
  const request = (target.protocol === "https:" ? requestTls : requestPlain)(target, {
    method: "POST",
    agent: false,
    lookup: checkedLookup(resolve, isGood),
    signal: inTime,
    headers: {
      "content-type": "application/json",
      "user-agent": "business-data-access",
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
      "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(" "),
    },
  });
  let isConnected = false;
  request.on("socket", (socket) =>
    socket.once(target.protocol === "https:" ? "secureConnect" : "connect", () => {
      isConnected = true;
    }),
  );
  // Nothing else would ever tell that it has ended.
  request.on("upgrade", (_answer, socket) => {
    socket.destroy();
    request.emit("error", new Error("the receiver wants to speak something else"));
  });
  // Also of one that fails when its end is known already.
  request.on("error", () => undefined);
  try {
    request.end(body);
    const [answer] = (await once(request, "response", { signal: inTime })) as [IncomingMessage];
    statusCode = answer.statusCode ?? null;
    let read = 0;
    for await (const chunk of answer) {
      read += (chunk as Buffer).length;
      if (read >= maxResponseBytes) break;
    }
    return { statusCode, error: errorOfStatus(answer.statusCode ?? 0) };
  } catch (error) {
    if (inTime.aborted) return { statusCode, error: "timeout" };
    // It has said all by its status, whatever becomes of its text.
    return { statusCode, error: statusCode === null ? errorOf(error, isConnected) : errorOfStatus(statusCode) };
  } finally {
    request.destroy();
  }
}

/** Looks a name up, and gives its addresses only if each of them may be connected to. */
function checkedLookup(resolve: LookupFunction, isGood: (address: string) => boolean): LookupFunction {
  return (name, options, done) =>
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
}

/** The codes of failures that are the network's. */
const networkCode = /^E(?!PROTO)[A-Z]+$/;

/** @param isConnected whether the connection stood, with its TLS: what fails before that is the network, the name, or TLS */
function errorOf(error: unknown, isConnected: boolean): DeliveryError {
  if (error instanceof AddressError) return "address";
  return isConnected || networkCode.test((error as { code?: string }).code ?? "") ? "refused" : "tls";
}

function errorOfStatus(status: number): DeliveryError | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? "redirect" : "status";
}
