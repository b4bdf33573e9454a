/** The parts of an OpenAPI document that this module reads or changes. */
interface Description {
  info: { description: string };
  tags: { name: string }[];
  paths: Record<string, Record<string, { operationId?: string; tags?: string[] }>>;
}

/**
 * Adds the guides to the introduction of the API's description, where the reference page shows them. Links between
 * guides become links within the page, and names of operations become links to the operations. The extension
 * `x-sectionTexts` contains the paragraphs below each heading by the heading's anchor, for the search (scalarScript.ts).
 *
 * @param guides Markdown by file name, such as `errors.md`, in reading order
 */
export function documentWithGuides<D extends Description>(document: D, guides: ReadonlyMap<string, string>): D {
  const anchors = operationAnchors(document);
  const linked = [...guides.values()].map((text) => linkOperations(linkGuides(text, guides), anchors));
  const description = ["# Overview", document.info.description, ...linked].join("\n\n");
  // The reference page shows this extension as a heading above the operations.
  const tagGroups = [{ name: "Operations", tags: document.tags.map(({ name }) => name) }];
  return {
    ...document,
    info: { ...document.info, description },
    "x-tagGroups": tagGroups,
    "x-sectionTexts": Object.fromEntries([...guides.values()].flatMap(sectionsOf)),
  };
}

/** The anchor and the paragraphs of each section of a guide. Scalar lists only headings of the first two levels. */
const sectionsOf = (guide: string): [anchor: string, paragraphs: string[]][] =>
  guide
    .replaceAll(sample, (text) => text.replaceAll("#", ""))
    .split(/^##? /m)
    .slice(1)
    .map((section) => {
      const [title = "", ...paragraphs] = section
        .trim()
        .replaceAll(/\]\([^)]*\)|[[`*|]/g, "")
        .split(/\n{2,}/);
      return [slug(title), paragraphs];
    });

/**
 * Links between guides: `[text](errors.md#retry)` becomes a link to the heading `retry` of that guide, and
 * `[text](errors.md)` a link to its first heading. Pictures lie below the page's path, as the guides do.
 */
function linkGuides(text: string, guides: ReadonlyMap<string, string>): string {
  const shown = text.replaceAll(/(?<=\]\()[\w-]+\.svg(?=\))/g, "docs/$&");
  return shown.replaceAll(/\]\(([\w-]+\.md)(?:#([\w-]+))?\)/g, (link, name: string, wanted?: string) => {
    const headings = headingsOf(guides.get(name) ?? "");
    const found = wanted === undefined ? headings[0] : headings.find((heading) => heading === wanted);
    if (found === undefined) throw new Error(`${link} leads to no guide`);
    return `](#description/${found})`;
  });
}

/** The anchors of a guide's headings. */
const headingsOf = (guide: string): string[] =>
  [...withoutSamples(guide).matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) => slug(title));

const sample = /^```[\s\S]*?^```$/gm;
const withoutSamples = (text: string): string => text.replaceAll(sample, "");

function linkOperations(text: string, anchors: ReadonlyMap<string, string>): string {
  const linked = (prose: string) =>
    prose.replaceAll(/(?<!\[)`(\w+)`/g, (code, name: string) => {
      const anchor = anchors.get(name);
      return anchor === undefined ? code : `[${code}](${anchor})`;
    });
  const samples = text.match(sample) ?? [];
  return text
    .split(sample)
    .map((prose, index) => linked(prose) + (samples[index] ?? ""))
    .join("");
}

/** The anchors of the operations. The last part must equal the result of `generateOperationSlug` in page.js. */
function operationAnchors({ paths }: Description): Map<string, string> {
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  return new Map(
    operations.flatMap(({ operationId, tags: [tag] = [] }) =>
      operationId && tag ? [[operationId, `#tag/${slug(tag)}/${operationId}`]] : [],
    ),
  );
}

/** The anchor of a title. */
const slug = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, "")
    .trim()
    .replaceAll(/\s+/g, "-");
