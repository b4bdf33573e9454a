/**
 * A cell of a CSV file (RFC 4180); null is empty. A text that a spreadsheet would read as a formula gets a leading
 * apostrophe; a number never does.
 */
export function csvCell(cell: string | number | boolean | null): string {
  if (typeof cell !== "string") return String(cell ?? "");
  const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
