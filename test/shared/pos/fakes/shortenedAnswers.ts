import { AsyncLocalStorage } from "node:async_hooks";
import type { FakeAnswer, FakeRequest } from "./fakeServer.ts";
import type { Shop } from "./shop.ts";

// A failing POS returns lists that are well-formed, with status 200 and matching totals, but too short. The caller of a
// request decides which requests are affected, because one list may be read for two kinds of records.

const header = "x-max-rows";
const maxRows = new AsyncLocalStorage<number>();

/** Runs work whose requests get shortened responses: no list of the shop has more than `max` rows in them. */
export function withShortenedAnswers<T>(max: number, work: () => T): T {
  return maxRows.run(max, work);
}

/** A `fetch` that marks the requests that get shortened responses. */
export function markingFetch(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return (url, init) => {
    const max = maxRows.getStore();
    if (max === undefined) return fetch(url, init);
    const headers = new Headers(init?.headers);
    headers.set(header, String(max));
    return fetch(url, { ...init, headers });
  };
}

/** Creates a response of a shop, shortened if the request says so. */
export function shorten(shop: Shop, { headers }: FakeRequest, answer: () => FakeAnswer): FakeAnswer {
  const max = headers[header];
  if (max === undefined) return answer();
  const lists: unknown[][] = [shop.packages, shop.removed, shop.products, shop.customers, shop.sales];
  const hidden = lists.map((list) => list.splice(Number(max)));
  try {
    return answer();
  } finally {
    for (const [i, list] of lists.entries()) list.push(...(hidden[i] ?? []));
  }
}
