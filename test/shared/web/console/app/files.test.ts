import { gzipSync } from "node:zlib";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { csvOf, linesIn, readStored } from "../../../../../shared/web/console/app/files.ts";
import { explainFailure } from "../../../../../shared/web/console/app/texts.ts";

afterEach(() => void vi.unstubAllGlobals());

test("a text that programs read as a formula gets an apostrophe, and a number never does", () => {
  const rows = [["=1+1", "+1", "-1", "@a", "\tb", "\rc", "a=1", -12.5, null, 'x, "y"']];
  expect(csvOf(rows)).toBe(`\uFEFF'=1+1,'+1,'-1,'@a,'\tb,"'\rc",a=1,-12.5,,"x, ""y"""\r\n`);
});

test("any text can be read again", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme" }), { minLength: 2, maxLength: 3 }), (texts) => {
      const [row = []] = parse(csvOf([texts]), { bom: true }) as string[][];
      expect(row.map((text, index) => text === texts[index] || text === `'${texts[index]}`)).not.toContain(false);
    }),
  );
});

test("a compressed file of lines is read", async () => {
  const compressed = new Uint8Array(gzipSync('{"a":1}\n{"a":2}\n')).buffer;
  expect(await linesIn(compressed)).toEqual([{ a: 1 }, { a: 2 }]);
});

test.each([403, 404, 407])("the status %d of the store is not explained as one of the API", async (status) => {
  vi.stubGlobal("fetch", async () => new Response("<Error/>", { status }));
  const failure = await readStored("https://store.example.com/a").catch((thrown: unknown) => thrown);
  expect(explainFailure(failure, "viewer", "help@example.com")).toMatch(/a network that blocks it/);
});
