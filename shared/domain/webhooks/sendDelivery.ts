import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { Webhook } from "standardwebhooks";
import type { DeliveryError } from "../../api/enumerations.ts";
import { AddressError, type GuardOverrides, guardedRequest } from "../../platform/http/guardedRequest.ts";

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

/** Overrides for tests. */
interface SendOverrides extends GuardOverrides {
  /** Timeout in milliseconds. */
  within: number;
}

/**
 * Makes one attempt to deliver an event, signed as Standard Webhooks requires. Each attempt has a new connection, and uses no
 * redirects, proxies or cookies (`guardedRequest`).
 *
 * @returns the result; whatever the receiver does, the function does not throw
 */
export async function sendDelivery(
  { url, secrets, id, body, at }: DeliveryRequest,
  ways: Partial<SendOverrides> = {},
): Promise<DeliveryOutcome> {
  const { within = maxAttemptMs, ...overrides } = ways;
  const target = new URL(url);
  let statusCode: number | null = null;
  const inTime = AbortSignal.timeout(within);
  const headers = {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
    "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(" "),
  };
  const request = guardedRequest(target, { method: "POST", signal: inTime, headers }, overrides);
  if (!request) return { statusCode: null, error: "address" };
  let isConnected = false;
  request.on("socket", (socket) =>
    socket.once(target.protocol === "https:" ? "secureConnect" : "connect", () => {
      isConnected = true;
    }),
  );
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
    // If the status has arrived, it decides the result, even if the body breaks off or does not end in time.
    if (statusCode !== null) return { statusCode, error: errorOfStatus(statusCode) };
    return { statusCode, error: inTime.aborted ? "timeout" : errorOf(error, isConnected) };
  } finally {
    request.destroy();
  }
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
