import { afterEach, expect, test, vi } from "vitest";
import { Rejection } from "../../../../../shared/web/browser/failures.ts";
import { formatTime } from "../../../../../shared/web/console/app/format.ts";
import { explainFailure } from "../../../../../shared/web/console/app/texts.ts";

const now = Date.parse("2026-11-29T20:00:00Z");
afterEach(() => void vi.useRealTimers());

const explained = (...failure: ConstructorParameters<typeof Rejection>) =>
  explainFailure(new Rejection(...failure), "reviewer", "help@example.com");

test("a rejection without a message, such as that of a proxy, is never without words", () => {
  expect(explained(403, {})).toMatch(/a network that blocks it.*help@example\.com/);
  expect(explained(422, {})).toMatch(/help@example\.com/);
});

test("faults of fields are named without a message, too", () => {
  const fields = { "body.end_date": { message: "must not be in the future" } };
  expect(explained(422, { fields })).toBe("End date: must not be in the future.");
  const ofLists = {
    "body.org.name": { message: "must not be empty" },
    "body.users.0.firstName": { message: "is empty" },
  };
  expect(explained(422, { fields: ofLists })).toBe("Name: must not be empty. First name: is empty.");
  const ofCodes = { "body.large_cash_payment.threshold": { message: "must be positive" } };
  expect(explained(422, { fields: ofCodes })).toBe("Large cash payment threshold: must be positive.");
});

test.each<[number, object, number, RegExp]>([
  [429, { code: "report_day_limit" }, 14_400, /as many reports today/],
  [429, { code: "statement_day_limit" }, 14_400, /As many statements of this business/],
  [503, { code: "restoring" }, 300, /records of this business are being restored/],
  [503, { code: "restoring", data: { restoring: 1 } }, 300, /records of 1 business are being restored/],
  [503, { code: "restoring", data: { restoring: 3 } }, 300, /records of 3 businesses are being restored/],
])("%d %j names its cause, and the time after %d seconds", (status, body, seconds, words) => {
  vi.useFakeTimers({ toFake: ["Date"], now });
  const message = explained(status, body, seconds);
  expect(message).toMatch(words);
  expect(message).toContain(`Try again after ${formatTime(now + seconds * 1_000)}.`);
});

test("other limits last a minute", () => {
  expect(explained(429, { code: "rate_limited" })).toMatch(/wait a minute/);
  expect(explained(503, { code: "unavailable" })).toMatch(/in a minute/);
});
