import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { parse, stringify } from "uuid";
import { unauthorized } from "../api/errors.ts";

/**
 * The prefix of a secret: API key (`sk_`), access token (`at_`) or invitation token (`iv_`). After the prefix, a secret
 * has the 16 bytes of the client's or invitation's id as 22 base64url characters, and 43 random characters
 * (docs/spec.md#credentials). The id determines the key under which the digest is stored.
 */
export type SecretKind = "sk" | "at" | "iv";

const form = /^(sk|at|iv)_([A-Za-z0-9_-]{22})[A-Za-z0-9_-]{43}$/;

/** A received secret after parsing. It is not proved yet. */
export interface PresentedSecret {
  kind: SecretKind;
  /** For an invitation token, the id of the invitation. */
  clientId: string;
  /** SHA-256 of the whole text, hexadecimal. Only the digest is stored and compared. */
  digest: string;
}

export const digestOf = (secret: string): string => createHash("sha256").update(secret).digest("hex");

/** Creates a secret of a client or an invitation. It is shown once and never stored. */
export const createSecret = (kind: SecretKind, clientId: string): string =>
  `${kind}_${Buffer.from(parse(clientId)).toString("base64url")}${randomBytes(32).toString("base64url")}`;

/** Parses a secret; undefined if the text does not have the form of a secret. */
export function parseSecret(text: string): PresentedSecret | undefined {
  const match = form.exec(text);
  if (!match) return undefined;
  try {
    const clientId = stringify(Buffer.from(match[2] as string, "base64url"));
    return { kind: match[1] as SecretKind, clientId, digest: digestOf(text) };
  } catch {
    // The 16 bytes are not a UUID, so they cannot be an id.
    return undefined;
  }
}

/**
 * Only ASCII blanks are allowed in the header. With Unicode blanks, one credential could be written in many ways, and
 * the limits in front of the service would count each way separately.
 */
const ascii = /^[\t\x20-\x7e]*$/;

/**
 * The secret in an `Authorization` header. The header holds only the secret, or `Bearer ` in any letter case and the
 * secret.
 *
 * @throws ServiceError "unauthorized" if the header is absent or has another form
 */
export function secretInHeader(authorization: string | undefined): PresentedSecret {
  const text = authorization !== undefined && ascii.test(authorization) ? authorization : "";
  const secret = parseSecret(
    text
      .trim()
      .replace(/^bearer /i, "")
      .trim(),
  );
  if (!secret) throw unauthorized();
  return secret;
}

/** Compares two digests in constant time. */
export const sameDigest = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(one, "hex"), Buffer.from(other, "hex"));
