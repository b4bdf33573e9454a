import { createHmac, createSecretKey, hkdfSync, type KeyObject } from "node:crypto";
import { checkKey, readKeyFile } from "./keyFile.ts";
import { readSecret } from "./secret.ts";

// On AWS read while the function is being loaded, with the processor it has for that alone, so that all that depends on
// it can be done without waiting.
const secret = process.env.SERVICE_KEY_FILE ? undefined : await readSecret("SERVICE_KEY_SECRET");

let key: KeyObject | undefined;

/**
 * The service's own secret key of 32 bytes, from which the keys of single businesses are derived (contract 9.6).
 * It stands as 64 hexadecimal digits in the file that SERVICE_KEY_FILE names, or in the secret of Secrets Manager that
 * SERVICE_KEY_SECRET names, and is read once per process.
 * Throws an Error that names the variable, the file or the secret (never what is in it) when there is no usable key.
 */
export function serviceKey(): KeyObject {
  key ??= createSecretKey(
    secret === undefined
      ? readKeyFile("SERVICE_KEY_FILE", "service key")
      : checkKey(secret, `The secret ${process.env.SERVICE_KEY_SECRET}`),
    "hex",
  );
  return key;
}

/** HMAC-SHA-256 of a text under a key that is made of the service key for this purpose alone (HKDF-SHA-256). */
export function keyedDigest(purpose: string, text: string): Buffer {
  const derived = Buffer.from(hkdfSync("sha256", serviceKey(), "", purpose, 32));
  return createHmac("sha256", derived).update(text).digest();
}
