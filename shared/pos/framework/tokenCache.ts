import { AsyncCache } from "./asyncCache.ts";

/** What a POS gives in exchange for credentials, which lets requests in for a while. */
interface Token {
  text: string;
  /** milliseconds that it may be used */
  lifetime: number;
}

/** A token is exchanged so long before its end. */
const reserveSeconds = 300;

/** Tokens of all connections, by what tells their credentials apart, in this process. */
export const createTokenCache = () => new AsyncCache<Token>(500, ({ lifetime }) => lifetime);
export type TokenCache = ReturnType<typeof createTokenCache>;

/** A token that the POS takes for so many seconds: it is used until five minutes before that, or half of a short time. */
export function createToken(text: string, seconds: number): Token {
  return { text, lifetime: Math.max(seconds - reserveSeconds, seconds / 2) * 1000 };
}
