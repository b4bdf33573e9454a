/** As much of an OpenAPI document as is read or changed here. */
interface Description {
  info: { description: string };
  tags: { name: string }[];
  paths: Record<string, Record<string, { operationId?: string; tags?: string[] }>>;
}

/**
 * The API's description with the guides in its introduction, where the reference page shows them. A link to another
 * guide becomes a link within the page, and the name of an operation becomes a link to it.
 *
 * @param guides Markdown by the name of its file, such as `errors.md`, in the order of reading
 */
export function documentWithGuides<D extends Description>(document: D, guides: ReadonlyMap<string, string>): D {
  const anchors = operationAnchors(document);
  const linked = [...guides.values()].map((text) => linkOperations(linkGuides(text, guides), anchors));
  const description = ["# Overview", document.info.description, ...linked].join("\n\n");
  // An extension that the page shows as a heading above the operations.
  const tagGroups = [{ name: "Operations", tags: document.tags.map(({ name }) => name) }];
  return { ...document, info: { ...document.info, description }, "x-tagGroups": tagGroups };
}

/** `[text](errors.md#retry)` leads to that heading, `[text](errors.md)` to the guide's first. */
function linkGuides(text: string, guides: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\]\(([\w-]+\.md)(?:#([\w-]+))?\)/g, (link, name: string, wanted?: string) => {
    const headings = headingsOf(guides.get(name) ?? "");
    const found = wanted === undefined ? headings[0] : headings.find((heading) => heading === wanted);
    if (found === undefined) throw new Error(`${link} leads to no guide`);
    return `](#description/${found})`;
  });
}

/** The headings of a guide, as they stand in an address. */
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

/** Where the page shows each operation (page.js chooses the last part). */
function operationAnchors({ paths }: Description): Map<string, string> {
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  return new Map(
    operations.flatMap(({ operationId, tags: [tag] = [] }) =>
      operationId && tag ? [[operationId, `#tag/${slug(tag)}/${operationId}`]] : [],
    ),
  );
}

/** A title as it stands in an address. */
const slug = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, "")
    .trim()
    .replaceAll(/\s+/g, "-");
