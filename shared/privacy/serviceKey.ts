import { createSecretKey, type KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";

let key: KeyObject | undefined;

/**
 * The service's own secret key of 32 bytes, from which the keys of single businesses are derived (contract 9.6).
 * It stands as 64 hexadecimal digits in the file that SERVICE_KEY_FILE names, and is read once per process.
 * Throws an Error that names the variable or the file (never what is in it) when there is no usable key.
 */
export function serviceKey(): KeyObject {
  key ??= createSecretKey(readKeyFile(), "hex");
  return key;
}

function readKeyFile(): string {
  const file = process.env.SERVICE_KEY_FILE;
  if (!file) {
    throw new Error("SERVICE_KEY_FILE is not set: it must name the file that holds the service key");
  }
  let text: string;
  try {
    text = readFileSync(file, "utf8").trim();
  } catch (cause) {
    throw new Error(`The service key file ${file} cannot be read`, { cause });
  }
  if (!/^[0-9a-fA-F]{64}$/.test(text)) {
    throw new Error(`The service key file ${file} must hold 64 hexadecimal digits (32 bytes)`);
  }
  return text;
}
