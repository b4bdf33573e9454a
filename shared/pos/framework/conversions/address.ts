/**
 * Formats an address in one line. Commas separate the parts. If a part is a list, spaces separate its texts. Empty
 * texts are dropped. Returns null if all texts are empty.
 */
export function address(...parts: readonly (string | null | readonly (string | null)[])[]): string | null {
  const found = parts.map((part) => (Array.isArray(part) ? part.filter(Boolean).join(" ") : part)).filter(Boolean);
  return found.length > 0 ? found.join(", ") : null;
}
