/**
 * An address in one line: commas join the parts, spaces join the parts of a group. Empty parts are dropped; null if none
 * remains.
 */
export function address(...parts: readonly (string | null | readonly (string | null)[])[]): string | null {
  const found = parts.map((part) => (Array.isArray(part) ? part.filter(Boolean).join(" ") : part)).filter(Boolean);
  return found.length > 0 ? found.join(", ") : null;
}
