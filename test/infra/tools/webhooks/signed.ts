import { randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";

/** The secret of an endpoint, and that of another one. */
export const [secret, otherSecret] = [1, 2].map((byte) => `whsec_${Buffer.alloc(32, byte).toString("base64")}`) as [
  string,
  string,
];

/** The text of an event. */
export const eventText = (fields: object = {}): string =>
  JSON.stringify({
    id: randomUUID(),
    type: "crb.created",
    date: "2026-03-01T12:00:00.000Z",
    sp_id: randomUUID(),
    crb_id: null,
    data: {},
    ...fields,
  });

/**
 * The headers of a delivery.
 * @param by the secrets that sign it
 * @param at its time
 */
export function signedHeaders(body: string, by: readonly string[] = [secret], at = new Date()): Record<string, string> {
  const id = randomUUID();
  return {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
    "webhook-signature": by.map((one) => new Webhook(one).sign(id, at, body)).join(" "),
  };
}

/**
 * Delivers a text as the service does.
 * @returns the status of the response
 */
export async function deliver(url: string, body: string, headers = signedHeaders(body)): Promise<number> {
  const answer = await fetch(url, { method: "POST", body, headers });
  await answer.arrayBuffer();
  return answer.status;
}

/** Headers of deliveries that every receiver must reject, by their fault. */
export const badHeaders: readonly (readonly [string, (body: string) => Record<string, string>])[] = [
  ["none", () => ({})],
  ["another's signature", (body) => signedHeaders(body, [otherSecret])],
  ["the signature of another body", () => signedHeaders("{}")],
  ["an old signature", (body) => signedHeaders(body, [secret], new Date(Date.now() - 6 * 60_000))],
  ["a signature of the future", (body) => signedHeaders(body, [secret], new Date(Date.now() + 6 * 60_000))],
  [
    "another time than was signed",
    (body) => ({ ...signedHeaders(body), "webhook-timestamp": `${Date.now() / 1_000 - 9}` }),
  ],
  ["another id than was signed", (body) => ({ ...signedHeaders(body), "webhook-id": randomUUID() })],
  ["no signature", (body) => ({ ...signedHeaders(body), "webhook-signature": "v1" })],
  ["a signature of no form", (body) => ({ ...signedHeaders(body), "webhook-signature": "v1,x v2,y ,,, v1" })],
  ["a time that is none", (body) => ({ ...signedHeaders(body), "webhook-timestamp": "soon" })],
];
