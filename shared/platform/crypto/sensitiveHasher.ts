import { createHmac, createSecretKey, hkdfSync, type KeyObject } from "node:crypto";
import { foldCase } from "../../text/foldCase.ts";
import { serviceKey } from "./serviceKey.ts";

/** Hashes one sensitive value; null for a value that is absent or empty once normalized. */
type Hash = (value: string | null | undefined) => string | null;

/** What sensitive values are compared by, one function for each kind of value (docs/spec.md#customer-search). */
const normalizations = {
  /** first, middle and last names: composed (NFC), trimmed, without letter case */
  name: (value: string) => foldCase(trimmed(value)),
  /** e-mail addresses: composed (NFC), trimmed, without letter case */
  email: (value: string) => foldCase(trimmed(value)),
  /** telephone and cell phone numbers: their digits only */
  phone: (value: string) => value.replace(/\D/g, ""),
  /** medical, driver's license and other identity numbers: composed (NFC), trimmed */
  id: (value: string) => trimmed(value.normalize("NFC")),
};

/** Without the white space of Unicode around it: what `trim` takes off, and U+0085. */
function trimmed(value: string): string {
  const isWhite = (at: number) => value[at]?.trim() === "" || value[at] === "\u0085";
  let [start, end] = [0, value.length];
  while (isWhite(start)) start++;
  while (isWhite(end - 1)) end--;
  return value.slice(start, end);
}

/**
 * The hashes of one business, one for each kind of value, under keys of their own: so a name and an e-mail address of the
 * same text have different hashes (docs/spec.md#hashed-fields).
 */
export type SensitiveHasher = Record<keyof typeof normalizations, Hash>;

const cachedHashers = 500;
const hashers = new Map<string, SensitiveHasher>();

/**
 * The hasher of one business, for storing sensitive fields and for searching them alike:
 * `sensitiveHasher(crbId).phone("(555) 555-0100")`. Each result is 64 lower-case hexadecimal digits, HMAC-SHA-256 of the
 * normalized value under a key of this business and kind of value (docs/spec.md#hashed-fields), or null. Synchronous; the service key
 * is read at the first use in a process, and its Error passes through.
 */
export function sensitiveHasher(crbId: string): SensitiveHasher {
  const id = crbId.toLowerCase();
  let hasher = hashers.get(id);
  if (!hasher) {
    if (hashers.size >= cachedHashers) {
      hashers.clear();
    }
    hasher = createHasher(id);
    hashers.set(id, hasher);
  }
  return hasher;
}

function createHasher(crbId: string): SensitiveHasher {
  const hashing = ([kind, normalize]: [string, (value: string) => string]): [string, Hash] => {
    const key = keyOf(kind, crbId);
    return [
      kind,
      (value) => {
        const text = normalize(value ?? "");
        return text === "" ? null : createHmac("sha256", key).update(text).digest("hex");
      },
    ];
  };
  return Object.fromEntries(Object.entries(normalizations).map(hashing)) as SensitiveHasher;
}

/** HKDF-SHA-256 without salt; the info text keeps this key apart from all others made of the service key. */
function keyOf(kind: string, crbId: string): KeyObject {
  const info = `sensitive ${kind} of ${crbId}`;
  return createSecretKey(Buffer.from(hkdfSync("sha256", serviceKey(), "", info, 32)));
}
