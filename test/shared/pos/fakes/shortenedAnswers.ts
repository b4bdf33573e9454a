import { AsyncLocalStorage } from "node:async_hooks";
import type { FakeAnswer, FakeRequest } from "./fakeServer.ts";
import type { Shop } from "./shop.ts";

// A POS in trouble answers with lists that are well-formed, with status 200 and totals that agree, and too short. Which
// requests it does that to follows from who sends them: the same list may be read for two kinds of records.

const header = "x-max-rows";
const maxRows = new AsyncLocalStorage<number>();

/** Does work whose requests get shortened answers: no list of the shop has more than `max` rows in them. */
export function withShortenedAnswers<T>(max: number, work: () => T): T {
  return maxRows.run(max, work);
}

/** `fetch`, by which a fake knows which requests get shortened answers. */
export function markingFetch(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return (url, init) => {
    const max = maxRows.getStore();
    if (max === undefined) return fetch(url, init);
    const headers = new Headers(init?.headers);
    headers.set(header, String(max));
    return fetch(url, { ...init, headers });
  };
}

/** Makes an answer of a shop, shortened where the request asks for that. */
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
