import { expect, test } from "vitest";
import { hasMatchingTag, weakTag } from "../../../shared/http/etag.ts";

const tag = weakTag("what is answered");
const opaque = tag.slice(2);

test("a tag is weak, short, of the text alone", () => {
  expect(tag).toMatch(/^W\/"[\w-]{22}"$/);
  expect(weakTag("what is answered")).toBe(tag);
  expect(weakTag("what is answered ")).not.toBe(tag);
});

test.each([tag, opaque, "*", " * ", `"other", ${tag}`, `W/"other",${opaque} , "more"`, `"a, b", ${tag}`, `"", ${tag}`])(
  "%s names it",
  (header) => {
    expect(hasMatchingTag(header, tag)).toBe(true);
  },
);

test.each([
  undefined,
  "",
  '"other"',
  opaque.slice(1, -1),
  opaque.slice(0, -1),
  opaque.slice(1),
  `"${opaque.toUpperCase()}"`,
  '"*"',
  "*, *",
  `W/"x${opaque.slice(1)}`,
])("%s does not", (header) => {
  expect(hasMatchingTag(header, tag)).toBe(false);
});

test("a long header without end is read once", () => {
  const began = performance.now();
  expect(hasMatchingTag('"'.repeat(100_001), tag)).toBe(false);
  expect(performance.now() - began).toBeLessThan(1_000);
});
