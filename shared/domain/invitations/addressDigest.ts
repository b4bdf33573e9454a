import { createHmac } from "node:crypto";
import { loadKey } from "../../platform/crypto/loadKey.ts";

// Addresses have a separate key, because the function that computes these digests needs no credential. If this function
// had the service key, an attacker who takes it over could compute the hashes of all customers.
const addressKey = await loadKey("ADDRESS_KEY", "address key");

/** HMAC-SHA-256 of an e-mail address, to compare addresses without storing them. Ignores letter case. */
export const addressDigest = (email: string): string =>
  createHmac("sha256", addressKey()).update(email.trim().toLowerCase()).digest("base64url");
