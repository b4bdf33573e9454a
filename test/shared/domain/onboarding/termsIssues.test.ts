import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { posFieldsOf, type StoredRecord, storedFields } from "../../../../shared/domain/onboarding/storedFields.ts";
import { namedSystems, placeholderTexts } from "../../../../shared/domain/onboarding/terms.ts";
import { parseTermsFile } from "../../../../shared/domain/onboarding/termsFile.ts";
import { termsIssues } from "../../../../shared/domain/onboarding/termsIssues.ts";

const settings = {
  termsFile: "infra/stages/terms.md",
  operatorName: "Front Range Data",
  privacyUrl: "https://data.example.com/privacy",
  supportEmail: "help@example.com",
  replicateEverySeconds: { location: 60, product: 60, customer: 60, inventory: 60, sale: 60 },
  retentionDays: 30,
};
const standard = readFileSync(settings.termsFile, "utf8");
const texts = placeholderTexts(settings);
/** The standard text with both lists written out, as an operator may write them. */
const handwritten = standard.replace("{storedAsCodes}", texts.storedAsCodes).replace("{storedAsIs}", texts.storedAsIs);
const fields = (Object.keys(storedFields) as StoredRecord[]).flatMap((record) =>
  posFieldsOf(record).map(([name, field]) => ({ record, name, ...field })),
);

test("the standard text has no issues, with the lists as placeholders or written out", () => {
  expect(termsIssues(standard, settings)).toEqual([]);
  expect(termsIssues(handwritten, settings)).toEqual([]);
});

test.each(fields)(
  "the issue of a text without the field $name of a $record names that field",
  ({ record, name, group, words }) => {
    const line = handwritten.split("\n").find((each) => each.startsWith(`- ${group}: `) && each.includes(words)) ?? "";
    const issues = termsIssues(handwritten.replace(line, line.replaceAll(words, "more")), settings);
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatch(/^it does not name /);
    expect(issues[0]).toContain(`${record}.${name} (“${words}”)`);
  },
);

test("a placeholder in a comment is not in the text", () => {
  const comment = (name: string) => standard.replaceAll(`{${name}}`, `<!-- {${name}} -->`);
  expect(termsIssues(comment("retention"), settings)).toEqual(["it does not contain {retention}"]);
  const folder = mkdtempSync(join(tmpdir(), "terms-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const named = (file: string) => {
    const path = join(folder, randomUUID());
    writeFileSync(path, file);
    return namedSystems({ ...settings, termsFile: relative(process.cwd(), path) });
  };
  expect(named(standard)).toEqual(["Metrc"]);
  expect(named(comment("stateSystems"))).toEqual([]);
});

test("a text without a list names the fields of that list", () => {
  const [issue = ""] = termsIssues(standard.replace("{storedAsCodes}", ""), settings);
  expect(issue).toMatch(/^it does not name customer\.first_name \(“first name”\), /);
  expect(issue).toContain("add {storedAsCodes} and {storedAsIs} on lines of their own, or these words");
  expect(issue).not.toContain("sale.");
});

test.each<[string, (file: string) => string, string]>([
  [
    "no summary",
    (file) => file.replace(/^- The service provider that.*\n/m, ""),
    "it does not begin with a section of exactly three",
  ],
  [
    "a fourth line",
    (file) => file.replace("# Who", "- Fourth\n\n# Who"),
    "it does not begin with a section of exactly three",
  ],
  [
    "a summary in prose",
    (file) => file.replace("# Who", "Prose.\n\n# Who"),
    "it does not begin with a section of exactly three",
  ],
  ["no version", (file) => file.replace(/^Version: .*$/m, ""), "it has no line such as `Version: 2026-11-25`"],
  ["no privacy notice", (file) => file.replace("{privacyUrl}", ""), "it does not contain {privacyUrl}"],
  ["no intervals", (file) => file.replace("{intervals}", "often"), "it does not contain {intervals}"],
  ["an unknown placeholder", (file) => `${file}{operator}\n`, "has the unknown placeholder {operator}"],
  [
    "a list within a sentence",
    (file) => `${file}This: {storedAsIs}\n`,
    "has other text than the placeholder of a list",
  ],
  ["bold text", (file) => `${file}This is **bold**.\n`, "has formatting other than"],
  ["a smaller heading", (file) => `${file}## Small\n`, "has formatting other than"],
  ["a Markdown link", (file) => `${file}[Here](https://example.com)\n`, "has formatting other than"],
  ["HTML", (file) => `${file}<b>bold</b>\n`, "has formatting other than"],
  [
    "text before the first heading",
    (file) => file.replace("# What", "Hello\n\n# What"),
    "stands before the first heading",
  ],
])("a text with %s is rejected", (_, change, issue) => {
  expect(termsIssues(change(standard), settings)).toEqual([expect.stringContaining(issue)]);
});

test("an issue names its line", () => {
  const lines = standard.split("\n").length;
  expect(termsIssues(`${standard}## Small\n`, settings)[0]).toMatch(new RegExp(`^line ${lines} has`));
});

test("lines of a paragraph or of an item are joined, and lists keep their lines", () => {
  const file = "Version: 1\r\n\r\n# A title\r\n\r\nOne\r\ntwo.\r\n- three\r\n  four\r\n- five\r\n\r\n\r\nSix\r\n";
  expect(parseTermsFile(file, texts)).toMatchObject({
    version: "1",
    sections: [{ title: "A title", text: "One two.\n- three four\n- five\n\nSix" }],
  });
});
