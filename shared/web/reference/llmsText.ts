import { basename } from "node:path";

/**
 * The index of the documentation for language models (https://llmstxt.org): the guides with their first sentences, and the API
 * description.
 *
 * @param guides the texts of the guides by file name, in reading order
 */
export function llmsText(guides: ReadonlyMap<string, string>): string {
  const rows = [...guides].map(([name, text]) => {
    const [title = basename(name, ".md")] = /(?<=^# ).*/.exec(text) ?? [];
    return `- [${title}](docs/${name}): ${firstSentence(text)}`;
  });
  return [
    "# Cannabis Business Data Access",
    "",
    "> One JSON API for the data of cannabis businesses: customers, products, inventory, sales and documents, replicated from",
    "> their point-of-sale systems, for banks and other service providers.",
    "",
    "## API",
    "",
    "- [OpenAPI 3.1 description](openapi.json): all operations, records, errors and webhooks",
    "- [Postman collection](postman.json): a request for each operation",
    "",
    "## Guides",
    "",
    ...rows,
    "",
  ].join("\n");
}

/** The first sentence of a guide's first paragraph, without links. */
function firstSentence(text: string): string {
  const paragraph = text.split("\n\n").find((part) => /^[A-Za-z*`]/.test(part)) ?? "";
  const plain = paragraph.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll(/\s+/g, " ");
  return /^.*?\.(?=\s|$)/.exec(plain)?.[0] ?? plain;
}
