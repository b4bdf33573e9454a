import { createHmac, createSecretKey, hkdfSync, type KeyObject } from "node:crypto";
import { plainCode } from "../../cells/cellText.ts";
import { foldCase } from "../../text/foldCase.ts";
import { withoutFormatCharacters } from "../../text/formatCharacters.ts";
import { serviceKey } from "./serviceKey.ts";

/** Hashes one sensitive value; returns null if the value is absent, or empty after its normalization. */
type Hash = (value: string | null | undefined) => string | null;

/** The normalization of each kind of value before it is hashed (docs/spec.md#customer-search). */
const normalizations = {
  /** first, middle and last names: visible characters, composed (NFC), trimmed, case-folded */
  name: (value: string) => foldCase(visible(value)),
  /** e-mail addresses: visible characters, composed (NFC), trimmed, case-folded */
  email: (value: string) => foldCase(visible(value)),
  /** telephone and cell phone numbers: digits only, without an extension and without the 1 of North America */
  phone: (value: string) => {
    const [number = ""] = withoutFraction(visible(value.normalize("NFKC"))).split(extension);
    return number.replace(/\D/g, "").replace(/^1(?=[2-9]\d\d[2-9]\d{6}$)/, "");
  },
  /** medical, driver's license and other identity numbers: visible characters, composed (NFC), trimmed, `12.0` is `12` */
  id: (value: string) => withoutFraction(visible(value)).normalize("NFC"),
};

/** The beginning of an extension, behind the seven digits or more of a telephone number. */
const extension = /(?<=(?:\d[^\da-z]*){7})(?:ext|x|#)/i;

const withoutFraction = (value: string) => plainCode(value) ?? value;

/** Removes format characters, and puts single blanks between words, so that values that look the same are the same. */
function visible(value: string): string {
  return trimmed(withoutFormatCharacters(value)).replaceAll(/[\s\u0085]+/g, " ");
}

/** Removes white space around a text: the characters that `trim` removes, and U+0085. */
function trimmed(value: string): string {
  const isWhite = (at: number) => value[at]?.trim() === "" || value[at] === "\u0085";
  let [start, end] = [0, value.length];
  while (isWhite(start)) start++;
  while (isWhite(end - 1)) end--;
  return value.slice(start, end);
}

/**
 * The hash functions of one business. Each kind of value has its own key, so a name and an e-mail address with the same
 * text have different hashes (docs/spec.md#hashed-fields).
 */
export type SensitiveHasher = Record<keyof typeof normalizations, Hash>;

const cachedHashers = 500;
const hashers = new Map<string, SensitiveHasher>();

/**
 * The hasher of one business, for storing and searching sensitive fields: `sensitiveHasher(crbId).phone("(555)
 * 555-0100")`. A hash is 64 lower-case hexadecimal digits, or null: the HMAC-SHA-256 of the normalized value, under a
 * key for this business and kind of value (docs/spec.md#hashed-fields). The functions are synchronous. The first use in
 * a process reads the service key; if the key cannot be read, the function throws the Error of `loadKey`.
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

/**
 * HKDF-SHA-256 without salt. The `info` text makes this key different from all other keys that derive from the service
 * key.
 */
function keyOf(kind: string, crbId: string): KeyObject {
  const info = `sensitive ${kind} of ${crbId}`;
  return createSecretKey(Buffer.from(hkdfSync("sha256", serviceKey(), "", info, 32)));
}
