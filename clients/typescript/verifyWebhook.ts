import { Webhook, WebhookVerificationError } from "standardwebhooks";
import { isObject } from "./apiError.ts";
import type { components } from "./openApi.ts";

export { WebhookVerificationError };

/** The headers of a request, of Node's `http` or of `fetch`. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Verifies a webhook request, and returns its event. Verify before you use the content: anyone can send requests to your
 * address. A type that this version does not know may come.
 * @param secret the endpoint's `secret`, `whsec_…`
 * @param body the bytes as received
 * @throws WebhookVerificationError if the signature is missing or wrong, or older than five minutes
 */
export function verifyWebhook(
  secret: string,
  headers: WebhookHeaders,
  body: string | Uint8Array,
): components["schemas"]["Event"] {
  const entries: Iterable<[string, unknown]> = headers instanceof Headers ? headers : Object.entries(headers);
  const single = Object.fromEntries(Array.from(entries, ([name, value]) => [name, String(value ?? "")]));
  const event = new Webhook(secret).verify(typeof body === "string" ? body : Buffer.from(body), single);
  if (!isObject(event)) throw new WebhookVerificationError("The body is not an event");
  return event as components["schemas"]["Event"];
}
