import type { IncomingMessage } from "node:http";
import { Webhook, WebhookVerificationError } from "standardwebhooks";
import * as z from "zod";
import { readBody } from "../server.ts";

/** A webhook that came, as far as it is shown. */
export interface Received {
  /** When it came, ISO 8601. */
  at: string;
  /** The event's id, by which one that comes again is known. */
  id: string;
  type: string;
  /** When the event was stored. */
  date: string;
  crbId: string | null;
  /** Cut where it is longer than any event. */
  body: string;
  /** Why its signature is not good; null where it is. */
  fault: string | null;
}

/** Characters of a body that are kept. */
const longest = 16_384;

const event = z.object({ type: z.string(), date: z.string(), crb_id: z.string().nullable() });

/**
 * Reads a webhook and checks its signature (Standard Webhooks), as any receiver should.
 *
 * @param secret of the endpoint, `whsec_…`
 * @throws ServiceError "tooLarge" for what no event is
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
    // It throws other errors where a header is no list of signatures.
    return error instanceof WebhookVerificationError ? error.message : "No signature found";
  }
}
