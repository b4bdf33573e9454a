import { expect, test, vi } from "vitest";
import { Rejection, Unreachable } from "../../../../../shared/web/browser/failures.ts";
import { endsLink, explainFailure } from "../../../../../shared/web/onboarding/app/explainFailure.ts";

test.each<[boolean, number, string]>([
  [true, 401, "unauthorized"],
  [false, 401, ""],
  [false, 403, ""],
  [false, 403, "request_blocked"],
  [false, 409, "consent_missing"],
])("a failure ends the link: %s, with the status %i and the code %j", (ends, status, code) => {
  expect(endsLink(new Rejection(status, { code }))).toBe(ends);
});

test("a lost connection does not end the link", () => {
  expect(endsLink(new Unreachable())).toBe(false);
});

test.each<[number, string, string]>([
  [409, "concurrent_changes", "at the same time"],
  [409, "connection_changed", "at the same time"],
  [409, "pos_not_connected", "at the same time"],
  [409, "consent_missing", "give consent first"],
  [429, "pos_check_limit", "Too many wrong credentials"],
  [429, "rate_limited", "Too many requests"],
  [503, "restoring", "are being restored"],
  [503, "unavailable", "is busy"],
  [403, "request_blocked", "write to help@example.com"],
])("the message of the status %i with the code %s names its cause", (status, code, words) => {
  expect(explainFailure(new Rejection(status, { code }), "help@example.com")).toContain(words);
});

test("a long wait names its end", () => {
  vi.useFakeTimers({ now: new Date(2026, 2, 2, 9, 30) });
  const restoring = new Rejection(503, { code: "restoring" }, 300);
  expect(explainFailure(restoring, "")).toMatch(/Please try again after 9:35\sAM\.$/);
  vi.useRealTimers();
});
