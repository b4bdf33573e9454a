import { ServiceError } from "../api/errors.ts";
import type { Item, Table } from "../table/client.ts";
import { tokenCountKey } from "../table/keys.ts";

/** Seconds that an access token is good for (contract 2.1). */
export const tokenLifetime = 3600;

/** How many live access tokens a credential may have (contract 12). */
const mostLive = 1_000;

/** Epoch second by which every token of an epoch minute has ended. */
const endOf = (minute: number): number => minute * 60 + 59 + tokenLifetime;

/** The minutes in which tokens were issued, and how many in each; attributes such as `m29012345`. */
const minutesOf = (count: Item | undefined) =>
  Object.entries(count ?? {})
    .filter(([name]) => /^m\d+$/.test(name))
    .map(([name, tokens]) => ({ name, tokens: tokens as number, end: endOf(Number(name.slice(1))) }));

/**
 * Counts a token that is about to be issued. Exact however many are issued at once: `issued` never goes down, and how many
 * of these have ended by now follows from what was counted an hour ago, which nobody changes any more; so the condition
 * on `issued` is one on the tokens that are live. Tokens are told apart by the minute: one may be counted up to 59
 * seconds longer than it is good. A token that is counted and then not issued, after a crash, counts as long as any.
 *
 * @param issuedAt epoch seconds
 * @throws ServiceError "throttled" when there are as many as there may be, with the seconds until the first has ended
 */
export async function countToken(table: Table, clientId: string, issuedAt: number): Promise<void> {
  const key = tokenCountKey(clientId);
  let count = await table.get(key, { consistent: true });
  for (;;) {
    const minutes = minutesOf(count);
    const ended = minutes.filter(({ end }) => end <= issuedAt);
    const live = minutes.filter(({ end }) => end > issuedAt);
    const places = mostLive - live.reduce((sum, { tokens }) => sum + tokens, 0);
    if (places <= 0) throw tooMany(Math.min(...live.map(({ end }) => end)) - issuedAt);
    const { done, item } = await table.change(
      key,
      {
        expression: `ADD issued :one, #minute :one${ended.length ? ` REMOVE ${ended.map(({ name }) => name)}` : ""}`,
        names: { "#minute": `m${Math.floor(issuedAt / 60)}` },
        values: { ":one": 1, ":most": ((count?.issued as number | undefined) ?? 0) + places },
      },
      "attribute_not_exists(issued) OR issued < :most",
    );
    if (done) return;
    count = item;
  }
}

const tooMany = (retryAfter: number) =>
  new ServiceError("throttled", {
    message: `The credential has ${mostLive} live access tokens; no more are allowed.`,
    retryAfter,
  });
