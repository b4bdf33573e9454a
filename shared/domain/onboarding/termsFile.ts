/** The placeholders that every terms file must contain. Each stands for a setting of the stage. */
const requiredPlaceholders = ["operatorName", "privacyUrl", "retention", "intervals"] as const;

/** The placeholders of a terms file, each with its text. The placeholder of a list stands alone on its line. */
export type PlaceholderTexts = Readonly<
  Record<
    (typeof requiredPlaceholders)[number] | "supportEmail" | "stateSystems" | "storedAsCodes" | "storedAsIs",
    string
  >
>;

/** Terms as a user reads them. */
export interface TermsText {
  /** From the line `Version:` of the file. */
  version: string;
  sections: { title: string; text: string }[];
}

/** Markdown syntax that a terms file must not contain. */
const unsupported = /^#{2,}|^#(?! \S)|\*\*|__|`|\]\(|^\s*[*+]\s|^\s*\||^\s*\d{1,2}[.)]\s|<[a-z/]/i;

/** A line that consists of the placeholder of a list. */
const listLine = /^\{(storedAsCodes|storedAsIs)\}$/;

/** A terms file without its comments, which no user sees; its lines keep their numbers. */
export const withoutComments = (file: string): string =>
  file.replaceAll(/<!--.*?-->/gs, (comment) => comment.replaceAll(/[^\n]/g, ""));

/**
 * Parses a terms file (docs/operations/consent-terms.md#the-file) and fills in its placeholders.
 *
 * @returns the text without faulty lines, and the issues of the file, each as a clause
 */
export function parseTermsFile(file: string, texts: PlaceholderTexts): TermsText & { issues: string[] } {
  const issues: string[] = [];
  const sections: { title: string; lines: string[] }[] = [];
  let version = "";
  const shown = withoutComments(file);
  for (const [index, line] of shown
    .split(/\r?\n/)
    .map((each) => each.trimEnd())
    .entries()) {
    const fault = (issue: string) => void issues.push(`line ${index + 1} ${issue}`);
    const unknown = [...line.matchAll(/\{(\w*)\}/g)].find(([, name = ""]) => !Object.hasOwn(texts, name));
    const section = sections.at(-1);
    if (unsupported.test(line)) fault("has formatting other than `# ` for a heading and `- ` for an item of a list");
    else if (unknown) fault(`has the unknown placeholder ${unknown[0]}`);
    else if (/\{stored/.test(line) && !listLine.test(line)) fault("has other text than the placeholder of a list");
    else if (line.startsWith("# ")) sections.push({ title: filled(line.slice(2).trim(), texts), lines: [] });
    else if (section && listLine.test(line)) section.lines.push("", filled(line, texts), "");
    else if (section) section.lines.push(filled(line.trim(), texts));
    else if (!version && /^Version: [\w.-]{1,40}$/.test(line)) version = line.slice("Version: ".length);
    else if (line) fault("stands before the first heading, where only `Version:` may stand");
  }
  if (!version) issues.push("it has no line such as `Version: 2026-11-25` before its first heading");
  if (sections.length === 0) issues.push("it has no heading such as `# Who runs this service`");
  if (sections[0] && !isSummary(sections[0].lines)) {
    issues.push("it does not begin with a section of exactly three list items, such as `- …`, that summarizes it");
  }
  for (const name of requiredPlaceholders) {
    if (!shown.includes(`{${name}}`)) issues.push(`it does not contain {${name}}`);
  }
  return { version, sections: sections.map(({ title, lines }) => ({ title, text: paragraphs(lines) })), issues };
}

/** Whether the lines of a section are three list items, and nothing else. An item may have several lines. */
function isSummary(lines: readonly string[]): boolean {
  const items = paragraphs(lines).split("\n");
  return items.length === 3 && items.every((item) => item.startsWith("- "));
}

const filled = (line: string, texts: PlaceholderTexts): string =>
  line.replaceAll(/\{(\w+)\}/g, (_, name: keyof PlaceholderTexts) => texts[name]);

/** Joins the lines of each paragraph and of each list item. Blank lines separate paragraphs. */
const paragraphs = (lines: readonly string[]): string =>
  lines
    .join("\n")
    .trim()
    .replaceAll(/\n{3,}/g, "\n\n")
    .replaceAll(/(?<!\n)\n(?!\n|- )/g, " ");
