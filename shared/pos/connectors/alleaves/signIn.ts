import type { Clock } from "../../../time/clock.ts";
import { PosError } from "../../connector.ts";
import type { SignInCall } from "../../framework/bearerSession.ts";
import type { PosCall, PosClient } from "../../framework/posClient.ts";
import { posPath } from "../../framework/posPath.ts";
import { createToken } from "../../framework/tokenCache.ts";
import { toPosError } from "../../framework/toPosError.ts";
import { claims, signInResponse } from "./responses.ts";

/** Lifetime of a token that does not state its expiry. */
const usualSeconds = 60 * 60;
/** Minimum lifetime of a token. Without a minimum, a wrong clock could cause a sign-in for every call. */
const leastSeconds = 120;

interface User {
  username: string;
  password: string;
}

/**
 * Exchanges a user's name and password for a token. Known clients of Alleaves send name and password either as JSON or
 * by HTTP Basic. `signIn` sends JSON first. If the response has no token, it uses HTTP Basic.
 *
 * @throws PosError "credentialsRefused" if Alleaves rejects both requests
 */
export async function signIn(
  { client, clock }: { client: PosClient; clock: Clock },
  { username, password }: User,
  options: SignInCall,
) {
  const basic = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
  const ways: Pick<PosCall, "headers" | "json" | "form" | "attempts">[] = [
    { headers: {}, json: { username, password } },
    // HTTP Basic cannot send a name with a colon, because the first colon ends the name. This request gets only one
    // attempt, because a user may wait for the result.
    ...(username.includes(":") ? [] : [{ headers: { authorization: basic }, form: {}, attempts: 1 }]),
  ];
  let refused: PosError | undefined;
  let failure = new PosError("notUnderstood", { code: "token" });
  for (const way of ways) {
    const answer = await client.call({ path: posPath`/auth`, ...options, ...way }).catch((error) => {
      // Alleaves may not support HTTP Basic and then respond with a server error. The earlier rejection of the JSON request
      // (401) is the more exact failure.
      if (refused?.code === "401" && error instanceof PosError && /^5\d\d$/.test(error.code ?? "")) throw refused;
      throw error;
    });
    const isGood = answer.status < 300;
    const { token } = (isGood && signInResponse.safeParse(answer.body).data) || {};
    if (token) return createToken(token, secondsOf(token, answer.date ?? clock.now()));
    if (!isGood) failure = toPosError(answer);
    if (failure.failure === "unreachable") throw failure;
    const isRefused = failure.failure === "credentialsRefused" || failure.failure === "notPermitted";
    if (isRefused) refused ??= new PosError("credentialsRefused", { code: String(answer.status) });
  }
  throw refused ?? failure;
}

/** A token's lifetime in seconds, from the expiry in its claims. */
function secondsOf(token: string, now: Date): number {
  const end = endOf(token);
  return end === undefined ? usualSeconds : Math.max(leastSeconds, end - now.getTime() / 1000);
}

function endOf(token: string): number | undefined {
  try {
    return claims.safeParse(JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString())).data?.exp;
  } catch {
    return undefined;
  }
}
