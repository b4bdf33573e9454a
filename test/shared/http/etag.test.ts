import { expect, test } from "vitest";
import { hasMatchingTag, weakTag } from "../../../shared/http/etag.ts";

const tag = weakTag("a response body");
const opaqueTag = tag.slice(2);

test("an ETag is weak and short, and depends only on the text", () => {
  expect(tag).toMatch(/^W\/"[\w-]{22}"$/);
  expect(weakTag("a response body")).toBe(tag);
  expect(weakTag("a response body ")).not.toBe(tag);
});

test.each([
  tag,
  opaqueTag,
  "*",
  " * ",
  `"other", ${tag}`,
  `W/"other",${opaqueTag} , "more"`,
  `"a, b", ${tag}`,
  `"", ${tag}`,
])("%s matches the ETag", (header) => {
  expect(hasMatchingTag(header, tag)).toBe(true);
});

test.each([
  undefined,
  "",
  '"other"',
  opaqueTag.slice(1, -1),
  opaqueTag.slice(0, -1),
  opaqueTag.slice(1),
  `"${opaqueTag.toUpperCase()}"`,
  '"*"',
  "*, *",
  `W/"x${opaqueTag.slice(1)}`,
])("%s does not match the ETag", (header) => {
  expect(hasMatchingTag(header, tag)).toBe(false);
});

test("a long malformed header does not match the ETag", () => {
  expect(hasMatchingTag('"'.repeat(100_001), tag)).toBe(false);
});
