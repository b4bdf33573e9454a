import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { expect, test } from "vitest";

const pages = globSync("{*.md,{clients,docs,test,.github}/**/*.md}");

/** The text of a page without its samples. */
const prose = (page: string) => readFileSync(page, "utf8").replaceAll(/^```[\s\S]*?^```$/gm, "");

/** The addresses of a page's headings, as GitHub makes them. */
const headings = (page: string) =>
  [...prose(page).matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );

test("every citation of a page in code names a heading that the page has", () => {
  const files = globSync("{clients,functions,infra,shared,test}/**/*.{ts,tsx,mjs}");
  const cited = files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/\b(docs\/[\w/-]+\.md)#([\w-]+)/g)].map(([, page = "", heading = ""]) => {
      return { file, page, heading };
    }),
  );
  expect(cited.length).toBeGreaterThan(100);
  expect(cited.filter(({ page, heading }) => !existsSync(page) || !headings(page).includes(heading))).toEqual([]);
});

test("every link of the documentation leads to a file of this project, and to a heading that it has", () => {
  const links = pages.flatMap((page) =>
    [...prose(page).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(([, path = "", heading]) => {
      return { page, target: path ? join(dirname(page), path) : page, heading };
    }),
  );
  expect(links.length).toBeGreaterThan(100);
  const leadNowhere = links.filter(
    ({ target, heading }) => !existsSync(target) || (heading && !headings(target).includes(heading)),
  );
  expect(leadNowhere).toEqual([]);
});
