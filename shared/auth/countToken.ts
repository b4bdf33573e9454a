import { ServiceError } from "../api/errors.ts";
import type { Item, Table } from "../store/client.ts";
import { tokenCountKey } from "../store/keys/credentials.ts";

/** Seconds that an access token is good for (docs/spec.md#credentials). */
export const tokenLifetimeSeconds = 3600;

/** Maximum of live access tokens of a credential. A client needs few: one serves all requests of an hour. */
const maxLiveTokens = 100;

/** Seconds that the count stays after its last token has ended; clocks differ by less. */
const countRetention = 86_400;

/** Epoch second by which every token of an epoch minute has ended. */
const endOf = (minute: number): number => minute * 60 + 59 + tokenLifetimeSeconds;

/** The minutes in which tokens were issued, and how many in each; attributes such as `m29012345`. */
const minutesOf = (count: Item | undefined) =>
  Object.entries(count ?? {})
    .filter(([name]) => /^m\d+$/.test(name))
    .map(([name, tokens]) => ({ name, tokens: tokens as number, end: endOf(Number(name.slice(1))) }));

/**
 * Counts a token that is about to be issued. Exact under concurrency: while the item exists, `issued` only grows, and no
 * process changes the minutes that have ended, so a condition on `issued` is one on the live tokens. `since` distinguishes an item
 * from its successor after its time to live. Tokens are counted by the minute: one may count up to 59 seconds longer than
 * it lives. A token that was counted but not issued, after a crash, counts as long as any other.
 *
 * @param issuedAt epoch seconds
 * @throws ServiceError "throttled" when there are as many as there may be, with the seconds until the first has ended
 */
export async function countToken(table: Table, clientId: string, issuedAt: number): Promise<void> {
  const key = tokenCountKey(clientId);
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
    message: `The credential has ${maxLiveTokens} live access tokens, the maximum: reuse one, or wait until one expires.`,
    retryAfter,
  });
