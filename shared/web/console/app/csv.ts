/** A cell: a text, or a number or null, which has no value. */
export type Cell = string | number | null;

/** Programs for tables read a text with one of these first characters as a formula. */
const formula = /^[=+\-@\t\r]/;

/** A table as CSV (RFC 4180). A text that could be a formula gets a leading apostrophe; numbers never do. */
export const csvOf = (rows: readonly (readonly Cell[])[]): string =>
  rows.map((cells) => `${cells.map(quoted).join(",")}\r\n`).join("");

function quoted(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  const safe = formula.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
