import { createHmac } from "node:crypto";
import { loadKey } from "../../platform/crypto/loadKey.ts";

// A key of its own: anyone may call the function that computes these digests. With the service key, an attacker who takes the
// function over could compute every hash of a customer.
const addressKey = await loadKey("ADDRESS_KEY", "address key");

/** HMAC-SHA-256 of an e-mail address, to compare addresses without storing them. Ignores letter case. */
export const addressDigest = (email: string): string =>
  createHmac("sha256", addressKey()).update(email.trim().toLowerCase()).digest("base64url");
