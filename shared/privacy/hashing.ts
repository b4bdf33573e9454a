import { createHmac, createSecretKey, hkdfSync, type KeyObject } from "node:crypto";
import { serviceKey } from "./serviceKey.ts";

/** Hashes one sensitive value; null for a value that is absent or empty once normalised. */
type Hash = (value: string | null | undefined) => string | null;

/** The hashes of one business, one per kind of value, since each kind is normalised in its own way (contract 4.3). */
export interface SensitiveHasher {
  /** first, middle and last names: trimmed, without letter case */
  name: Hash;
  /** e-mail addresses: trimmed, without letter case */
  email: Hash;
  /** telephone and cell phone numbers: their digits only */
  phone: Hash;
  /** medical, driver's licence and other identity numbers: trimmed */
  id: Hash;
}

const cachedHashers = 500;
const hashers = new Map<string, SensitiveHasher>();

/**
 * The hasher of one business, for storing sensitive fields and for searching them alike:
 * `sensitiveHasher(crbId).phone("(555) 555-0100")`. Each result is 64 lower-case hexadecimal digits, HMAC-SHA-256 of the
 * normalised value under a key of this business (contract 9.6), or null. Synchronous; the service key is read at the
 * first use in a process, and its Error passes through.
 */
export function sensitiveHasher(crbId: string): SensitiveHasher {
  const id = crbId.toLowerCase();
  let hasher = hashers.get(id);
  if (!hasher) {
    if (hashers.size >= cachedHashers) {
      hashers.clear();
    }
    hasher = createHasher(businessKey(id));
    hashers.set(id, hasher);
  }
  return hasher;
}

/** HKDF-SHA-256 without salt; the info text keeps this key apart from all others made of the service key. */
function businessKey(crbId: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync("sha256", serviceKey(), "", `sensitive fields of ${crbId}`, 32)));
}

function createHasher(key: KeyObject): SensitiveHasher {
  const hashing =
    (normalise: (value: string) => string): Hash =>
    (value) => {
      const text = normalise(value ?? "");
      return text === "" ? null : createHmac("sha256", key).update(text).digest("hex");
    };
  const withoutLetterCase = hashing((value) => value.trim().toLowerCase());
  return {
    name: withoutLetterCase,
    email: withoutLetterCase,
    phone: hashing((value) => value.replace(/\D/g, "")),
    id: hashing((value) => value.trim()),
  };
}
