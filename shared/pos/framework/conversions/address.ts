/** Formats an address in one line: commas between parts, spaces between the texts of a part; null if empty. */
export function address(...parts: readonly (string | null | readonly (string | null)[])[]): string | null {
  const found = parts.map((part) => (Array.isArray(part) ? part.filter(Boolean).join(" ") : part)).filter(Boolean);
  return found.length > 0 ? found.join(", ") : null;
}
