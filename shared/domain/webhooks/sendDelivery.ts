import { lookup as lookUp } from "node:dns";
import { once } from "node:events";
import { type IncomingMessage, request as requestPlain } from "node:http";
import { request as requestTls } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { Webhook } from "standardwebhooks";
import type { DeliveryError } from "../../api/enumerations.ts";
import { canConnect } from "./canConnect.ts";

/** Maximum duration of an attempt: DNS lookup, connection, headers and body (docs/spec.md#webhook-delivery). */
export const maxAttemptMs = 10_000;

/** Maximum number of bytes read from a response (docs/spec.md#webhook-delivery). */
const maxResponseBytes = 4_096;

export interface DeliveryRequest {
  url: string;
  /** The unsealed secrets that sign the request; never log them. */
  secrets: readonly string[];
  /** The event's id. */
  id: string;
  /** The event, as JSON text. */
  body: string;
  /** The time of the attempt. */
  at: Date;
}

/** The result of an attempt. It has only the status of the receiver's response. */
export interface DeliveryOutcome {
  /** null if no response arrived in time */
  statusCode: number | null;
  /** null if the receiver accepted the event */
  error: DeliveryError | null;
}

/** The host has no address, or has an address that deliveries must not connect to. */
class AddressError extends Error {
  override readonly name = "AddressError";
}

/** Overrides for tests. */
interface SendOverrides {
  /** Resolves a name to its addresses. */
  resolve: LookupFunction;
  mayConnect: typeof canConnect;
  /** Timeout in milliseconds. */
  within: number;
}

/**
 * Makes one attempt to deliver an event, signed as Standard Webhooks requires. Each attempt has a new connection, and uses no
 * redirects, proxies or cookies. The connection uses an address that was checked, because a second DNS lookup could return
 * another address.
 *
 * @returns the result; whatever the receiver does, the function does not throw
 */
export async function sendDelivery(
  { url, secrets, id, body, at }: DeliveryRequest,
  ways: Partial<SendOverrides> = {},
): Promise<DeliveryOutcome> {
  const { within = maxAttemptMs, mayConnect: mayConnectTo = canConnect, resolve = lookUp as LookupFunction } = ways;
  const target = new URL(url);
  const isGood = (address: string) => mayConnectTo(target, address);
  // If the host is an address, Node does not call `lookup`, so the address is checked here.
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
  // If the receiver upgrades the protocol, Node emits no other event, and the request would not end before its timeout.
  request.on("upgrade", (_answer, socket) => {
    socket.destroy();
    request.emit("error", new Error("the receiver tried to change the protocol"));
  });
  // The request may emit an error after the result is known. Without this listener, Node would end the process.
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
    // If the status has arrived, it decides the result, even if the body cannot be read.
    return { statusCode, error: statusCode === null ? errorOf(error, isConnected) : errorOfStatus(statusCode) };
  } finally {
    request.destroy();
  }
}

/** Resolves a name, and returns its addresses only if deliveries may connect to all of them. */
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

/** Error codes of network failures. */
const networkCode = /^E(?!PROTO)[A-Z]+$/;

/**
 * @param isConnected whether the connection and its TLS handshake were complete. Failures before this point are failures of the
 *   network, DNS or TLS
 */
function errorOf(error: unknown, isConnected: boolean): DeliveryError {
  if (error instanceof AddressError) return "address";
  return isConnected || networkCode.test((error as { code?: string }).code ?? "") ? "refused" : "tls";
}

function errorOfStatus(status: number): DeliveryError | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? "redirect" : "status";
}
