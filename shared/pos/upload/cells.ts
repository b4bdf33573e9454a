/** Whether a cell is empty. `N/A` in any letter case counts as empty: people write it into cells without a value. */
export function isEmptyCell(cell: string): boolean {
  const text = cell.trim();
  return text === "" || /^n\/a$/i.test(text);
}

/** Whether a cell holds an error of a formula, or the `####` of a column that is too narrow for its value. */
export function isSpreadsheetError(cell: string): boolean {
  return /^(#(N\/A|(REF|VALUE|DIV\/0|NULL|NUM|SPILL|CALC|ERROR)!|NAME\?)|#{3,})$/i.test(cell.trim());
}

/**
 * Removes the fraction that spreadsheets and other programs add to an id that is a whole number: `12.0` becomes `12`.
 */
export function withoutZeroFraction(id: string): string {
  return id.replace(/^(\d+)\.0+$/, "$1");
}
