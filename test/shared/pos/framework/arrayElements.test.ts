import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arrayElements } from "../../../../shared/pos/framework/arrayElements.ts";

/** Splits the text into chunks, at any byte, as the network does. */
async function* splitIntoChunks(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

const read = (text: string, size = 3) => Array.fromAsync(arrayElements(splitIntoChunks(text, size)));

test("the elements are those of parsing the whole text, wherever chunks end", async () => {
  const value = fc.array(fc.jsonValue());
  await fc.assert(
    fc.asyncProperty(value, fc.nat(1), fc.integer({ min: 1, max: 40 }), async (list, indent, size) => {
      const text = JSON.stringify(list, null, indent);
      expect(await read(text, size)).toEqual(JSON.parse(text));
    }),
  );
});

test.each<[string, unknown[]]>([
  ["[]", []],
  [" \n[ \t ] \n", []],
  ['["a]b", "\\"[", "\\\\"]', ["a]b", '"[', "\\"]],
  ['[{"a":[1,{"b":"}"}]},null,true]', [{ a: [1, { b: "}" }] }, null, true]],
  ['["ü€😀"]', ["ü€😀"]],
  ["\ufeff[1]", [1]],
])("the elements of %s are read", async (text, expected) => {
  for (const size of [1, 2, 5, 100]) expect(await read(text, size)).toEqual(expected);
});

// biome-ignore format: a value on each line fills a screen
test.each([
  "", " ", "[", "[1", "[1,", '["a', '[{"a":1}', "{}", "null", "[1]]", "[1] x", "[,]", "[1,]", "[1}", "<html>", "[1 2]",
])("%j is not an array", async (text) => {
  for (const size of [1, 100]) await expect(read(text, size)).rejects.toThrow(SyntaxError);
});

describe("the list of a property", () => {
  const list = (text: string, size = 3) => Array.fromAsync(arrayElements(splitIntoChunks(text, size), "data"));

  test.each<[string, unknown[]]>([
    ['{"data":[]}', []],
    [' { "data" : [ 1 , [2] ] } ', [1, [2]]],
    ["[1,2]", [1, 2]],
    ['{"meta":{"page":1,"data":[]},"data":[1]}', [1]],
    ['{"warnings":[{"id":1,"data":[]}],"data":[1]}', [1]],
    ['{"note":",\\"data\\":[","data":[1]}', [1]],
    ['{"meta":{"total":2},"data":[{"a":"]"},2],"next":null}', [{ a: "]" }, 2]],
  ])("is read from %s", async (text, expected) => {
    for (const size of [1, 2, 5, 100]) expect(await list(text, size)).toEqual(expected);
  });

  test.each([
    "",
    "[1]]",
    "[1],",
    '{"data":{"rows":1,"data":[]}}',
    '{"error":{"code":1,"data":[]}}',
    '{"da ta":[]}',
    '{"data":{"page":1},"rows":[1]}',
    "{}",
    '{"data":null}',
    '{"rows":[1]}',
    '{"data":[1]',
    '{"data":[1',
    '{"error":"data"}',
  ])("is missing in %j", async (text) => {
    for (const size of [1, 100]) await expect(list(text, size)).rejects.toThrow(SyntaxError);
  });
});

test("an endless element is rejected", async () => {
  let chunks = 0;
  async function* endless() {
    yield Buffer.from('["');
    for (;;) {
      chunks++;
      yield Buffer.alloc(1024 * 1024, "x");
    }
  }
  await expect(Array.fromAsync(arrayElements(endless()))).rejects.toMatchObject({ code: "too_large" });
  expect(chunks).toBe(8);
});

test("elements are returned before the text has ended", async () => {
  async function* endless() {
    yield Buffer.from("[");
    for (;;) yield Buffer.from('{"a":1},');
  }
  let elements = 0;
  for await (const _ of arrayElements(endless())) {
    elements++;
    if (elements === 10_000) break;
  }
  expect(elements).toBe(10_000);
});
