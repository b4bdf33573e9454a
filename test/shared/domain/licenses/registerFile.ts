import type { ImportResult } from "../../../../shared/domain/licenses/importRegister.ts";
import type { FileRow } from "../../../../shared/domain/licenses/readFileLicenses.ts";

/** A row with the values that every register must have, changed by `values`. */
function createRow(values: Record<string, string> = {}): Record<string, string> {
  return {
    licensee: "Green Leaf LLC",
    license_identifier: "R-1",
    licensing_authority_name: "Cannabis Control",
    reported_license_type_description: "Retail Store",
    reported_license_status: "Active",
    status_date: "2026-01-05",
    ...values,
  };
}

/** Rows of a file, from its second line on. */
export function fileRows(rows: readonly Record<string, string>[]): FileRow[] {
  return rows.map((values, index) => ({ line: index + 2, values: createRow(values) }));
}

/** The result of an import with these counts and findings, and no others. */
export const importResult = (more: Partial<ImportResult>): ImportResult => ({
  ...{ created: 0, changed: 0, unchanged: 0, missing: 0, unconfirmed: 0, refused: [], notes: [], unknownStatuses: [] },
  ...more,
});
