import { createHmac } from "node:crypto";
import { loadKey } from "../../platform/crypto/loadKey.ts";

// Not the service key: anyone may call the function that computes these digests. With the service key, an attacker who
// takes it over could compute every hash of a customer.
const addressKey = await loadKey("ADDRESS_KEY", "address key");

/** HMAC-SHA-256 of an e-mail address, to compare addresses without storing them; letter case does not matter. */
export const addressDigest = (email: string): string =>
  createHmac("sha256", addressKey()).update(email.trim().toLowerCase()).digest("base64url");
