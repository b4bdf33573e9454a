/** Whether a cell holds nothing. `N/A` in any letter case counts as nothing: it is how people fill cells without a value. */
export function isEmptyCell(cell: string): boolean {
  const text = cell.trim();
  return text === "" || /^n\/a$/i.test(text);
}

/** Whether a cell holds an error in place of the result of a formula, or the marks of a column too narrow for its value. */
export function isSpreadsheetError(cell: string): boolean {
  return /^(#(N\/A|(REF|VALUE|DIV\/0|NULL|NUM|SPILL|CALC|ERROR)!|NAME\?)|#{3,})$/i.test(cell.trim());
}

/** An id without the fraction that a spreadsheet or a program adds to a whole number: `12` for `12.0`. */
export function withoutZeroFraction(id: string): string {
  return id.replace(/^(\d+)\.0+$/, "$1");
}
