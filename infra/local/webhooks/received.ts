import type { IncomingMessage } from "node:http";
import { Webhook, WebhookVerificationError } from "standardwebhooks";
import * as z from "zod";
import { readBody } from "../server.ts";

/** A received webhook, as the page shows it. */
export interface Received {
  /** Time of receipt, ISO 8601. */
  at: string;
  /** The event's id. A repeated delivery has the same id. */
  id: string;
  type: string;
  /** Time at which the event was stored. */
  date: string;
  crbId: string | null;
  /** Truncated to a maximum that no event exceeds. */
  body: string;
  /** Why the signature is invalid; null if it is valid. */
  fault: string | null;
}

/** Characters of a body that the receiver keeps. */
const longest = 16_384;

const event = z.object({ type: z.string(), date: z.string(), crb_id: z.string().nullable() });

/**
 * Reads a webhook and checks its signature (Standard Webhooks), as every receiver should.
 *
 * @param secret of the endpoint, `whsec_…`
 * @throws ServiceError "tooLarge" if the body is larger than any event
 */
export async function receive(request: IncomingMessage, secret: string): Promise<Received> {
  const body = (await readBody(request)).toString();
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const { type, date, crb_id } = eventIn(body) ?? { type: "no event", date: "of no date", crb_id: null };
  return {
    at: new Date().toISOString(),
    id: headers["webhook-id"]?.slice(0, 100) ?? "nothing",
    ...{ type, date, crbId: crb_id, body: body.slice(0, longest) },
    fault: faultOf(body, headers, secret),
  };
}

function eventIn(body: string): z.output<typeof event> | undefined {
  try {
    return event.parse(JSON.parse(body));
  } catch {
    return undefined;
  }
}

function faultOf(body: string, headers: Record<string, string>, secret: string): string | null {
  try {
    new Webhook(secret).verify(body, headers, { jsonParse: false });
    return null;
  } catch (error) {
    // The library throws other errors if a header is not a list of signatures.
    return error instanceof WebhookVerificationError ? error.message : "No signature found";
  }
}
