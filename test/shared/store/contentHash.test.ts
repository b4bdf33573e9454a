import { expect, test } from "vitest";
import { contentHash } from "../../../shared/store/contentHash.ts";

test("a hash has 22 bytes, and differs if the content does", () => {
  const hashes = [{}, { a: 1 }, { a: 2 }, { b: 1 }].map(contentHash);
  expect(hashes.map(({ length }) => length)).toEqual([22, 22, 22, 22]);
  expect(new Set([...hashes, contentHash({ a: 1 })]).size).toBe(4);
});
