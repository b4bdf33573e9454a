import { PosError } from "../connector.ts";
import type { AsyncCache } from "./asyncCache.ts";

/** How to sign in and cache the result. */
export interface SignIn<Given> {
  cache: AsyncCache<Given>;
  /** cache key of the credentials; not secret */
  key: string;
  /** is not retried: a POS locks out users with too many failed sign-ins */
  signIn(): Promise<Given>;
  /** whether a failure means that the session is no longer valid; by default `credentialsRefused` */
  isSessionRejected?(error: PosError): boolean;
}

/**
 * Sends a request with a session or token. If the POS rejects it, signs in again and repeats the request once.
 *
 * @throws the error of the sign-in, of the second request, or of the first one if it has another reason
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
