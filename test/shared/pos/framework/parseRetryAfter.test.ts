import { expect, test } from "vitest";
import { parseRetryAfter } from "../../../../shared/pos/framework/parseRetryAfter.ts";

const now = new Date("2026-03-10T12:00:00.000Z");
/** The POS's clock is an hour behind. */
const date = "Tue, 10 Mar 2026 11:00:00 GMT";
const epoch = Date.parse(date) / 1000;

test.each<[Record<string, string>, number | undefined]>([
  [{}, undefined],
  [{ "retry-after": "30" }, 30],
  [{ "retry-after": "0" }, 0],
  [{ "retry-after": "1.2" }, 2],
  [{ "retry-after": "-5" }, undefined],
  [{ "retry-after": "soon" }, undefined],
  [{ "retry-after": "86400" }, 120],
  [{ "retry-after": "Tue, 10 Mar 2026 11:00:40 GMT" }, 40],
  [{ "retry-after": "Tue, 10 Mar 2026 10:00:00 GMT" }, 0],
  [{ "retry-after-ms": "1500" }, 2],
  [{ "retry-after-ms": "1500", "retry-after": "60" }, 2],
  [{ "x-ratelimit-reset-after": "7" }, 7],
  [{ "x-ratelimit-reset": "9" }, 9],
  [{ "x-ratelimit-reset": String(epoch + 25) }, 25],
  [{ "ratelimit-reset": "11" }, 11],
  [{ "retry-after": "", "ratelimit-reset": "11" }, 11],
])("%j leads to a wait of %s seconds", (headers, expected) => {
  expect(parseRetryAfter(new Headers({ date, ...headers }), now)).toBe(expected);
});

test("without a date of the POS, the service's clock is used", () => {
  expect(parseRetryAfter(new Headers({ "retry-after": "Tue, 10 Mar 2026 12:00:15 GMT" }), now)).toBe(15);
});
