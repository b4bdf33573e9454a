import { expect, test } from "vitest";
import { isPathPart, posPath } from "../../../../shared/pos/framework/posPath.ts";

test("values are percent-encoded, and are not in the pattern", () => {
  expect(posPath`/ticket/after/${"2026-01-11T13:56:05.000+05:00"}/page/${2}`).toEqual({
    text: "/ticket/after/2026-01-11T13%3A56%3A05.000%2B05%3A00/page/2",
    pattern: "/ticket/after/{}/page/{}",
  });
  expect(posPath`/whoami`).toEqual({ text: "/whoami", pattern: "/whoami" });
});

test.each(["..", ".", "", "a/b", "a b", "%2e%2e", "a?b", "a#b", "ü", "a\n"])(
  "%j cannot be a part of a path",
  (value) => {
    expect(isPathPart(value)).toBe(false);
    expect(() => posPath`/a/${value}/b`).toThrow(RangeError);
  },
);

test.each(["greenway", "loc-1", "5D_x", "x".repeat(64)])("%s can be a part of a path", (value) => {
  expect(isPathPart(value)).toBe(true);
});

test("a part of a path has at most 64 characters", () => {
  expect(isPathPart("x".repeat(65))).toBe(false);
});
