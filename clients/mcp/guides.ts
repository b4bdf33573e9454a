import * as z from "zod";
import { defineTool, type Service, total } from "./tool.ts";

const section = z.object({ guide: z.string(), heading: z.string(), text: z.string() });
type Section = z.infer<typeof section>;

/** Finds the sections of the service's guides that have the most words of a question. */
export const searchGuides = defineTool({
  description: "Finds sections of the service's guides: what figures mean, how to do something, what an error says.",
  operations: [],
  input: { question: z.string().min(2).max(200) },
  data: z.array(section),
  async run({ client }, { question }) {
    const words = [...new Set(question.toLowerCase().match(/[a-z0-9_]{3,}/g))];
    const scoreOf = ({ heading, text }: Section) =>
      total(words, (word) => total([heading, text], (part) => Number(part.toLowerCase().includes(word))));
    const found = (await readSections(client)).filter((each) => scoreOf(each) > 0);
    return { as_of: null, data: found.sort((one, other) => scoreOf(other) - scoreOf(one)).slice(0, 5) };
  },
});

let sections: Section[] | undefined;

/** Reads all guides once. They need no credential. */
async function readSections({ baseUrl, send }: Service["client"]): Promise<Section[]> {
  if (sections) return sections;
  const read = async (path: string) => {
    const response = await send(new Request(`${baseUrl}/${path}`, { signal: AbortSignal.timeout(30_000) }));
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    return response.text();
  };
  const files = [...(await read("llms.txt")).matchAll(/\(docs\/([\w-]+\.md)\)/g)].map(([, file]) => file as string);
  const guides = await Promise.all(files.map(async (guide) => ({ guide, text: await read(`docs/${guide}`) })));
  sections = guides.flatMap(({ guide, text }) =>
    text.split(/^(?=#{1,3} )/m).map((part) => {
      const [heading = "", ...lines] = part.split("\n");
      return { guide, heading: heading.replace(/^#+ /, ""), text: lines.join("\n").trim().slice(0, 4_000) };
    }),
  );
  return sections;
}
