export type Language = "sh" | "ts" | "python";

/** A code sample of a guide, and its output. */
export interface Sample {
  language: Language;
  code: string;
  /** The file that other samples import it from. Undefined if the first line names none. */
  file?: string;
  /** What it prints: white space means nothing, and `…` stands for anything. Undefined where the guide does not say. */
  output?: string;
}

const isLanguage = (info: string): info is Language => ["sh", "ts", "python"].includes(info);

/**
 * The code samples of a guide, in order. A fence marked `output` holds the output of the sample before it, or of each sample
 * if samples in several languages precede it.
 * @throws for a fence that is neither a sample nor an output
 */
export function samplesOf(markdown: string): Sample[] {
  const samples: Sample[] = [];
  const waiting = new Map<Language, Sample>();
  for (const [, info = "", code = ""] of markdown.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)) {
    if (/^\w+ output$/.test(info) && waiting.size > 0) {
      for (const sample of waiting.values()) sample.output = code;
      waiting.clear();
    } else if (isLanguage(info)) {
      const [, file] = /^(?:\/\/|#) (\w+\.(?:mts|py))\n/.exec(code) ?? [];
      const sample = { language: info, code, ...(file && { file }) };
      samples.push(sample);
      waiting.set(info, sample);
    } else throw new Error(`\`\`\`${info} is neither a sample nor an output of one`);
  }
  return samples;
}

/** The pattern of an expected output. */
export function patternOf(output: string): RegExp {
  const parts = withoutSpace(output).split("…");
  return new RegExp(`^${parts.map(RegExp.escape).join("[\\s\\S]*")}$`);
}

export const withoutSpace = (text: string): string => text.replaceAll(/\s/g, "");
