import { ServiceError } from "../api/errors.ts";
import type { Item, Table } from "../store/client.ts";
import { tokenCountKey } from "../store/keys/credentials.ts";

/** Validity of an access token in seconds (docs/spec.md#credentials). */
export const tokenLifetimeSeconds = 3600;

/**
 * Maximum number of live access tokens per credential of a program, and per person. A client needs few tokens, because one token serves all its
 * requests for an hour.
 */
const maxLiveTokens = 100;

/**
 * Seconds for which the item with the count is kept after the last counted token has expired. This time is longer than
 * any difference between clocks.
 */
const countRetention = 86_400;

/** The epoch second at which all tokens that were issued in a minute have expired. */
const endOf = (minute: number): number => minute * 60 + 59 + tokenLifetimeSeconds;

/**
 * The number of tokens issued in each minute. An attribute such as `m29012345` holds the number of one minute; the
 * digits are the epoch minute.
 */
const minutesOf = (count: Item | undefined) =>
  Object.entries(count ?? {})
    .filter(([name]) => /^m\d+$/.test(name))
    .map(([name, tokens]) => ({ name, tokens: tokens as number, end: endOf(Number(name.slice(1))) }));

/**
 * Counts a token before it is issued. The count is exact under concurrency. `issued` only grows while the item exists,
 * and no process adds tokens to past minutes. So an upper limit for `issued` (its value at the read plus the free
 * places) also limits the number of live tokens. If the item is deleted after its time to live, `since` distinguishes
 * it from the next item with the same key. Tokens are counted by the minute, so a token may count up to 59 seconds
 * longer than it is valid. If a crash prevents the issue of a counted token, the token still counts.
 *
 * @param issuedAt epoch seconds
 * @param sub the person whose tokens are counted; undefined for a program, whose tokens are counted by credential
 * @throws ServiceError "throttled" at the maximum, with the seconds until the first token expires
 */
export async function countToken(table: Table, clientId: string, issuedAt: number, sub?: string): Promise<void> {
  const key = tokenCountKey(clientId, sub);
  const minute = Math.floor(issuedAt / 60);
  let count = await table.get(key, { consistent: true });
  for (;;) {
    const minutes = minutesOf(count);
    const ended = minutes.filter(({ end }) => end <= issuedAt);
    const live = minutes.filter(({ end }) => end > issuedAt);
    const places = maxLiveTokens - live.reduce((sum, { tokens }) => sum + tokens, 0);
    if (places <= 0) throw tooMany(Math.min(...live.map(({ end }) => end)) - issuedAt);
    const { done, item } = await table.change(
      key,
      {
        expression:
          "SET since = if_not_exists(since, :since), expires = :expires ADD issued :one, #minute :one" +
          (ended.length > 0 ? ` REMOVE ${ended.map(({ name }) => name)}` : ""),
        names: { "#minute": `m${minute}` },
        values: {
          ":one": 1,
          ":since": (count?.since as number | undefined) ?? issuedAt,
          ":max": ((count?.issued as number | undefined) ?? 0) + places,
          ":expires": endOf(minute) + countRetention,
        },
      },
      "attribute_not_exists(issued) OR (since = :since AND issued < :max)",
    );
    if (done) return;
    count = item;
  }
}

const tooMany = (retryAfter: number) =>
  new ServiceError("throttled", {
    code: "token_limit",
    message: `The caller has ${maxLiveTokens} valid access tokens, the maximum: reuse one, or wait until one expires.`,
    retryAfter,
  });
