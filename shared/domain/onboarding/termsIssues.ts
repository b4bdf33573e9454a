import { posFieldsOf, type StoredRecord, storedFields } from "./storedFields.ts";
import { placeholderTexts, type TermsSettings } from "./terms.ts";
import { parseTermsFile } from "./termsFile.ts";

/**
 * The errors of a terms file, each as a clause. A file has to name every stored field, either with the placeholder of
 * the list that contains the field, or with the field's `words`.
 */
export function termsIssues(file: string, settings: TermsSettings): string[] {
  const { issues, sections } = parseTermsFile(file, placeholderTexts(settings));
  const missing = missingFields(sections.map(({ title, text }) => `${title}\n${text}`).join("\n"));
  if (missing.length === 0) return issues;
  return [
    ...issues,
    `it does not name ${missing.join(", ")}: add {storedAsCodes} and {storedAsIs} on lines of their own, or these words`,
  ];
}

/**
 * Finds the stored fields that a text does not name. Fields of one record may share their `words`; each record needs
 * its own occurrence of the words. The search begins with the longest words, so that “product name” does not count as
 * an occurrence of “name”.
 */
function missingFields(text: string): string[] {
  const fields = (Object.keys(storedFields) as StoredRecord[]).flatMap((record) =>
    posFieldsOf(record).map(([name, { words }]) => ({ record, name, words })),
  );
  const fieldsByWords = Map.groupBy(fields, ({ words }) => words);
  let rest = text.replaceAll(/\s+/g, " ");
  const missing = new Set<string>();
  for (const words of [...fieldsByWords.keys()].toSorted((one, other) => other.length - one.length)) {
    let found = 0;
    rest = rest.replaceAll(new RegExp(`(?<!\\w)${RegExp.escape(words)}(?!\\w)`, "gi"), () => {
      found += 1;
      return "…";
    });
    const records = new Set(fieldsByWords.get(words)?.map(({ record }) => record));
    if (found < records.size) missing.add(words);
  }
  return fields
    .filter(({ words }) => missing.has(words))
    .map(({ record, name, words }) => `${record}.${name} (“${words}”)`);
}
