import { isAbsentDate, isEmptyCell, trimCell } from "../../cells/cellText.ts";
import { parseRegisterDate } from "../../time/parseRegisterDate.ts";
import { fieldOfColumn } from "./columnNames.ts";
import { compactName, type RegisterLayout, readLayoutRow } from "./layouts/registerLayout.ts";
import { neededColumns } from "./registerRow.ts";

/**
 * Fields that are also read in a file with a layout, if a column has a general name of the field: a state may add the column
 * after the layout was written. Other columns stay unread, because they may hold personal data.
 */
const openFields: ReadonlySet<string> = new Set([
  "reported_license_status",
  "uniform_license_status_description",
  "status_date",
  "issued_at",
  "expires_at",
]);

const dateFields: ReadonlySet<string> = new Set(["status_date", "issued_at", "expires_at"]);

/** Two columns of one field whose values differ in a row. */
export interface ColumnClash {
  field: string;
  columns: readonly [string, string];
}

/** The columns of a register's file, and the conversion of its rows. */
export class RegisterColumns {
  /** Names of the required columns that the file lacks. */
  readonly missing: readonly string[];
  /** The columns that are not read, as the file names them. */
  readonly unread: readonly string[];
  /** Whether any column has a known name. */
  readonly isAnyKnown: boolean;
  readonly #header: readonly string[];
  readonly #layout: RegisterLayout | undefined;
  readonly #fields: readonly (string | undefined)[];
  /** The column with the legal name of the holder, if the file has no column for the holder. */
  readonly #legalName: number | undefined;

  /** @param layout how the state publishes the file; undefined for a file with columns of general names */
  constructor(header: readonly string[], layout?: RegisterLayout) {
    this.#header = header;
    this.#layout = layout;
    this.#fields = header.map((column) => fieldIn(layout, column));
    this.#legalName = layout ? undefined : findLegalName(header, this.#fields);
    this.isAnyKnown = this.#fields.some((field) => field !== undefined);
    this.missing = layout ? [] : neededColumns.filter((needed) => !this.#fields.includes(needed));
    this.unread = header
      .map((column, i) => trimCell(column) || `column ${i + 1} without a name`)
      .filter((_, i) => this.#fields[i] === undefined);
  }

  /**
   * Converts a row to the values that `readRow` reads. Several columns of one field must agree, without regard to letter case
   * and the form of dates; an empty cell agrees with every value. Columns of names are joined instead, since a business may have
   * several names.
   *
   * @param cells in the order of the columns
   */
  read(cells: readonly string[]): { values: Record<string, string> } | { clash: ColumnClash } {
    const values: Record<string, string> = {};
    const columnOf = new Map<string, number>();
    for (const [i, field] of this.#fields.entries()) {
      if (field === undefined) continue;
      const [before = "", cell = ""] = [values[field], cells[i]];
      const first = columnOf.get(field);
      if (first === undefined || this.#isEmpty(field, before)) {
        values[field] = cell;
        columnOf.set(field, i);
      } else if (!this.#isEmpty(field, cell)) {
        if (field === "businesses") values[field] = `${before};${cell}`;
        else if (comparable(field, before) !== comparable(field, cell)) {
          return { clash: { field, columns: [this.#header[first] ?? "", this.#header[i] ?? ""] } };
        }
      }
    }
    if (this.#legalName !== undefined) values.licensee = cells[this.#legalName] ?? "";
    return { values: this.#layout ? readLayoutRow(this.#layout, values) : values };
  }

  #isEmpty(field: string, cell: string): boolean {
    const text = trimCell(cell);
    const isAbsent = this.#layout?.absentTexts?.includes(text.toLowerCase()) ?? false;
    return isAbsent || isEmptyCell(text) || (dateFields.has(field) && isAbsentDate(text));
  }
}

function fieldIn(layout: RegisterLayout | undefined, column: string): string | undefined {
  const general = fieldOfColumn(column);
  if (!layout) return general;
  const compact = compactName(column);
  const isColumn = (name: string) => compactName(name) === compact;
  const [, field] = Object.entries(layout.columns).find(([name]) => isColumn(name)) ?? [];
  if (field !== undefined || general === undefined) return field;
  return openFields.has(general) && !layout.otherColumns?.some(isColumn) ? general : undefined;
}

/**
 * `business_name` is the name of the holder in some registers and a trade name in others. Next to a column of trade names, and
 * without a column of the holder, it can only be the name of the holder.
 */
function findLegalName(header: readonly string[], fields: readonly (string | undefined)[]): number | undefined {
  if (fields.includes("licensee")) return undefined;
  const names = header.flatMap((column, i) =>
    fields[i] === "businesses" ? [{ i, compact: compactName(column) }] : [],
  );
  const legal = names.find(({ compact }) => compact === "businessname");
  return names.some(({ compact }) => compact !== "businessname" && compact !== "businesses") ? legal?.i : undefined;
}

/** A text that is equal for cells with the same meaning. */
function comparable(field: string, cell: string): string {
  const text = trimCell(cell).toLowerCase().replaceAll(/\s+/g, " ");
  return (dateFields.has(field) && parseRegisterDate(text)) || text;
}
