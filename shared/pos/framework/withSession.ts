import { PosError } from "../connector.ts";
import type { AsyncCache } from "./asyncCache.ts";

/** How what a sign-in gives is kept, and had. */
export interface SignIn<Given> {
  cache: AsyncCache<Given>;
  /** what tells these credentials apart there; nothing secret */
  key: string;
  /** is not tried twice: who signs in wrongly too often is locked out */
  signIn(): Promise<Given>;
  /** whether a failure means that what was given does not let in any more; unless given, that the credentials are refused */
  isSessionRejected?(error: PosError): boolean;
}

/**
 * Asks a POS with what a sign-in gave, such as a token or a session. Where that is refused it is forgotten, and asked once
 * more with what another sign-in gives.
 *
 * @throws what the sign-in throws; what the question throws the second time, or the first time for any other reason
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
