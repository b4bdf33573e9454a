import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const fakes = globSync("test/shared/pos/fakes/fake*.ts").flatMap((file) => {
  const page = /docs\/pos\/[a-z-]+\.md/.exec(readFileSync(file, "utf8"))?.[0];
  return page ? [{ file, page }] : [];
});

/** The comments of a fake: those of its server, and those of its rows, which may have a file of their own. */
function commentsOf(file: string): string {
  const rows = file.replace(/fake(\w+)\.ts$/, (_, name: string) => `${name.toLowerCase()}Rows.ts`);
  return globSync([file, rows])
    .flatMap((one) => readFileSync(one, "utf8").match(/\/\*\*[\s\S]*?\*\/|\/\/.*/g) ?? [])
    .join("\n");
}

test("each page of a POS has a fake", () => {
  const pages = globSync("docs/pos/*.md", { exclude: ["**/README.md"] }).map((page) => page.replaceAll("\\", "/"));
  expect(fakes.map(({ page }) => page).sort()).toEqual(pages.sort());
});

test.each(fakes)("$file names the sources of its rows by letters that its page has, too", ({ file, page }) => {
  const cited = new Set(commentsOf(file).match(/\b[DCA](?=[ )])(?<=\(.)/g));
  const letters = new Set(readFileSync(page, "utf8").match(/\b[DCA](?=[ ,;:)|])/g));
  expect(cited.size).toBeGreaterThan(0);
  expect([...cited].filter((letter) => !letters.has(letter))).toEqual([]);
});
