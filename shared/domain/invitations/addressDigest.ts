import { createHmac } from "node:crypto";
import { loadKey } from "../../platform/crypto/loadKey.ts";

// Address digests have a separate key, because a Lambda function that callers reach without a credential computes them.
// If this function had the service key, an attacker who controls the function could compute the hashes of all
// customers.
const addressKey = await loadKey("ADDRESS_KEY", "address key");

/** HMAC-SHA-256 of an e-mail address, to compare addresses without storing them. Ignores letter case. */
export const addressDigest = (email: string): string =>
  createHmac("sha256", addressKey()).update(email.trim().toLowerCase()).digest("base64url");
