import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";
import { generateFile, root } from "../../../infra/codegen/generatedFile.ts";

test("a file is generated again only if it or one of its inputs has changed", async () => {
  const directory = mkdtempSync(join(inject("temporaryDirectory"), "generated-"));
  const output = join(directory, `${randomUUID()}.txt`);
  const input = join(directory, "input.txt");
  onTestFinished(() => rmSync(join(root, "node_modules/.cache/generated", `${basename(output)}.json`)));
  let count = 0;
  const generate = async () => {
    await generateFile(relative(root, output), async () => {
      count += 1;
      return { text: readFileSync(input, "utf8").toUpperCase(), inputs: [relative(root, input)] };
    });
    return [count, readFileSync(output, "utf8")];
  };
  writeFileSync(input, "one");
  expect(await generate()).toEqual([1, "ONE"]);
  expect(await generate()).toEqual([1, "ONE"]);
  writeFileSync(input, "two");
  expect(await generate()).toEqual([2, "TWO"]);
  writeFileSync(output, "edited by hand");
  expect(await generate()).toEqual([3, "TWO"]);
  rmSync(output);
  expect(await generate()).toEqual([4, "TWO"]);
});
