import { createHmac, hkdfSync } from "node:crypto";
import { loadKey } from "./loadKey.ts";

/** The service's secret key, from which the keys of single businesses derive. */
export const serviceKey = await loadKey("SERVICE_KEY", "service key");

/** HMAC-SHA-256 of a text under a key that derives from the service key for this purpose only (HKDF-SHA-256). */
export function keyedDigest(purpose: string, text: string): Buffer {
  const derived = Buffer.from(hkdfSync("sha256", serviceKey(), "", purpose, 32));
  return createHmac("sha256", derived).update(text).digest();
}
