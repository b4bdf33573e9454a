import type * as z from "zod";
import { nameOfKind, type RecordKind, recordKinds } from "../../api/kinds.ts";
import { isUnnamed, trimCell } from "../../cells/cellText.ts";
import { countEdits } from "../../text/countEdits.ts";
import { fieldPaths, listRequiredFields } from "./columns.ts";
import type { UploadedRecords } from "./uploadedRecords.ts";

/**
 * Reads the column names of a file's first line, in any letter case.
 *
 * @param kind the kind of records in the file
 * @returns the columns; the names of columns without a name are empty. If the file is rejected, also the fault, which completes the sentence `Cannot read FILE:`
 */
export function readHeader(
  schemas: UploadedRecords,
  kind: RecordKind,
  header: readonly string[],
): { columns: string[]; fault?: string } {
  const schema = schemas[kind];
  const columns = header.map((name) => (isUnnamed(name) ? "" : trimCell(name).toLowerCase()));
  const isKnown = fieldsOf(schema);
  if (!columns.every((name) => name === "" || isKnown(name)))
    return { columns, fault: unknownColumns(schemas, kind, header) };
  const twice = columns.findIndex((name, i) => name !== "" && columns.indexOf(name) < i);
  if (twice >= 0) return { columns, fault: `column ${twice + 1} has the same name as an earlier column` };
  const missing = listRequiredFields(schema).filter((name) => !columns.includes(name));
  return missing.length > 0 ? { columns, fault: `it has no column ${missing.join(" and no column ")}` } : { columns };
}

/** Makes a function that says whether a column is named after a field of a record. */
function fieldsOf(schema: z.ZodType): (column: string) => boolean {
  const known = new Set(fieldPaths(schema));
  return (name) => known.has(name.replaceAll(entryNumber, ".*")) && !name.includes("*");
}

/** Maximum number of columns that a message names. For the remaining columns, the message states only their number. */
const maxNamed = 10;

/** The fault of a file with unknown columns. Names them, and the kind of records that has fields for all columns. */
function unknownColumns(schemas: UploadedRecords, kind: RecordKind, header: readonly string[]): string {
  const columns = header.map((name) => (isUnnamed(name) ? "" : trimCell(name).toLowerCase()));
  const isKnown = fieldsOf(schemas[kind]);
  const others = recordKinds.filter((other) => other !== kind);
  const isOfOther = others.map((other) => fieldsOf(schemas[other]));
  const namesColumns = isHeader(columns, new Set(recordKinds.flatMap((each) => fieldPaths(schemas[each]))));
  const free = fieldPaths(schemas[kind]).filter((path) => !columns.includes(path));
  const unknown = columns.flatMap((name, i) => {
    if (name === "" || isKnown(name)) return [];
    const typed = header[i]?.trim() ?? "";
    if (!namesColumns || !columnName.test(typed)) return [`column ${i + 1}`];
    const meant = closestField(name, free);
    return [`"${typed}" (column ${i + 1}${meant ? `, did you mean ${meant}?` : ""})`];
  });
  const more = unknown.length > maxNamed ? ` and ${unknown.length - maxNamed} more` : "";
  const meant = others.find((_, i) => columns.every((name) => name === "" || isOfOther[i]?.(name)));
  const hint = meant
    ? `. Is this a file of ${nameOfKind(meant)}?`
    : namesColumns
      ? ""
      : ". The first line must name the columns";
  return `it has columns that are not fields of ${kind}: ${unknown.slice(0, maxNamed).join(", ")}${more}${hint}`;
}

/** The form of a column's name. */
const columnName = /^[a-z][\w. ]{0,39}$/i;

/**
 * Whether a first line names columns. If it does not, it is a row of data, and no message may show it. Rows contain
 * numbers, dates and addresses, and very rarely two names of fields.
 */
function isHeader(columns: readonly string[], paths: ReadonlySet<string>): boolean {
  const isValue = (cell: string) => cell !== "" && /^[^\p{L}]*$|^\d|@/u.test(cell);
  const fields = columns.filter((name) => {
    const path = pathOf(name);
    return ["", "pos_", "svc_"].some((prefix) => paths.has(prefix + path));
  });
  return !columns.some(isValue) && (fields.length > 1 || fields.some((name) => /[_.]/.test(name)));
}

/** The path of a column's field. Spaces in the column's name count as underscores. */
const pathOf = (column: string) => column.replaceAll(entryNumber, ".*").replaceAll(" ", "_");

/** The field whose name a column probably misspells. */
function closestField(column: string, paths: readonly string[]): string | undefined {
  const numbers = column.match(entryNumber) ?? [];
  return closestName(pathOf(column), paths)?.replaceAll(".*", () => numbers.shift() ?? ".1");
}

/** Matches the number of a list entry in a column's name: 1 to 999. */
const entryNumber = /\.[1-9]\d{0,2}(?=\.)/g;

/** Maximum number of wrong letters in a misspelled name. A name with more wrong letters counts as a different word. */
const maxEdits = 2;

/**
 * Finds the known name closest to a misspelled one. The prefixes `pos_` and `svc_` may be missing from the misspelled
 * name.
 *
 * @returns undefined if no known name is close
 */
function closestName(name: string, known: readonly string[]): string | undefined {
  let closest: string | undefined;
  let fewest = Math.min(maxEdits, Math.floor(name.length / 3)) + 1;
  for (const one of known) {
    const edits = Math.min(
      countEdits(name, one, maxEdits),
      countEdits(name, one.replace(/\b(pos|svc)_/, ""), maxEdits),
    );
    if (edits < fewest) [closest, fewest] = [one, edits];
  }
  return closest;
}
