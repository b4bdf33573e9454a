export type Language = "sh" | "ts" | "python";

/** A code sample of a guide, and what it prints. */
export interface Sample {
  language: Language;
  code: string;
  /** What it prints: white space means nothing, and `…` stands for anything. Undefined where the guide does not say. */
  output?: string;
}

const isLanguage = (info: string): info is Language => ["sh", "ts", "python"].includes(info);

/**
 * The code samples of a guide, in its order. What a fence marked `output` holds is printed by the sample before it; where
 * samples of several languages stand together, by each of them.
 *
 * @throws for a fence that is neither a sample nor what samples print
 */
export function samplesOf(markdown: string): Sample[] {
  const samples: Sample[] = [];
  const waiting = new Map<Language, Sample>();
  for (const [, info = "", code = ""] of markdown.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)) {
    if (/^\w+ output$/.test(info) && waiting.size > 0) {
      for (const sample of waiting.values()) sample.output = code;
      waiting.clear();
    } else if (isLanguage(info)) {
      const sample = { language: info, code };
      samples.push(sample);
      waiting.set(info, sample);
    } else throw new Error(`\`\`\`${info} is neither a sample nor an output of one`);
  }
  return samples;
}

/** An expected output as a pattern. */
export function patternOf(output: string): RegExp {
  const parts = withoutSpace(output).split("…");
  return new RegExp(`^${parts.map(RegExp.escape).join("[\\s\\S]*")}$`);
}

export const withoutSpace = (text: string): string => text.replaceAll(/\s/g, "");
