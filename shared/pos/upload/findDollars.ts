import type * as z from "zod";
import { dollarSignOf } from "./amounts.ts";
import { moneyNames, moneyPaths } from "./columns.ts";
import type { UploadedRow, UploadOptions } from "./uploadConnector.ts";

/** The reason to doubt that a file is in cents: an amount that looks like dollars, or an unreadable row. */
export type DollarFinding = { line: number } & ({ field: string; sign: string } | { unreadable: string });

/**
 * Reads a file's rows until a row has an amount that looks like dollars, even in a row with other faults. If no row has
 * such an amount, returns the first unreadable row, because that row may contain such an amount.
 *
 * @param schema the schema of the file's records
 */
export async function findDollars(
  rows: AsyncIterable<UploadedRow>,
  schema: z.ZodType,
  { firstEntry }: Pick<UploadOptions, "firstEntry">,
): Promise<DollarFinding | undefined> {
  const names = moneyNames(schema);
  const paths = new Set(moneyPaths(schema));
  let unreadable: DollarFinding | undefined;
  for await (const row of rows) {
    if ("unreadable" in row) {
      if (row.unreadable !== "repeated_header") unreadable ??= row;
    } else {
      const place = dollarsIn(row.value, names);
      if (place) return { line: row.line, field: fieldOf(place, paths, firstEntry), sign: place.sign };
    }
  }
  return unreadable;
}

/** A value in a row, and the place that contains it. Paths are built only when needed. */
interface Place {
  key: string;
  value: unknown;
  within?: Place;
}

function dollarsIn(row: unknown, names: ReadonlySet<string>): (Place & { sign: string }) | undefined {
  const places: Place[] = [{ key: "", value: row }];
  // The loop appends nested values to the list that it reads. It is not recursive, because JSON may be nested too
  // deeply.
  for (const place of places) {
    const { key, value } = place;
    if (typeof value === "object" && value !== null) {
      for (const [inner, held] of Object.entries(value)) places.push({ key: inner, value: held, within: place });
    } else if (names.has(key)) {
      const sign = dollarSignOf(value);
      if (sign) return { ...place, sign };
    }
  }
  return undefined;
}

/**
 * The path of a field. List entries are counted from the same number as in the file. If the schema does not have the
 * path, returns only the last name, because the rest of the path may contain data.
 */
function fieldOf({ key, within }: Place, paths: ReadonlySet<string>, firstEntry: number): string {
  const path = [key];
  const pattern = [key];
  for (let place = within; place?.within; place = place.within) {
    const isEntry = Array.isArray(place.within.value);
    path.unshift(isEntry ? String(Number(place.key) + firstEntry) : place.key);
    pattern.unshift(isEntry ? "*" : place.key);
  }
  return paths.has(pattern.join(".")) ? path.join(".") : key;
}
