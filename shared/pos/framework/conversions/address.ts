/** An address in one line: parts that are there, joined with commas, those of a group with blanks; null for none. */
export function address(...parts: readonly (string | null | readonly (string | null)[])[]): string | null {
  const found = parts.map((part) => (Array.isArray(part) ? part.filter(Boolean).join(" ") : part)).filter(Boolean);
  return found.length > 0 ? found.join(", ") : null;
}
