import { createHmac, hkdfSync } from "node:crypto";
import { loadKey } from "./loadKey.ts";

/** The service's secret key. The key of each business is derived from it. */
export const serviceKey = await loadKey("SERVICE_KEY", "service key");

/** HMAC-SHA-256 of a text. Each purpose has its own key, derived from the service key with HKDF-SHA-256. */
export function keyedDigest(purpose: string, text: string): Buffer {
  const derived = Buffer.from(hkdfSync("sha256", serviceKey(), "", purpose, 32));
  return createHmac("sha256", derived).update(text).digest();
}
