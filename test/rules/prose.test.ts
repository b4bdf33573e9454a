import { globSync, readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";

/** Words and constructions that comments and pages do not use (docs/contributing/style.md), and what they use instead. */
const avoided: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\b(un)?told\b|\btells\b/i, "known, reports, says"],
  [/\b(is|are|was|were|be|been) asked\b|\basks? for\b/i, "is requested, requests"],
  [/\banew\b/i, "again, from the beginning"],
  [/\bwhoever\b|\bsomebody\b|\bnobody\b/i, "the caller, the worker, no caller"],
  [/\bof which\b|\bof whom\b/i, "two sentences"],
  [/\bwhat (is|was|are)\b/i, "a noun"],
  [/\bbesides?\b/i, "next to, in addition to, during"],
  [/\bby (itself|themselves)\b/i, "alone, automatically"],
  [/\bthough that be\b|\bso (many|much)\b/i, "a number, or a plain clause"],
  [/\branked lists?\b|\bclosing states?\b|\bown lists?\b|\bhanded out\b/i, "the terms of docs/glossary.md"],
  [/\bcatalogue\b|\bcapabilit(y|ies)\b|\bstoreys?\b|\bstand-ins?\b|\bcompanions?\b/i, "the terms of docs/glossary.md"],
  [/\bmend(ed|s|ing)?\b|\bnameless\b|\bmortal\b|\blets? in\b/i, "fixed, without id, crashing, accepts"],
  [/\brefus(al|als|es|ed|e|ing)\b/i, "rejects, rejection; denies where it is access"],
];

/** Maximum number of words between two of the marks that end a sentence or a part of a list. */
const maxWords = 30;

/** Text outside code, quotations and the targets of links. */
const withoutQuotations = (text: string): string =>
  text.replace(/`[^`]*`|"[^"\n]*"|“[^”]*”|\]\([^)]*\)|https?:\S+/g, "…");

/** A comment as one line, without its marks. */
const flatComment = (text: string): string => text.replace(/^\s*(\/\*\*?|\*\/|\*|\/\/)\s?/gm, " ").replace(/\s+/g, " ");

function commentsOf(file: string): { line: number; text: string }[] {
  const text = readFileSync(file, "utf8");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const ranges = new Map<number, number>();
  const visit = (node: ts.Node): void => {
    for (const { pos, end } of ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []) ranges.set(pos, end);
    for (const child of node.getChildren(source)) visit(child);
  };
  visit(source);
  return [...ranges].map(([pos, end]) => {
    return { line: source.getLineAndCharacterOfPosition(pos).line + 1, text: flatComment(text.slice(pos, end)) };
  });
}

/** A string literal, or a part of a template, with a space: text that people may read. */
const isText = (node: ts.Node): node is ts.LiteralLikeNode =>
  (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node) || ts.isJsxText(node)) && /\S\s+\S/.test(node.text);

/** Expressions of CloudWatch, whose names are not prose. */
const isExpression = (text: string): boolean => /^IF\(/.test(text);

function stringsOf(file: string): { line: number; text: string }[] {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  const strings: { line: number; text: string }[] = [];
  const visit = (node: ts.Node): void => {
    if (isText(node) && !isExpression(node.text)) {
      strings.push({ line: source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1, text: node.text });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return strings;
}

const sources = globSync("{clients,shared,functions,infra,test}/**/*.{ts,tsx,mjs}").filter(
  (file) => !file.endsWith("/openApi.ts") && file !== "test/rules/prose.test.ts",
);

/** The texts of each file. */
const readTexts = (textsOf: (file: string) => { line: number; text: string }[], files: readonly string[]) =>
  files.map((file) => ({ file, texts: textsOf(file) }));

/** The sources that have an avoided word anywhere, also in code or in two lines of a comment. Only these need a parser. */
const suspects = sources.filter((file) => {
  const text = flatComment(readFileSync(file, "utf8"));
  return avoided.some(([pattern]) => pattern.test(text));
});

/** The avoided words in texts of files, with their places. */
const findAvoided = (read: ReturnType<typeof readTexts>): string[] =>
  read.flatMap(({ file, texts }) =>
    texts.flatMap(({ line, text }) =>
      avoided.flatMap(([pattern, instead]) => {
        const [word] = pattern.exec(withoutQuotations(text)) ?? [];
        return word ? [`${file}:${line}: "${word}"; write: ${instead}`] : [];
      }),
    ),
  );

test("comments of the sources avoid the words that the style page lists", () => {
  const read = readTexts(commentsOf, suspects);
  expect(read.flatMap(({ texts }) => texts).length).toBeGreaterThan(200);
  expect(findAvoided(read)).toEqual([]);
});

test("strings of the sources avoid these words, too", () => {
  const read = readTexts(stringsOf, suspects);
  expect(read.flatMap(({ texts }) => texts).length).toBeGreaterThan(300);
  expect(findAvoided(read)).toEqual([]);
});

/** Lines of workflows, of scripts of the shell, and of tests in Python, which are comments, names of steps, or code. */
const linesOf = (file: string) =>
  readFileSync(file, "utf8")
    .split("\n")
    .map((text, i) => ({ line: i + 1, text }));

test("workflows, scripts of the shell and tests in Python avoid these words, too", () => {
  const files = globSync([".ci/*", ".github/**/*.yml", "{clients,test}/**/*.{py,sh}"]);
  expect(files.length).toBeGreaterThan(8);
  expect(findAvoided(readTexts(linesOf, files))).toEqual([]);
});

/** Words that are in no name, because they say too little. */
const avoidedInNames = new Set(["told", "untold", "asked", "odd", "nameless", "needless"]);

test("names in code avoid words that say too little", () => {
  const wordsOf = (name: string) => name.match(/[A-Z]?[a-z]+/g)?.map((word) => word.toLowerCase()) ?? [];
  const found = sources.flatMap((file) => {
    const text = readFileSync(file, "utf8");
    if (![...avoidedInNames].some((word) => text.toLowerCase().includes(word))) return [];
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
    const names = new Set<string>();
    const visit = (node: ts.Node): void => {
      if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) names.add(node.text);
      ts.forEachChild(node, visit);
    };
    visit(source);
    return [...names]
      .filter((name) => wordsOf(name).some((word) => avoidedInNames.has(word)))
      .map((name) => [file, name]);
  });
  expect(found).toEqual([]);
});

const pages = globSync(["*.md", "{clients,docs,test}/**/*.md"]).filter((page) => !page.startsWith("docs/releases/"));

/** The paragraphs, headings, items of lists and cells of tables of a page, without code. */
function paragraphsOf(page: string): { line: number; text: string }[] {
  const text = readFileSync(page, "utf8").replace(/^ *```[\s\S]*?^ *```/gm, (code) => code.replace(/[^\n]/g, ""));
  const paragraphs: { line: number; text: string }[] = [];
  let isOpen = false;
  for (const [index, row] of text.split("\n").entries()) {
    const line = index + 1;
    const isAlone = /^\s*(#|\||[-*] |\d+\. |$)/.test(row);
    const last = isOpen && !isAlone ? paragraphs.at(-1) : undefined;
    if (last) last.text += ` ${row.trim()}`;
    else for (const part of /^\s*\|/.test(row) ? row.split(/(?<!\\)\|/) : [row]) paragraphs.push({ line, text: part });
    isOpen = !/^\s*(#|\||$)/.test(row);
  }
  // Names with hyphens are those of alarms and anchors.
  return paragraphs.map(({ line, text }) => ({ line, text: text.replace(/\b\w+(-\w+){2,}\b/g, "…") }));
}

const isWord = (text: string): boolean => /[\p{L}\p{N}…]/u.test(text);

test("pages avoid these words, too", () => {
  const read = readTexts(paragraphsOf, pages);
  expect(read.flatMap(({ texts }) => texts).length).toBeGreaterThan(3_000);
  expect(findAvoided(read)).toEqual([]);
});

test(`sentences of pages have at most ${maxWords} words`, () => {
  const long = pages.flatMap((page) =>
    paragraphsOf(page).flatMap(({ line, text }) =>
      withoutQuotations(text)
        .split(/[.!?;:](?=\s|$)/)
        .filter((sentence) => sentence.split(/\s+/).filter(isWord).length > maxWords)
        .map((sentence) => `${page}:${line}: ${sentence.trim()}`),
    ),
  );
  expect(long).toEqual([]);
});

const trackedFiles = globSync(
  "{*,.ci/*,.github/**/*,.vscode/*,{clients,docs,events,functions,infra,shared,test}/**/*}",
  { exclude: (path) => /(^|\/)(node_modules|__pycache__)$/.test(path) },
);

/** Files that readers write, as a page says, or that programs write. */
const writtenByReaders = /\/(crbStaff|getStaff|termsOfProd)\.|^\.local\//;

test("paths in code spans of pages exist", () => {
  /** A path of this repository, perhaps with a placeholder in capitals or a star. */
  const path =
    /^(?:\.?[\w-]+\/)+[\w.*-]+\.(?:ts|tsx|mjs|json|md|txt|css|html|py|yml)$|^(?:functions|infra|shared|test)(?:\/[\w.*-]+)+\/?$/;
  const found = pages.flatMap((page) => {
    const text = readFileSync(page, "utf8").replace(/^ *```[\s\S]*?^ *```/gm, "");
    return [...text.matchAll(/`([^`\n]+)`/g)].flatMap(([, span = ""]) =>
      path.test(span) && !writtenByReaders.test(span) ? [{ page, span }] : [],
    );
  });
  expect(found.length).toBeGreaterThan(300);
  const missing = found.filter(({ span }) => {
    const parts = span
      .replace(/\/$/, "")
      .split(/[A-Z_]{3,}|\*\*?/)
      .map(RegExp.escape);
    const pattern = new RegExp(`(^|/)${parts.join(".+")}(/|$)`);
    return !trackedFiles.some((file) => pattern.test(file));
  });
  expect(missing.map(({ page, span }) => `${page}: ${span}`)).toEqual([]);
});
