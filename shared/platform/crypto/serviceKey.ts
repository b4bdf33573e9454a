import { createHmac, hkdfSync } from "node:crypto";
import { loadKey } from "./loadKey.ts";

/** The service's own secret key, from which the keys of single businesses are derived. */
export const serviceKey = await loadKey("SERVICE_KEY", "service key");

/** HMAC-SHA-256 of a text under a key that is derived from the service key for this purpose alone (HKDF-SHA-256). */
export function keyedDigest(purpose: string, text: string): Buffer {
  const derived = Buffer.from(hkdfSync("sha256", serviceKey(), "", purpose, 32));
  return createHmac("sha256", derived).update(text).digest();
}
