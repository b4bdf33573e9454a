import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import description from "../../../../docs/openapi.json" with { type: "json" };
import { documentWithGuides } from "../../../../shared/web/reference/documentWithGuides.ts";
import { sources } from "../../../../shared/web/reference/sourceFiles.ts";

const textWith = (guides: Record<string, string>) =>
  documentWithGuides(description, new Map(Object.entries(guides))).info.description;

test("the guides follow the description, in order", () => {
  const text = textWith({ "one.md": "# One\n\nFirst.\n", "two.md": "# Two\n\nSecond.\n" });
  expect(text.startsWith(`# Overview\n\n${description.info.description}\n\n# One\n\nFirst.`)).toBe(true);
  expect(text.trimEnd().endsWith("# Two\n\nSecond.")).toBe(true);
});

test("links between guides lead to headings of the page, and pictures below its path", () => {
  const text = textWith({
    "one.md": "# One\n\n[a](two.md), [b](two.md#the-end) and [c](https://example.com/three.md)\n\n![d](four.svg)\n",
    "two.md": "# Errors, and retries\n\n## The end\n",
  });
  expect(text).toContain(
    "[a](#description/errors-and-retries), [b](#description/the-end) and [c](https://example.com/",
  );
  expect(text).toContain("![d](docs/four.svg)");
});

test.each(["[a](three.md)", "[a](two.md#nowhere)"])("%s, a link to nothing, is an error", (link) => {
  expect(() => textWith({ "one.md": `# One\n\n${link}\n`, "two.md": "# Two\n" })).toThrow("leads to no guide");
});

test("an operation's name leads to the operation, but not inside a sample", () => {
  const sample = "```ts\nconst url = `listCrbCustomers` + `other`;\n```\n";
  const text = textWith({ "one.md": `# One\n\n\`listCrbCustomers\` or \`limit\`\n\n${sample}` });
  expect(text).toContain("[`listCrbCustomers`](#tag/customers/listCrbCustomers) or `limit`");
  expect(text).toContain(sample);
});

test("each heading of a guide has the paragraphs below it as texts for the search", () => {
  const guide = `# One, or two

A [link](https://example.com).

## The end

\`\`\`sh
# note
\`\`\`

### Then

Last.
`;
  expect(documentWithGuides(description, new Map([["one.md", guide]]))).toHaveProperty("x-sectionTexts", {
    "one-or-two": ["A link."],
    "the-end": ["sh\n note", "### Then", "Last."],
  });
});

test("no two headings of the guides have the same anchor", () => {
  const texts = sources.guides.map((path) => readFileSync(path, "utf8").replaceAll(/^```[\s\S]*?^```$/gm, ""));
  const headings = texts.flatMap((text) => [...text.matchAll(/^#+ (.+)$/gm)].map(([, title]) => title));
  expect(headings.length).toBeGreaterThan(20);
  expect(new Set(headings).size).toBe(headings.length);
});
