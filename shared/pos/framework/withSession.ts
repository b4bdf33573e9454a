import { PosError } from "../connector.ts";
import type { AsyncCache } from "./asyncCache.ts";

/** How to sign in and cache the result. */
export interface SignIn<Given> {
  cache: AsyncCache<Given>;
  /** cache key of the credentials; not secret */
  key: string;
  /** signs in. A failed sign-in is not retried, because a POS locks users out after several failures */
  signIn(): Promise<Given>;
  /** whether a failure means that the session is no longer valid; by default `credentialsRefused` */
  isSessionRejected?(error: PosError): boolean;
}

/**
 * Sends a request with a session or token. If the POS rejects the session or token, signs in again and repeats the
 * request once.
 *
 * @throws the error of the sign-in or of the second request; the error of the first request if it does not reject the
 * session
 */
export async function withSession<Given, Result>(
  { cache, key, signIn, isSessionRejected = ({ failure }) => failure === "credentialsRefused" }: SignIn<Given>,
  ask: (given: Given) => Promise<Result>,
): Promise<Result> {
  for (let isSecond = false; ; isSecond = true) {
    const given = await cache.get(key, signIn);
    try {
      return await ask(given);
    } catch (error) {
      if (isSecond || !(error instanceof PosError && isSessionRejected(error))) throw error;
      cache.forget(key);
    }
  }
}
