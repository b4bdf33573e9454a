import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { parse, stringify } from "uuid";
import { unauthorized } from "../api/errors.ts";

/**
 * The text form of API keys (`sk_`), access tokens (`at_`) and invitation tokens (`iv_`), docs/spec.md#credentials: the prefix, the
 * client id's (or the invitation's) 16 bytes as 22 base64url characters, and 43 random ones. The id inside makes the key of
 * the stored digest known beforehand.
 */
export type SecretKind = "sk" | "at" | "iv";

const form = /^(sk|at|iv)_([A-Za-z0-9_-]{22})[A-Za-z0-9_-]{43}$/;

/** What a received secret says of itself; nothing of it is proved yet. */
export interface PresentedSecret {
  kind: SecretKind;
  /** Of an invitation token the invitation's id. */
  clientId: string;
  /** SHA-256 of the whole text, hexadecimal: all that is ever stored or compared. */
  digest: string;
}

export const digestOf = (secret: string): string => createHash("sha256").update(secret).digest("hex");

/** A new secret of a client, or of an invitation; shown once, never stored. */
export const createSecret = (kind: SecretKind, clientId: string): string =>
  `${kind}_${Buffer.from(parse(clientId)).toString("base64url")}${randomBytes(32).toString("base64url")}`;

/** Takes a secret's text apart; undefined when it cannot be one of ours. */
export function parseSecret(text: string): PresentedSecret | undefined {
  const match = form.exec(text);
  if (!match) return undefined;
  try {
    const clientId = stringify(Buffer.from(match[2] as string, "base64url"));
    return { kind: match[1] as SecretKind, clientId, digest: digestOf(text) };
  } catch {
    // 16 bytes that are no uuid: nobody's client id
    return undefined;
  }
}

/** Blanks of Unicode would write one credential in many ways, of which each had a limit of its own in front of the service. */
const ascii = /^[\t\x20-\x7e]*$/;

/**
 * The secret in an `Authorization` header: its only value, after an optional `Bearer ` in any letter case.
 *
 * @throws ServiceError "unauthorized" when there is none, or none of our form
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
