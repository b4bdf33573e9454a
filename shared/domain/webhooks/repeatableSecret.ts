import { keyedDigest } from "../../platform/crypto/serviceKey.ts";

/**
 * The secret of a creation that may be repeated. A repetition computes it again, so that neither the secret nor a permission
 * to decrypt secrets has to be kept for it.
 *
 * @param nonce random, at least 16 bytes; stored until the repetition is no longer possible
 */
export const repeatableSecret = (endpointId: string, nonce: string): string =>
  `whsec_${keyedDigest("secret of a webhook endpoint", `${endpointId} ${nonce}`).toString("base64")}`;
