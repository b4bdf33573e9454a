/** `crbSummary` as `CrbSummary`. */
export const capitalized = (name: string): string => name.replace(/^./, (letter) => letter.toUpperCase());
