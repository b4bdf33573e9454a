import { createHmac, createSecretKey, hkdfSync, type KeyObject } from "node:crypto";
import { readKeyFile } from "./keyFile.ts";

let key: KeyObject | undefined;

/**
 * The service's own secret key of 32 bytes, from which the keys of single businesses are derived (contract 9.6).
 * It stands as 64 hexadecimal digits in the file that SERVICE_KEY_FILE names, and is read once per process.
 * Throws an Error that names the variable or the file (never what is in it) when there is no usable key.
 */
export function serviceKey(): KeyObject {
  key ??= createSecretKey(readKeyFile("SERVICE_KEY_FILE", "service key"), "hex");
  return key;
}

/** HMAC-SHA-256 of a text under a key that is made of the service key for this purpose alone (HKDF-SHA-256). */
export function keyedDigest(purpose: string, text: string): Buffer {
  const derived = Buffer.from(hkdfSync("sha256", serviceKey(), "", purpose, 32));
  return createHmac("sha256", derived).update(text).digest();
}
