import { expect, test } from "vitest";
import { addressOf, nextAfter, waitSince } from "../../../../../shared/web/console/app/queue.ts";

test("an address has only the filters that are set", () => {
  expect(addressOf("/insights", { status: "", crb_id: undefined })).toBe("#/insights");
  expect(addressOf("/insights/a", { status: "open", crb_id: "b c" })).toBe("#/insights/a?status=open&crb_id=b+c");
});

test.each([
  ["a", "b"],
  ["b", "c"],
  ["c", "a"],
  ["elsewhere", "a"],
])("after %s comes %s", (chosen, next) => {
  expect(nextAfter(["a", "b", "c"], (each) => each === chosen)).toBe(next);
});

test("nothing comes after the only item", () => {
  expect(nextAfter(["a"], (each) => each === "a")).toBeUndefined();
});

test.each([
  ["2026-11-29T12:00:00Z", "less than a day"],
  ["2026-11-28T12:00:00Z", "1 day"],
  ["2026-11-26T13:00:00Z", "2 days"],
  ["2026-11-30T12:00:00Z", "less than a day"],
])("a document of %s waits %s", (date, words) => {
  expect(waitSince(date, Date.parse("2026-11-29T12:00:00Z"))).toBe(words);
});
