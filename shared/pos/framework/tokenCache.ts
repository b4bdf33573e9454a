import { AsyncCache } from "./asyncCache.ts";

/** A token that a POS issues in exchange for credentials. */
interface Token {
  text: string;
  /** in milliseconds */
  lifetime: number;
}

/** A token is replaced this number of seconds before it expires. */
const reserveSeconds = 300;

/** Tokens of all connections in this process, by a fingerprint of the credentials. */
export const createTokenCache = () => new AsyncCache<Token>(500, ({ lifetime }) => lifetime);
export type TokenCache = ReturnType<typeof createTokenCache>;

/** Creates a token that expires after `seconds`. It is replaced five minutes earlier, or after half of a short life. */
export function createToken(text: string, seconds: number): Token {
  return { text, lifetime: Math.max(seconds - reserveSeconds, seconds / 2) * 1000 };
}
